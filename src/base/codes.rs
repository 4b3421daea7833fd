//! Error codes outside of syntax, files and packed formats: title, and what `tsk explain CODE` tells.

/// The families, by the first two digits.
pub const FAMILIES: &[(&str, &str)] = &[
    ("E00", "source text and syntax"),
    ("E01", "names, calls and arguments"),
    ("E02", "shapes and layouts"),
    ("E03", "index and slice"),
    ("E04", "data types"),
    ("E05", "values"),
    ("E06", "files and formats"),
    ("E07", "limits and interruption"),
    ("E08", "devices"),
    ("W02", "likely accidents with shapes"),
    ("W07", "large copies"),
];

/// (code, title, explanation)
pub const CODES: &[(&str, &str, &str)] = &[
    (
        "E0101",
        "unknown name",
        "No variable, function or constant of this name is in scope. The nearest known name is offered where one is near; `tsk help` lists the functions. A function sees the names of its own scope and, outwards, those of the script.",
    ),
    (
        "E0102",
        "no such attribute",
        "Behind the dot stands neither an attribute of this value nor a function of the scope. Attributes of tensors are .shape .ndim .size .dtype .strides .offset .itemsize .nbytes .device .T .mT .H .real .imag .base .is_view .is_contiguous .name; every function can be called as a method, `x.f(a)` being `f(x, a)`.",
    ),
    (
        "E0103",
        "not a function",
        "Brackets behind a value call it, and this value cannot be called. Attributes take no brackets: `x.shape`, not `x.shape()`. A name that hides a function (`sum = 3`) gives it back with `del`.",
    ),
    (
        "E0104",
        "missing argument",
        "A parameter without a default got no value. The report shows the signature; `tsk help NAME` tells about the parameters.",
    ),
    ("E0105", "too many arguments", "More positional arguments are given than the function takes."),
    (
        "E0106",
        "unknown parameter",
        "The function has no parameter of this name. Common spellings of other libraries (`dim`, `keepdim`, `input`) are understood where they mean the same.",
    ),
    (
        "E0107",
        "doubled argument",
        "One parameter is given twice, once by its place and once by its name, or under two spellings (`axis` and `dim`).",
    ),
    (
        "E0108",
        "argument of a wrong kind",
        "A parameter wants another kind of value: a tensor, an integer, a shape, a string, a function. The report says which and shows what was given.",
    ),
    (
        "E0109",
        "read before it is assigned",
        "A function that assigns a name anywhere in its body has it as its own, and this line reads it too early. An outer name cannot be rebound from inside: take it as a parameter, return the new value, or write through it (`k[0] = 1`).",
    ),
    (
        "E0110",
        "a cycle of imports",
        "A script imports itself, perhaps over others. Move what both need into a third script.",
    ),
    (
        "E0111",
        "cannot import",
        "The imported script cannot be found or read. Its path is relative to the folder of the importing script.",
    ),
    (
        "E0112",
        "nothing to walk over",
        "`for`, comprehensions, `*` and functions like `list` take what has elements: ranges, lists, tuples, strings, tensors of at least one axis, archives. `range(n)` walks the integers below n.",
    ),
    (
        "E0113",
        "another number of values",
        "The names at the left of `=` and the values at the right differ in number. One `*rest` at the left takes what is over.",
    ),
    (
        "E0114",
        "a hole",
        "`?` stands for a value that is still to come. As an argument (`reshape(x, 4, ?)`) or beside an operator (`x @ ?`) it reports what would fit there: plain values that were tried, names in scope with what they would give, the signature. Put one of them in its place.",
    ),
    (
        "E0120",
        "no such choice",
        "An argument chooses among a few words or numbers, excludes another argument, or is a pattern that breaks its rules (`einsum`, `rearrange`). The report tells what may stand there.",
    ),
    (
        "E0201",
        "no such axis",
        "An axis lies outside of the tensor's axes, or the tensor has too few of them for the function. n axes count from 0 to n - 1, and from the last with -1 to -n.",
    ),
    (
        "E0202",
        "axes do not fit together",
        "A list of axes names one twice or leaves one out, or two lists that belong together (axes and extents, shifts and axes) have other lengths.",
    ),
    (
        "E0203",
        "shapes do not broadcast",
        "Operands of an elementwise operation are aligned at their last axes. Two extents fit when they are equal or one of them is 1 (or missing): [32, 256] fits [256] and [32, 1], not [32]. The report names the first axis from the right that differs. To line up an axis that is not the last, give the operand unit axes: `x[:, None]`.",
    ),
    (
        "E0204",
        "reshape to another size",
        "A reshape keeps the number of elements. One extent may be -1: it is computed from the others.",
    ),
    ("E0205", "not a unit axis", "`squeeze` removes axes of extent 1 only."),
    (
        "E0206",
        "no such extent",
        "An extent is negative, or a shape holds more elements or bytes than an address can count.",
    ),
    (
        "E0207",
        "a window that does not fit",
        "A sliding window is at least 1 long, at most as long as its axis, and moves by at least 1.",
    ),
    (
        "E0208",
        "no such split",
        "An axis is cut into a positive number of equal parts, or at positions. `chunk` takes numbers that do not divide the extent.",
    ),
    (
        "E0209",
        "strides outside of the buffer",
        "`as_strided` reaches elements before the first or behind the last one of the tensor. The report tells the range that it would reach.",
    ),
    (
        "E0210",
        "inner extents differ",
        "A matrix product `a @ b` needs the last axis of a as long as the last but one of b (the only one, where b has one). Often a transpose is missing: `a @ b.T`, or `b.mT` for stacks of matrices.",
    ),
    (
        "E0211",
        "shapes do not join",
        "`concat` joins tensors that agree on every axis but the joined one; `stack` needs one shape for all. An empty list has nothing to join.",
    ),
    (
        "E0212",
        "write into a broadcast view",
        "Several positions of a broadcast view share one element, so a write would change them all. `copy(x)` makes a tensor with an element for each position.",
    ),
    (
        "E0213",
        "a ragged list",
        "The lists within a list differ in length or depth, so they are no tensor. Pad them, or keep the list.",
    ),
    (
        "E0214",
        "one element is needed",
        "A condition, `item`, `int`, `float` and formats take tensors of one element. `any(x)` and `all(x)` make one truth of many; `x & y` joins truths elementwise.",
    ),
    (
        "E0215",
        "an annotation does not hold",
        "A shape annotation names extents: integers must match, a name is bound at its first use and must match from then on, `_` matches anything, `...` any number of axes.",
    ),
    (
        "E0217",
        "one name, two extents",
        "In `einsum` and patterns a letter or a name stands for one extent. Two axes of the same name are equally long, or one of them is 1.",
    ),
    (
        "E0220",
        "no view",
        "`view` reshapes or reinterprets without a copy, and here no strides could do it. `reshape` copies where it must; `copy(x)` gives contiguous bytes.",
    ),
    ("E0231", "not square", "The function takes square matrices: the last two axes are equally long."),
    (
        "E0232",
        "the right side does not fit",
        "The right side of a system has as many rows as the matrix. A stack of vectors is written as matrices of one column: `b[..., None]`.",
    ),
    ("E0233", "a transform of nothing", "A Fourier transform has at least one point along its axis."),
    (
        "E0301",
        "index out of range",
        "An axis of extent n has the positions 0 to n - 1, and -1 to -n from the end. Slices are cut to the axis instead.",
    ),
    ("E0302", "too many indices", "More positions are given than the tensor has axes. `None` and `...` count as none."),
    ("E0303", "step of zero", "A slice moves by at least one element, forwards or backwards."),
    ("E0304", "outside of the axis", "`narrow(x, axis, start, length)` takes a range that lies within the axis."),
    (
        "E0305",
        "not an index",
        "An index is an integer, a slice, `...`, `None`, or a tensor or list of integers or bools. Lists and strings take integers and slices.",
    ),
    (
        "E0306",
        "a mask of another shape",
        "A mask has the extents of the axes that it stands for: `x[mask]` for the first axes of x, `x[:, mask]` for those behind the first.",
    ),
    (
        "E0307",
        "index tensors do not broadcast",
        "Several index tensors select together, position by position, so their shapes must broadcast. For every combination, give them unit axes: `x[rows[:, None], columns]`.",
    ),
    (
        "E0308",
        "no such key",
        "The record or archive has no field of this name. The nearest one is offered where one is near.",
    ),
    ("E0309", "two ellipses", "`...` stands for all axes that are not named, so there is one of it at most."),
    (
        "E0401",
        "kinds that do not join",
        "An operator or a write met kinds of values that it does not join, as a string with a number. `str(x)`, `int(s)`, `float(s)` and `array(xs)` convert.",
    ),
    (
        "E0402",
        "not for this dtype",
        "The function is not defined for elements of this type: bits of floats, an order of complex numbers, a decomposition of integers. `x.astype(…)` converts; comparisons beside `&` and `|` want brackets: `(x > 1) & (y > 1)`.",
    ),
    (
        "E0403",
        "a number that does not fit",
        "Plain numbers take the dtype of the tensor beside them, and this one lies outside of its range. Convert the tensor to a wider type first.",
    ),
    (
        "E0404",
        "no such conversion",
        "Elements of one type cannot become another: complex numbers have two parts, bytes are no truth values. `.real`, `.imag`, `abs` and comparisons say which part is meant.",
    ),
    (
        "E0405",
        "not in place",
        "An in-place operation keeps the tensor's dtype, and its result is of a kind that does not go into it (floats into integers, complex numbers into floats). `x = x + …` makes a new tensor; `x[...] = …` converts.",
    ),
    (
        "E0406",
        "no order",
        "Values of unlike kinds, and complex numbers, are neither smaller nor larger than each other.",
    ),
    (
        "E0410",
        "an annotated dtype does not hold",
        "A binding or parameter is annotated with another type of element. `x.astype(…)` converts.",
    ),
    (
        "E0501",
        "an assertion does not hold",
        "The condition of `assert` is false. The report shows the values that stand in it.",
    ),
    (
        "E0502",
        "division by zero",
        "Plain numbers follow Python: `/`, `//` and `%` by zero are errors. Tensors of floats give inf or nan.",
    ),
    (
        "E0503",
        "outside of the domain",
        "An element lies outside of what the operation takes: an integer division by zero, a negative shift count, a negative power of an integer. The report names the first such position.",
    ),
    (
        "E0504",
        "a value that does not fit",
        "Conversions to integers are checked: nan, infinities and numbers out of range are errors. `astype(…, wrap=True)` and `saturate=True` choose what becomes of them.",
    ),
    (
        "E0505",
        "no result",
        "The values admit no result: a singular matrix has no inverse, an indefinite one no Cholesky factor, an iteration did not end.",
    ),
    (
        "E0506",
        "integer overflow",
        "Plain integers have 64 bits with a sign and do not wrap. Write a float (`2.0 ** 100`), or use a tensor, whose integers wrap.",
    ),
    (
        "E0507",
        "a faulty format",
        "A format behind `:` follows Python: `[fill][align][sign][#][0][width][,][.precision][kind]`. Tensors of one element take the formats of numbers.",
    ),
    (
        "E0508",
        "a string that does not fit",
        "A string method or conversion met a text or an argument that it cannot take.",
    ),
    (
        "E0509",
        "a NaN from numbers",
        "With `:trap nan on` each operation runs at once, and the first that makes a NaN although none of its operands is one stops there. The report names its position and the operands.",
    ),
    (
        "E0520",
        "of no elements",
        "The largest, the smallest, the mode of nothing is not defined. `sum` of nothing is 0, `prod` is 1; `max(x, initial=…)` names a value to start with.",
    ),
    (
        "E0521",
        "an argument out of range",
        "An argument has a value for which the function is not defined, as a step of zero or a negative count. The report says which values are.",
    ),
    (
        "E0622",
        "read-only data",
        "Tensors of files and packed tensors are not written to. `copy(x)` makes a tensor in memory that is; `unpack(x)` decodes a packed one.",
    ),
    (
        "E0701",
        "interrupted",
        "Ctrl-C or a cancel handle stopped the work. All bindings are as they were before the statement.",
    ),
    (
        "E0702",
        "out of memory",
        "The system has no room for a value, or a text or list would grow beyond any use. Nothing was computed.",
    ),
    (
        "E0703",
        "above the memory limit",
        "The plan's peak was computed before it ran, and lies above `--max-memory` (by default 80 % of the machine). The report names the operand that grew. Reduce or slice earlier, write in place, or work in parts.",
    ),
    (
        "E0704",
        "calls nested too deeply",
        "Functions call each other without an end, or deeper than the limit. A loop does the same work without nesting.",
    ),
    (
        "E0801",
        "no such device here",
        "This build, or this machine, has no such device. Everything runs on the cpu; `device(\"cpu\")` says so.",
    ),
    ("E0802", "unknown device", "Devices are \"cpu\" and \"gpu\"."),
    (
        "W0201",
        "both sides grow",
        "A tensor [N] beside one [N, 1] broadcasts to [N, N]. Where N values were meant, take the second one's axis away (`x[:, 0]`); where all pairs were meant, write the new axis in the index, and nothing is said.",
    ),
    (
        "W0702",
        "a large copy",
        "More than a gigabyte is copied because a layout cannot be had otherwise, not because the script asks for it. The report says why; `explain` shows the plan.",
    ),
];
