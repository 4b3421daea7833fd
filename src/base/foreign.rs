//! What fingers type that know Python, NumPy or PyTorch, and what is written here instead: the one table of it.

/// Modules whose functions are names of their own here.
const LIBRARIES: &[&str] = &[
    "np",
    "numpy",
    "jnp",
    "jax",
    "cp",
    "cupy",
    "torch",
    "nn",
    "F",
    "tf",
    "tensorflow",
    "math",
    "builtins",
    "einops",
    "cmath",
    "scipy",
    "mx",
];

/// Names that are spelt otherwise here.
const NAMES: &[(&str, &str)] = &[
    ("true", "True"),
    ("false", "False"),
    ("TRUE", "True"),
    ("FALSE", "False"),
    ("null", "None"),
    ("none", "None"),
    ("nil", "None"),
    ("NULL", "None"),
    ("NaN", "nan"),
    ("Inf", "inf"),
    ("infinity", "inf"),
    ("undefined", "None"),
    ("Infinity", "inf"),
];

/// What has no name of its own here: (theirs, what to do, the page of help that tells more).
const WRITTEN: &[(&str, &str, &str)] = &[
    ("exit", "Ctrl-D or `:quit` leaves the prompt; a script ends at its last line", "statements"),
    ("quit", "Ctrl-D or `:quit` leaves the prompt; a script ends at its last line", "statements"),
    ("help", "`:help NAME` at the prompt, `tsk help NAME` in a shell", "help"),
    ("println", "write `print(…)`", "print"),
    ("printf", "write `print(f\"…\")`", "print"),
    ("echo", "write `print(…)`", "print"),
    ("input", "nothing is asked for; a script's arguments are `args`", "files"),
    ("open", "write `load(path)`, or `raw(path, dtype, shape)` for plain bytes", "load"),
    ("sys", "a script's arguments are `args`; there are no modules to import", "import"),
    ("os", "there is no access to the system; files are read with `load(path)`", "files"),
    ("plt", "nothing is plotted here; `save(x, \"x.png\")` writes an image", "save"),
    ("pd", "a table is read with `load(\"x.csv\")`", "load"),
    ("dict", "named values are written `record(a=1)`", "record"),
    ("set", "the distinct elements are `unique(x)`", "unique"),
    ("ndarray", "a tensor is made with `array([…])` or `zeros(…)`", "array"),
    ("Tensor", "a tensor is made with `array([…])` or `zeros(…)`", "array"),
    ("cuda", "everything runs on the CPU here: leave it out", "to"),
    ("pass", "write an empty block: `{ }`", "statements"),
    ("numpy", "a tensor is an array already: leave it out", "array"),
    ("dim", "write `x.ndim`", ".ndim"),
    ("detach", "no gradients are recorded: leave it out", "copy"),
    ("requires_grad_", "no gradients are recorded: leave it out", "plans"),
    ("backward", "no gradients are recorded", "plans"),
    ("add_", "write `x += y`", "statements"),
    ("sub_", "write `x -= y`", "statements"),
    ("mul_", "write `x *= y`", "statements"),
    ("div_", "write `x /= y`", "statements"),
    ("copy_", "write `x[...] = y`", "statements"),
    ("fill_", "write `x[...] = v`", "statements"),
    ("zero_", "write `x[...] = 0`", "statements"),
    ("r_", "write `concat([a, b])`", "concat"),
    ("c_", "write `column_stack([a, b])`", "column_stack"),
    ("s_", "write a slice in the index: `x[1:3]`", "indexing"),
    ("ix_", "write `x[rows[:, None], columns]`", "indexing"),
    ("Parameter", "write `array(…)`", "array"),
    ("from_numpy", "write `load(\"x.npy\")`", "load"),
    ("loadtxt", "write `load(\"x.csv\")`", "load"),
    ("genfromtxt", "write `load(\"x.csv\")`", "load"),
    ("read_csv", "write `load(\"x.csv\")`", "load"),
    ("load_file", "write `load(\"x.safetensors\")`", "load"),
    ("safe_open", "write `load(\"x.safetensors\")`", "load"),
    ("fromfile", "write `raw(path, dtype, shape)`", "raw"),
    ("savez", "write `save(record(a=x), \"x.npz\")`", "save"),
    ("savez_compressed", "write `save(record(a=x), \"x.npz\")`", "save"),
    ("savetxt", "write `save(x, \"x.csv\")`", "save"),
    ("save_file", "write `save(record(a=x), \"x.safetensors\")`", "save"),
    ("tofile", "write `save(x, \"x.bin\")`", "save"),
    ("no_grad", "no gradients are recorded: leave it out", "fn"),
    ("vectorize", "call the function itself: rows work on whole tensors", "fn"),
    ("vmap", "add an axis to the tensors: functions broadcast", "broadcasting"),
    ("jit", "leave it out: every value is planned and fused before it runs", "plans"),
    ("compile", "leave it out: every value is planned and fused before it runs", "plans"),
    ("apply_along_axis", "write `stack([f(row) for row in x])`", "for"),
    ("set_printoptions", "`:set precision 3` at the prompt, or `round(x, 3)`", "round"),
    ("strides", "`x.strides`, counted in elements", ".strides"),
    ("flags", "write `layout(x)`", "layout"),
    ("data_ptr", "write `shares_memory(a, b)`", "shares_memory"),
];

/// Dtypes of NumPy, PyTorch and C; the first name of each is the one that help shows.
const DTYPES: &[(&str, &str)] = &[
    ("float16", "f16"),
    ("half", "f16"),
    ("bfloat16", "bf16"),
    ("float32", "f32"),
    ("single", "f32"),
    ("float64", "f64"),
    ("double", "f64"),
    ("int8", "i8"),
    ("int16", "i16"),
    ("short", "i16"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("long", "i64"),
    ("intp", "i64"),
    ("uint8", "u8"),
    ("byte", "u8"),
    ("uint16", "u16"),
    ("uint32", "u32"),
    ("uint64", "u64"),
    ("bool_", "bool"),
    ("boolean", "bool"),
    ("complex64", "c64"),
    ("cfloat", "c64"),
    ("complex128", "c128"),
    ("cdouble", "c128"),
    ("float8_e4m3fn", "f8e4m3"),
    ("float8_e5m2", "f8e5m2"),
];

fn find<'a>(table: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    table.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
}

/// Whether this is a module whose functions are names here.
pub fn library(name: &str) -> bool {
    LIBRARIES.contains(&name)
}

/// The dtype that another library calls so.
pub fn dtype(name: &str) -> Option<&'static str> {
    find(DTYPES, name)
}

/// What other libraries call a dtype; None where it is called the same.
pub fn dtype_elsewhere(ours: &str) -> Option<&'static str> {
    DTYPES.iter().find(|(_, name)| *name == ours && ours != "bool").map(|(theirs, _)| *theirs)
}

/// The name here of what is called so elsewhere: a dtype, a constant.
pub fn ours(name: &str) -> Option<&'static str> {
    dtype(name).or_else(|| find(NAMES, name))
}

/// What to do instead, as a sentence, and the page of help that tells more.
pub fn written(name: &str) -> Option<(&'static str, &'static str)> {
    WRITTEN.iter().find(|(theirs, ..)| *theirs == name).map(|(_, hint, page)| (*hint, *page))
}

/// The pages that [`written`] names.
pub fn pages() -> impl Iterator<Item = &'static str> {
    WRITTEN.iter().map(|(.., page)| *page)
}

/// The hint for a name that is not known here.
pub fn hint(name: &str) -> Option<String> {
    if library(name) {
        return Some(format!("the functions stand alone here: `sqrt(2)`, not `{name}.sqrt(2)`"));
    }
    ours(name).map(|ours| format!("write `{ours}`")).or_else(|| written(name).map(|(hint, _)| hint.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_in_one_row() {
        let rows = DTYPES.iter().chain(NAMES).map(|(theirs, _)| *theirs).chain(WRITTEN.iter().map(|(t, ..)| *t));
        let mut names: Vec<&str> = rows.collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert_eq!(hint("float64").as_deref(), Some("write `f64`"));
        assert_eq!(hint("np").as_deref(), Some("the functions stand alone here: `sqrt(2)`, not `np.sqrt(2)`"));
        assert_eq!((hint("zeros"), hint("add_").as_deref()), (None, Some("write `x += y`")));
    }
}
