//! Names of NumPy, PyTorch and their kin: which row is meant.

use super::{Page, Part, function, own, types};
use crate::func::{self, Func};
use crate::lang::operators::foreign_name;
use crate::text::str_method;

/// Modules whose names people write in front.
const MODULES: &[&str] =
    &["np", "numpy", "jnp", "jax", "torch", "nn", "F", "tf", "einops", "scipy", "cp", "cupy", "mx", "math", "builtins"];

/// What has no row of its own name: (theirs, what to write here, the page that tells more).
const WRITTEN: &[(&str, &str, &str)] = &[
    ("r_", "concat([a, b])", "concat"),
    ("c_", "column_stack([a, b])", "column_stack"),
    ("s_", "a slice in the index, x[1:3]", "indexing"),
    ("ix_", "x[rows[:, None], columns]", "indexing"),
    ("ndarray", "array(…)", "array"),
    ("Tensor", "array(…)", "array"),
    ("Parameter", "array(…)", "array"),
    ("from_numpy", "load(\"x.npy\")", "load"),
    ("loadtxt", "load(\"x.csv\")", "load"),
    ("genfromtxt", "load(\"x.csv\")", "load"),
    ("read_csv", "load(\"x.csv\")", "load"),
    ("load_file", "load(\"x.safetensors\")", "load"),
    ("safe_open", "load(\"x.safetensors\")", "load"),
    ("fromfile", "raw(path, dtype, shape)", "raw"),
    ("savez", "save(record(a=x), \"x.npz\")", "save"),
    ("savez_compressed", "save(record(a=x), \"x.npz\")", "save"),
    ("savetxt", "save(x, \"x.csv\")", "save"),
    ("save_file", "save(record(a=x), \"x.safetensors\")", "save"),
    ("tofile", "save(x, \"x.bin\")", "save"),
    ("numpy", "the tensor itself: there is one kind", "array"),
    ("detach", "the tensor itself: there is no tape", "copy"),
    ("no_grad", "nothing: there is no tape", "fn"),
    ("cuda", "x.to(\"gpu\")", "to"),
    ("half", "f16(x)", "f16"),
    ("double", "f64(x)", "f64"),
    ("single", "f32(x)", "f32"),
    ("short", "i16(x)", "i16"),
    ("long", "i64(x)", "i64"),
    ("byte", "u8(x)", "u8"),
    ("cfloat", "c64(x)", "c64"),
    ("vectorize", "the function itself: rows work on whole tensors", "fn"),
    ("vmap", "an axis more in the tensors: rows broadcast", "broadcasting"),
    ("jit", "nothing: every value is planned and fused before it runs", "plans"),
    ("compile", "nothing: every value is planned and fused before it runs", "plans"),
    ("apply_along_axis", "stack([f(row) for row in x])", "for"),
    ("set_printoptions", "`:set precision 3` at the prompt, round(x, 3)", "round"),
    ("strides", "x.strides, counted in elements", ".strides"),
    ("flags", "layout(x)", "layout"),
    ("data_ptr", "shares_memory(a, b)", "shares_memory"),
];

/// The page of a name that is spelt as elsewhere, with a word about it in front.
pub(super) fn page(name: &str) -> Option<Page> {
    let plain = name.split('(').next().unwrap_or(name);
    let (head, last) = plain.rsplit_once('.').unwrap_or(("", plain));
    let module = head.split('.').next().unwrap_or("");
    if !head.is_empty() && !MODULES.contains(&module) {
        return method(last);
    }
    if head.is_empty() && str_method(last).is_some() {
        return method(last);
    }
    if let Some(func) = spelt(plain).or_else(|| if head.is_empty() { None } else { func::lookup(last.into()) }) {
        return Some(function_page(name, func));
    }
    if let Some(dtype) = types::dtype_elsewhere(last) {
        return own(dtype.name()).map(|p| introduced(p, &format!("`{name}` is {dtype} here.")));
    }
    if let Some((_, ours, page)) = WRITTEN.iter().find(|(theirs, ..)| *theirs == last) {
        return own(page).map(|p| introduced(p, &format!("For `{name}` write {ours}.")));
    }
    if let Some(func) = func::named_like(last).or_else(|| squeezed(last)) {
        return Some(function_page(name, func));
    }
    if let Some(ours) = foreign_name(last) {
        return own(ours).map(|p| introduced(p, &format!("`{name}` is {ours} here.")));
    }
    // `np.pi`, `np.newaxis`, `torch.Tensor.T`
    if head.is_empty() { None } else { own(last).or_else(|| method(last)) }
}

/// `x.mean`, `x.T`, `s.upper`: attributes, functions and the methods of strings and lists.
fn method(name: &str) -> Option<Page> {
    if let Some(page) = own(&format!(".{name}")) {
        return Some(page);
    }
    str_method(name)?;
    let page = own("str")?;
    Some(introduced(page, &format!("`.{name}` is a method of strings and means what it means in Python.")))
}

fn function_page(name: &str, func: &Func) -> Page {
    let page = function::page(func);
    if name == func.doc.name { page } else { introduced(page, &format!("`{name}` is `{}` here.", func.doc.name)) }
}

fn introduced(mut page: Page, text: &str) -> Page {
    page.parts.insert(0, Part::Text(text.to_owned()));
    page
}

/// The function whose NumPy or PyTorch spelling is this path.
fn spelt(path: &str) -> Option<&'static Func> {
    let whole = full(path);
    let is = |spelling: &str| !spelling.is_empty() && spelling != "none" && full(spelling) == whole;
    func::all().iter().copied().find(|f| is(f.doc.numpy) || is(f.doc.torch))
}

/// A path with its modules as NumPy and PyTorch call them, without arguments.
fn full(path: &str) -> String {
    let path = path.split('(').next().unwrap_or(path);
    for (short, long) in [("numpy.", "np."), ("jnp.", "np."), ("F.", "torch.nn.functional."), ("nn.", "torch.nn.")] {
        if let Some(rest) = path.strip_prefix(short) {
            return format!("{long}{rest}");
        }
    }
    path.to_owned()
}

/// `LayerNorm`, `Conv2d`: classes of layers are named as their functions, written together.
fn squeezed(name: &str) -> Option<&'static Func> {
    let squeeze = |s: &str| s.replace('_', "").to_lowercase();
    let wanted = squeeze(name);
    let is = |f: &&&'static Func| f.doc.aliases.iter().chain([&f.doc.name]).any(|n| squeeze(n) == wanted);
    func::all().iter().find(is).copied()
}
