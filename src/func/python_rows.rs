//! The rows of Python's functions.

use super::Func;
use super::plain::*;
use super::python::*;
use crate::op::Group;

pub static ROWS: [Func; 32] = [
    Func::new("abs", abs, Group::Arithmetic)
        .alias(&["absolute"])
        .help(
            "abs(x)",
            "The absolute value; of complex numbers the modulus, which is real.",
            &["abs(array([-1, 2]))", "abs(-3)", "abs(array([3 + 4j]))"],
        )
        .gives("The shape of x; its dtype, complex numbers give their real one. Plain numbers stay plain.")
        .like("np.abs", "torch.abs")
        .see(&["sign", "fabs"]),
    Func::new("round", round, Group::Arithmetic)
        .alias(&["around"])
        .help(
            "round(x, decimals=0)",
            "To a number of decimals, ties to even. A plain number without decimals becomes an \
             integer, as in Python.",
            &["round(array([0.5, 1.5, 2.567]))", "round(array([2.567]), 1)", "round(2.5)"],
        )
        .gives("Shape and dtype of x. Plain numbers stay plain.")
        .like("np.round", "torch.round")
        .see(&["rint", "floor", "trunc"]),
    Func::new("min", min, Group::Reduce)
        .alias(&["amin"])
        .help(
            "min(x, *rest, axis=None, keepdims=False, key=None, default=None)",
            "The smallest element along axes; nan wins. Of a list or several plain values the \
             smallest as in Python; \
             of two tensors element by element.",
            &["min(array([[3, 1], [2, 5]]), axis=0)", "min([3, 1, 2])", "min(4, 2)"],
        )
        .gives("The extents without those of axis (1 with keepdims); dtype of x.")
        .like("np.min", "torch.amin")
        .see(&["max", "argmin", "minimum", "nanmin"]),
    Func::new("max", max, Group::Reduce)
        .alias(&["amax"])
        .help(
            "max(x, *rest, axis=None, keepdims=False, key=None, default=None)",
            "The largest element along axes; nan wins. Of a list or several plain values the \
             largest as in Python; of \
             two tensors element by element.",
            &["max(array([[3, 1], [2, 5]]), axis=1)", "max([3, 1, 2])", "max(array([1, 5]), array([4, 2]))"],
        )
        .gives("The extents without those of axis (1 with keepdims); dtype of x.")
        .like("np.max", "torch.amax")
        .see(&["min", "argmax", "maximum", "nanmax"]),
    Func::new("sum", sum, Group::Reduce)
        .help(
            "sum(x, axis=None, keepdims=False, dtype=None)",
            "The sum along axes. Integers widen to 64 bits; 16-bit floats are summed in f32 and \
             rounded once. A list \
             of plain numbers gives a plain number.",
            &["sum(array([[1, 2], [3, 4]]), axis=0)", "sum([1, 2, 3])", "ones(4).sum()"],
        )
        .gives(
            "The extents without those of axis (1 with keepdims); integers and bools widen to 64 \
            bits, other dtypes stay, or the dtype given.",
        )
        .like("np.sum", "torch.sum")
        .see(&["mean", "prod", "cumsum", "nansum"]),
    Func::new("any", any, Group::Reduce)
        .help(
            "any(x, axis=None, keepdims=False)",
            "Whether any element is true (not zero) along axes.",
            &["any(array([0, 0, 3]))", "any(array([[True, False], [False, False]]), axis=1)"],
        )
        .gives("The extents without those of axis (1 with keepdims); bool.")
        .like("np.any", "torch.any")
        .see(&["all", "count_nonzero"]),
    Func::new("all", all, Group::Reduce)
        .help(
            "all(x, axis=None, keepdims=False)",
            "Whether all elements are true (not zero) along axes; true of nothing.",
            &["all(array([1, 2, 0]))", "all(array([[True, True], [False, True]]), axis=1)"],
        )
        .gives("The extents without those of axis (1 with keepdims); bool.")
        .like("np.all", "torch.all")
        .see(&["any", "allclose"]),
    Func::new("divmod", divmod, Group::Python)
        .help("divmod(x, y)", "The pair x // y, x % y.", &["divmod(17, 5)", "divmod(array([7, -7]), 3)"])
        .gives("A tuple of two, as x // y and x % y give them.")
        .like("np.divmod", "")
        .see(&["floor_divide", "remainder"]),
    Func::new("int", int_of, Group::Python)
        .help(
            "int(x=None, base=10)",
            "A plain integer of a number (cut towards zero), of a text or of a tensor of one element.",
            &["int(3.9)", "int(\"ff\", 16)"],
        )
        .gives("A plain integer.")
        .like("Python's int", "Python's int")
        .see(&["float", "round"]),
    Func::new("float", float_of, Group::Python)
        .help(
            "float(x=None)",
            "A plain float of a number, of a text or of a tensor of one element.",
            &["float(3)", "float(\"1e-3\")"],
        )
        .gives("A plain float.")
        .like("Python's float", "Python's float")
        .see(&["int"]),
    Func::new("complex", complex_of, Group::Python)
        .help("complex(real=0, imag=0)", "A plain complex number of its parts.", &["complex(1, 2)"])
        .gives("A plain complex number.")
        .like("Python's complex", "Python's complex")
        .see(&["real", "imag"]),
    Func::new("bool", bool_of, Group::Python)
        .help(
            "bool(x=False)",
            "Whether a plain value counts as true; of a tensor each element as a bool.",
            &["bool([])", "bool(array([0.0, 2.0]))"],
        )
        .gives("A plain bool; of a tensor its shape, in bool.")
        .like("np.bool", "torch.bool")
        .see(&["any", "all"]),
    Func::new("str", str_of, Group::Python)
        .help("str(x=None)", "The text that print would show.", &["str(1.5)", "str(arange(3))"])
        .gives("A plain string.")
        .like("Python's str", "Python's str")
        .see(&["repr", "print"]),
    Func::new("repr", repr, Group::Python)
        .help(
            "repr(x)",
            "The text as it would be written in a script: strings in quotes, tensors as array(…).",
            &["repr(\"a\")"],
        )
        .gives("A plain string.")
        .like("Python's repr", "Python's repr")
        .see(&["str"]),
    Func::new("list", list, Group::Python)
        .help(
            "list(xs=None)",
            "A list of the elements of anything that can be walked.",
            &["list(range(3))", "list(\"abc\")"],
        )
        .gives("A list.")
        .like("Python's list", "Python's list")
        .see(&["tuple", "tolist"]),
    Func::new("tuple", tuple, Group::Python)
        .help("tuple(xs=None)", "A tuple of the elements of anything that can be walked.", &["tuple([1, 2])"])
        .gives("A tuple.")
        .like("Python's tuple", "Python's tuple")
        .see(&["list"]),
    Func::new("len", len, Group::Python)
        .help(
            "len(x)",
            "How many elements; of a tensor the extent of its first axis.",
            &["len([1, 2, 3])", "len(ones((4, 2)))"],
        )
        .gives("A plain integer.")
        .like("Python's len", "Python's len")
        .see(&["shape", "size"]),
    Func::new("range", range, Group::Python)
        .help(
            "range(start, stop=None, step=1)",
            "The integers from start (0 where only one is given) to before stop.",
            &["list(range(2, 8, 2))", "sum(range(5))"],
        )
        .gives("A range: integers that take no room.")
        .like("Python's range", "Python's range")
        .see(&["arange", "enumerate"]),
    Func::new("sorted", sorted, Group::Python)
        .help(
            "sorted(xs, key=None, reverse=False)",
            "A list of the elements in ascending order, by what key makes of them.",
            &["sorted([3, 1, 2])", "sorted([\"bb\", \"a\"], key=len)"],
        )
        .gives("A list.")
        .like("Python's sorted", "Python's sorted")
        .see(&["sort", "reversed"]),
    Func::new("reversed", reversed, Group::Python)
        .help("reversed(xs)", "A list of the elements in reverse order.", &["reversed([1, 2, 3])"])
        .gives("A list.")
        .like("Python's reversed", "Python's reversed")
        .see(&["flip", "sorted"]),
    Func::new("enumerate", enumerate, Group::Python)
        .help("enumerate(xs, start=0)", "Pairs of position and element.", &["enumerate([\"a\", \"b\"])"])
        .gives("A list.")
        .like("Python's enumerate", "Python's enumerate")
        .see(&["zip"]),
    Func::new("zip", zip, Group::Python)
        .help(
            "zip(*xs)",
            "Tuples of the elements side by side, up to the end of the shortest.",
            &["zip([1, 2], [3, 4])"],
        )
        .gives("A list.")
        .like("Python's zip", "Python's zip")
        .see(&["enumerate"]),
    Func::new("map", map, Group::Python)
        .help("map(f, *xs)", "A list of what f makes of each element.", &["map(lambda x: x * 2, [1, 2])"])
        .gives("A list.")
        .like("Python's map", "Python's map")
        .see(&["filter"]),
    Func::new("filter", filter, Group::Python)
        .help(
            "filter(f, xs)",
            "A list of the elements for which f gives something true.",
            &["filter(lambda x: x > 1, [1, 2, 3])"],
        )
        .gives("A list.")
        .like("Python's filter", "Python's filter")
        .see(&["map", "where"]),
    Func::new("print", print, Group::Python)
        .help("print(*xs, sep=\" \")", "Writes the texts of its arguments as a line.", &["print(\"a\", 1)"])
        .gives("None; the text goes to the output.")
        .like("Python's print", "Python's print")
        .see(&["str", "repr"]),
    Func::new("eval", eval, Group::Python)
        .help("eval(x)", "Computes what is pending in x now, and gives x.", &["eval(ones(3) + 1)"])
        .gives("x itself.")
        .like("none", "none")
        .see(&["explain", "materialize"]),
    Func::new("record", record, Group::Python)
        .help("record(**fields)", "A record of named values: r.a reads a field.", &["r = record(a=1, b=2)\nr.a"])
        .gives("A record.")
        .like("none", "none")
        .see(&["replace"]),
    Func::new("replace", replace, Group::Python)
        .help(
            "replace(*record, **fields)",
            "A record with other values in some fields; of a text one with a part replaced.",
            &["replace(record(a=1, b=2), a=5)"],
        )
        .gives("A record, or a string.")
        .like("str.replace", "none")
        .see(&["record"]),
    Func::new("hasattr", hasattr, Group::Python)
        .help(
            "hasattr(x, name)",
            "Whether a record, module or tensor has a member of that name.",
            &["hasattr(record(a=1), \"a\")"],
        )
        .gives("A plain bool.")
        .like("Python's hasattr", "Python's hasattr")
        .see(&["record"]),
    Func::new("type", type_of, Group::Python)
        .help(
            "type(x)",
            "The dtype of a tensor; of other values the name of their kind.",
            &["type(ones(2))", "type(1.5)"],
        )
        .gives("A dtype, or a string.")
        .like("Python's type", "Python's type")
        .see(&["dtype"]),
    Func::new("ord", ord, Group::Python)
        .help("ord(text)", "The code point of a character.", &["ord(\"a\")"])
        .gives("A plain integer.")
        .like("Python's ord", "Python's ord")
        .see(&["chr"]),
    Func::new("chr", chr, Group::Python)
        .help("chr(n)", "The character of a code point.", &["chr(97)"])
        .gives("A plain string.")
        .like("Python's chr", "Python's chr")
        .see(&["ord"]),
];
