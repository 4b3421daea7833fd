//! tsk: a tensor expression language in which NumPy's fingers work.
//!
//! # The layers, bottom to top
//!
//! | module | what it knows |
//! | --- | --- |
//! | [`base`] | spans, sources, diagnostics as data, symbols |
//! | [`tensor`] | shapes, layouts, dtypes, packed formats, bytes: no operators, no language |
//! | [`op`] | the table of elementwise rows: scalar bodies, dtype rules, documentation |
//! | [`kernel`] | the contract between plan and backend: programs, kernels, costs, faults, [`kernel::Backend`] |
//! | [`plan`] | the lazy graph, cells and versions, lowering, fusion, plans as text |
//! | [`backend`] | the processor, and a null device that only counts; never sees [`plan`] |
//! | [`run`] | runs plans on a backend: buffers, limits, cancellation, faults |
//! | [`call`] | what libraries do better: decompositions of matrices, Fourier transforms, as opaque calls |
//! | [`file`](mod@file) | npy, npz, safetensors, gguf, csv, png, raw: bytes to layouts and back |
//! | [`text`] | numbers and arrays as NumPy and Python write them, JSON |
//! | [`model`] | files as a whole: folded lists, statistics, comparing, converting |
//! | [`lang`] | tokens, syntax tree, parser (never fails), formatter |
//! | [`value`] | what a name can be bound to |
//! | [`func`] | functions as rows: elementwise rows lifted, native ones, the prelude |
//! | [`help`] | pages of functions, operators, codes and topics, made of their rows |
//! | [`eval`] | statements, expressions, calls, indexing, writes |
//! | [`settings`] | settings as rows: configuration file, environment, `:set` |
//! | [`session`] | the library's face: texts in, values, plans and errors out |
//! | [`report`], [`draw`] | output as text |
//! | [`repl`], [`cli`] | the prompt and the command line; use nothing but the above |
//!
//! Imports point up this list only; `tests/layers.rs` holds that.
//!
//! # The path of one line: `print(sum(x.T[:, 0:128] + 1, axis=0))`
//!
//! text → [`lang`] tokens and tree → [`eval`] binds the calls to their rows: `.T` and the slice rewrite the operand's
//! layout; `+` broadcasts (checked now) and becomes a map node; `sum` a reduce node → `print` forces → [`plan::lower`]
//! pulls the map's program into the reduction and asks where bytes must be copied (here: nowhere) → [`run`] compares the
//! peak with the limit, allocates, launches, frees at last use → [`text`] prints through the layout.
//!
//! # One word for one thing
//!
//! - *layout*: shape, signed strides and offset, in elements. *view*: a layout, a dtype and a pending conjugate.
//! - *row*: a table entry that is an operator. *program*: straight-line code of rows over lanes.
//! - *node*: a value that is computed or will be; *operand*: an edge to a node, through a view.
//! - *cell*: what names share; it holds a *version*, a node. A write makes a new version; pending readers keep the old one.
//! - *step*: one kernel launch of a *plan*. *materialize*: a step that only copies; it carries its reason.

pub mod backend;
pub mod base;
pub mod call;
pub mod cli;
pub mod draw;
pub mod eval;
pub mod file;
pub mod func;
pub mod help;
pub mod kernel;
pub mod lang;
pub mod model;
pub mod op;
pub mod plan;
pub mod repl;
pub mod report;
pub mod run;
pub mod session;
pub mod settings;
pub mod tensor;
pub mod text;
pub mod value;

/// README's Rust example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
