//! Names of NumPy, PyTorch and their kin: which row is meant.

use super::{Page, Part, function, own};
use crate::base::foreign;
use crate::func::{self, Func};
use crate::text::str_method;

/// The page of a name that is spelt as elsewhere, with a word about it in front.
pub(super) fn page(name: &str) -> Option<Page> {
    let plain = name.split('(').next().filter(|plain| !plain.is_empty())?;
    let (head, last) = plain.rsplit_once('.').unwrap_or(("", plain));
    let module = head.split('.').next().unwrap_or("");
    if !head.is_empty() && !foreign::library(module) {
        return method(last);
    }
    if head.is_empty() && str_method(last).is_some() {
        return method(last);
    }
    if let Some(func) = spelt(plain).or_else(|| if head.is_empty() { None } else { func::lookup(last.into()) }) {
        return Some(function_page(name, func));
    }
    if let Some(ours) = foreign::ours(last) {
        return own(ours).map(|p| introduced(p, &format!("`{name}` is {ours} here.")));
    }
    if let Some((hint, page)) = foreign::written(last) {
        return own(page).map(|p| introduced(p, &format!("For `{name}`: {hint}.")));
    }
    if let Some(func) = func::named_like(last).or_else(|| squeezed(last)) {
        return Some(function_page(name, func));
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

#[test]
fn every_hint_has_its_page() {
    let missing: Vec<&str> = foreign::pages().filter(|page| own(page).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
