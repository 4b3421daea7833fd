//! Help as data: one page for each function, operator, keyword, attribute, dtype, packed format, error code and topic,
//! made of their rows. `tsk help`, `help()`, `:help` and the reference show the same pages; whoever shows a page runs
//! its examples.

mod codes;
mod foreign;
mod function;
mod page;
mod topic;
mod types;
mod words;

pub use codes::{code, codes};
pub use page::{Kind, Page, Part};
pub use topic::topics;
pub use words::{Word, words};

use crate::base::{Symbol, nearest};
use crate::func::{self, attribute};
use crate::op::Group;
use crate::tensor::{DType, PackedFormat};

/// The chapters of functions, in the order in which they are listed.
pub const GROUPS: &[(Group, &str)] = &[
    (Group::Creation, "creation"),
    (Group::Random, "random"),
    (Group::View, "views (nothing is copied)"),
    (Group::Join, "joining, repeating, padding"),
    (Group::Arithmetic, "arithmetic"),
    (Group::Elementary, "elementary functions"),
    (Group::Compare, "comparison and logic"),
    (Group::Bits, "bits"),
    (Group::Complex, "complex numbers"),
    (Group::Reduce, "reductions"),
    (Group::Scan, "running reductions"),
    (Group::Linalg, "linear algebra"),
    (Group::Nn, "neural networks"),
    (Group::Sort, "sorting, searching, sets"),
    (Group::Statistics, "statistics"),
    (Group::Fft, "Fourier transforms"),
    (Group::Types, "types"),
    (Group::Files, "files"),
    (Group::Plan, "plans and memory"),
    (Group::Python, "plain values"),
];

/// The page of a name, however it is spelt: `softmax`, `@`, `for`, `.mT`, `q4_k`, `E0203`, `np.concatenate`, a topic.
///
/// # Errors
/// What to try instead, as text.
pub fn find(name: &str) -> Result<Page, String> {
    let name = name.trim().trim_matches('`');
    let name = name.strip_suffix("()").filter(|n| !n.is_empty() && *n != "f").unwrap_or(name);
    if name.is_empty() {
        return Ok(overview());
    }
    own(name).or_else(|| foreign::page(name)).ok_or_else(|| unknown(name))
}

/// The page of a name of this language.
fn own(name: &str) -> Option<Page> {
    if let Some(attribute) = name.strip_prefix('.').filter(|rest| rest.chars().all(|c| c.is_alphanumeric() || c == '_'))
    {
        return types::attribute(attribute).or_else(|| function(attribute)).or_else(|| words::page(name));
    }
    function(name)
        .or_else(|| topic::page(name))
        .or_else(|| words::page(name))
        .or_else(|| types::attribute(name))
        .or_else(|| types::named(name))
        .or_else(|| codes::page(name))
        .or_else(|| (name == "functions").then(functions))
        .or_else(|| (name == "operators").then(words::operators))
        .or_else(|| (name == "attributes").then(types::attributes))
}

fn function(name: &str) -> Option<Page> {
    let func = func::lookup(Symbol::new(name)).filter(|f| !f.doc.is_private())?;
    Some(function::page(func))
}

/// The pages of all functions that people may use, in the order of the tables.
pub fn function_pages() -> impl Iterator<Item = (Group, Page)> {
    func::all().iter().map(|f| (f.doc.group, function::page(f)))
}

/// The pages of all attributes of tensors.
pub fn attribute_pages() -> impl Iterator<Item = Page> {
    attribute::ATTRIBUTES.iter().map(types::of_attribute)
}

/// The pages of all operators, each symbol once, loosest first.
pub fn operator_pages() -> Vec<Page> {
    words::operator_symbols().into_iter().filter_map(words::page).collect()
}

/// The pages of all dtypes, then of all packed formats.
pub fn type_pages() -> Vec<Page> {
    let names = DType::ALL.iter().map(|d| d.name()).chain(PackedFormat::all().iter().map(|f| f.name()));
    names.filter_map(types::named).collect()
}

/// Topics first, then what else there is to look up, then the functions by group.
pub fn overview() -> Page {
    let mut page = Page::new("help", Kind::Topic, "tsk help NAME tells about a topic, a function or anything below.");
    page.list("topics", topics().iter().map(|t| t.name));
    page.list("operators and keywords", words::operator_symbols().into_iter().chain(words::keywords()));
    page.list("attributes", attribute::ATTRIBUTES.iter().map(|a| a.name));
    page.list("dtypes and packed formats", type_names());
    page.text("Error codes have pages too (tsk help E0203), and so have NumPy's and PyTorch's names (np.concatenate).");
    page.text("Functions by group:");
    by_group(&mut page);
    page
}

/// All functions by group, names only.
fn functions() -> Page {
    let mut page = Page::new("functions", Kind::Topic, "Functions by group");
    by_group(&mut page);
    page
}

fn by_group(page: &mut Page) {
    for (group, title) in GROUPS {
        let mut names: Vec<&str> = func::all().iter().filter(|f| f.doc.group == *group).map(|f| f.doc.name).collect();
        names.sort_unstable();
        if !names.is_empty() {
            page.list(title, names);
        }
    }
}

fn type_names() -> impl Iterator<Item = &'static str> {
    DType::ALL.iter().map(|d| d.name()).chain(PackedFormat::all().iter().map(|f| f.name()))
}

fn unknown(name: &str) -> String {
    let others: Vec<&str> = topics()
        .iter()
        .map(|t| t.name)
        .chain(attribute::TENSOR.iter().copied())
        .chain(words::keywords())
        .chain(type_names())
        .collect();
    let last = name.rsplit('.').next().unwrap_or(name);
    let near = nearest(name, others.iter().copied()).map(str::to_owned).or_else(|| func::nearest(last, others));
    match near {
        Some(near) => format!("tsk has nothing named `{name}`; did you mean `{near}`?"),
        None => format!("tsk has nothing named `{name}`; `tsk help` lists what there is"),
    }
}
