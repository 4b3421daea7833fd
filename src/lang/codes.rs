//! The codes of family E00: what `tsk explain E0011` tells.

/// (code, title, explanation)
pub const CODES: &[(&str, &str, &str)] = &[
    (
        "E0001",
        "unexpected text",
        "Something stands where the grammar has no place for it. The report says what was found and what could stand there.",
    ),
    (
        "E0002",
        "unclosed bracket",
        "A `(`, `[` or `{` has no partner. The report points at the bracket that is open, not at the end of the text where the trouble shows.",
    ),
    ("E0003", "mismatched bracket", "A bracket is closed by one of another kind, as in `f(x]`."),
    ("E0004", "stray closing bracket", "A `)`, `]` or `}` stands where no bracket is open."),
    (
        "E0005",
        "unclosed string",
        "A string in `\"…\"` or `'…'` ends on its line. Text over several lines stands in three quotes.",
    ),
    (
        "E0006",
        "faulty escape",
        "Strings know Python's escapes: \\n \\t \\\\ \\\" \\' \\x41 \\u00e4 \\U0001f600, octal digits, and a backslash at the end of a line.",
    ),
    (
        "E0007",
        "malformed number",
        "Numbers look like `42`, `1_000`, `0xff`, `0b10`, `0o17`, `1.5`, `1.`, `.5`, `1e-3`, `2j`. Letters directly behind a number are no part of it.",
    ),
    (
        "E0008",
        "integer out of range",
        "Plain integers have 64 bits with a sign. Up to 18446744073709551615 is possible where a u64 is made: `u64(…)`, `array(…, dtype=u64)`, or beside a u64 tensor.",
    ),
    (
        "E0009",
        "unknown character",
        "A character outside strings and comments that the language does not use, often a typographic quote or dash from a document.",
    ),
    (
        "E0010",
        "missing expression",
        "An operator, a bracket or a keyword wants a value that is not there, as in `x = 1 +`.",
    ),
    (
        "E0011",
        "missing comma or operator",
        "Two values stand side by side. In a list or a call a comma is missing; elsewhere an operator, or the end of the line.",
    ),
    (
        "E0012",
        "not a target",
        "At the left of `=` stand names, `x[…]`, and tuples of these with at most one `*rest`. Constants, numbers, calls and attributes keep their values; `x.real[...] = v` writes through an attribute that is a view.",
    ),
    ("E0013", "`=` where a value stands", "`=` binds a name or gives an argument its name. To compare, write `==`."),
    (
        "E0014",
        "keyword as a name",
        "Keywords cannot be names of variables, functions or parameters. Behind a dot they can.",
    ),
    (
        "E0015",
        "operator of another language",
        "`and`, `or` and `not` are words here; `&`, `|` and `~` work elementwise. There is no `++`: write `x += 1`.",
    ),
    (
        "E0016",
        "statement of another language",
        "Functions start with `fn`, blocks stand in `{ }`, and the chain goes on with `else if`.",
    ),
    (
        "E0017",
        "missing block",
        "`if`, `else`, `for`, `while` need a block `{ … }` that opens on their line. A function has `= expression` or a block.",
    ),
    (
        "E0018",
        "outside a loop",
        "`break` and `continue` stand inside the block of a `for` or `while`, in the same function.",
    ),
    ("E0019", "outside a function", "`return` stands inside the block of a function."),
    ("E0020", "doubled parameter", "Each parameter of a function has a name of its own."),
    (
        "E0021",
        "default before none",
        "Parameters with defaults come last, so that positional arguments have one meaning.",
    ),
    ("E0022", "positional after keyword", "Positional arguments come first: `f(1, k=2)`."),
    ("E0023", "doubled argument", "An argument is given by name once."),
    ("E0024", "nested too deeply", "Brackets, blocks, lambdas, signs, `**` and `else` nest up to 256 levels."),
    (
        "E0025",
        "expression too long",
        "Up to 10,000 operators stand in one expression, so that every walk over it fits the stack.",
    ),
    (
        "E0026",
        "text too large",
        "A line has at most 1 MiB, a source at most 64 MiB. Data belongs into files: `load(path)`.",
    ),
    (
        "E0027",
        "faulty f-string",
        "Inside `{ }` of an f-string stands one expression, then an optional `!r` and an optional `:format`. Braces as text are doubled.",
    ),
    ("E0028", "too many colons", "A slice is `start:stop:step`."),
    (
        "E0029",
        "no braces in expressions",
        "Braces hold statements only. There are no dictionaries and sets; `record(a=1)` holds named values.",
    ),
    ("E0030", "not text", "A source is UTF-8 text."),
    ("E0031", "bare tuple", "`a, b` without brackets is a tuple at the right of `=` and behind `return` only."),
    ("E0032", "chained range", "`a..b` is a range and cannot be an end of another one without brackets."),
    (
        "E0033",
        "faulty annotation",
        "An annotation is a dtype, axes in brackets, or both: `f32[b, _, 64, ...]`. It belongs to one plain name or parameter.",
    ),
    ("E0034", "statement does not end", "Behind a complete statement comes a newline or `;`."),
];

/// The row of a code.
pub fn explain(code: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    CODES.iter().find(|(c, _, _)| *c == code)
}
