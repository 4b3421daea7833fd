//! Error codes outside of syntax and files: title, and what `tsk explain CODE` tells.

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
];

/// (code, title, explanation)
pub const CODES: &[(&str, &str, &str)] = &[(
    "E0203",
    "shapes do not broadcast",
    "Operands of an elementwise operation are aligned at their last axes. Two extents fit when they are equal or one of them is 1 (or missing): [32, 256] fits [256] and [32, 1], not [32]. The report names the first axis from the right that differs. To line up an axis that is not the last, give the operand unit axes: `x[:, None]`.",
)];
