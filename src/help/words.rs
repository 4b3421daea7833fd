//! Pages of operators, keywords, forms and constants.

use super::function::{elsewhere, gives};
use super::{Kind, Page};
use crate::base::Symbol;
use crate::func;
use crate::lang::operators::{Form, OPERATORS, Operator};

/// A keyword, a form of the syntax or a constant.
pub struct Word {
    /// What may be asked for; the first one is the page's name.
    pub names: &'static [&'static str],
    /// How it is written.
    pub form: &'static str,
    pub help: &'static str,
    pub examples: &'static [&'static str],
    pub see: &'static [&'static str],
}

const STATEMENTS: &[&str] = &["functions and statements"];

const fn word(
    names: &'static [&'static str],
    form: &'static str,
    help: &'static str,
    examples: &'static [&'static str],
    see: &'static [&'static str],
) -> Word {
    Word { names, form, help, examples, see }
}

/// Every keyword has a row here; operators that are no functions too.
pub fn words() -> &'static [Word] {
    WORDS
}

static WORDS: &[Word] = &[
    word(
        &["fn"],
        "fn f(x, k=1) = expr   or   fn f(x, k=1) { statements }",
        "Defines a function. Its value is that of its last statement; defaults are evaluated at the definition. Parameters may \
         say what they take: fn f(q: f32[n, d]) checks dtype and shape at the call, and n and d are integers in the body.",
        &["fn scaled(x, by=2) = x * by\nscaled(arange(3))", "fn rows(x: f32[n, d]) = n\nrows(ones(4, 2))"],
        &["return", "lambda", "functions and statements"],
    ),
    word(
        &["lambda"],
        "lambda x, y: expr",
        "A function without a name; the body reaches as far right as it can.",
        &["map(lambda x: x * x, [1, 2, 3])"],
        &["fn"],
    ),
    word(
        &["return"],
        "return   or   return expr",
        "Leaves a function with a value, or with None. A bare `a, b` is a tuple here.",
        &["fn clipped(x) {\n    if x > 1 { return 1 }\n    x\n}\nclipped(3)"],
        &["fn"],
    ),
    word(
        &["if", "else", "if else"],
        "if c { … } else if d { … } else { … }   or, in an expression,   a if c else b",
        "The first branch whose condition holds. A tensor as a condition must have one element; where(c, a, b) chooses element \
         by element.",
        &["x = 3\nif x > 2 { y = \"big\" } else { y = \"small\" }\ny", "1 if False else 2"],
        &["where", "while"],
    ),
    word(
        &["for"],
        "for name in xs { … }   or, in a list,   [expr for name in xs if c]",
        "Walks a range, a list, a string, the first axis of a tensor (views), or the names of an archive. The name stays after \
         the loop, a comprehension has its own.",
        &["total = 0\nfor i in 0..4 { total += i }\ntotal", "[row.sum() for row in arange(6).reshape(2, 3)]"],
        &["break", "continue", "while", ".."],
    ),
    word(
        &["while"],
        "while c { … }",
        "Repeats while the condition holds.",
        &["n = 1\nwhile n < 100 { n *= 3 }\nn"],
        &["for", "break"],
    ),
    word(
        &["break"],
        "break",
        "Ends the innermost loop.",
        &["for i in 0..10 { if i * i > 10 { break } }\ni"],
        &["continue", "for"],
    ),
    word(
        &["continue"],
        "continue",
        "Goes on with the next turn of the innermost loop.",
        &["odd = []\nfor i in 0..6 {\n    if i % 2 == 0 { continue }\n    odd.append(i)\n}\nodd"],
        &["break", "for"],
    ),
    word(
        &["assert"],
        "assert expr, \"message\"",
        "Fails with the source and the values shown unless the value is true.",
        &["x = arange(3)\nassert x.sum() == 3, \"sums\"\n\"fine\""],
        &["if"],
    ),
    word(
        &["import", "as"],
        "import \"util.tsk\" as u",
        "Runs another script once, in its own scope; its names are u.name. The path starts at the importing file.",
        &[],
        STATEMENTS,
    ),
    word(
        &["del"],
        "del x",
        "Drops a binding, and the storage when it was the last user.",
        &["x = 1\ndel x\n\"gone\""],
        STATEMENTS,
    ),
    word(
        &["explain"],
        "explain expr",
        "Shows the plan of a pending value without running it: kernels, what each reads and writes, what is copied and why. Of \
         a computed value, how it came about.",
        &["a = ones(4, 3)\nexplain sum(relu(a * 2 - 1), axis=0)"],
        &["plans", "cost", "why_copy"],
    ),
    word(
        &["and"],
        "a and b",
        "The left value where it is false, the right one otherwise; the right one is not evaluated then. Elementwise it is `&`.",
        &["True and 0", "x = array([1, 5, 9])\n(x > 2) & (x < 8)"],
        &["or", "not", "&"],
    ),
    word(
        &["or"],
        "a or b",
        "The left value where it is true, the right one otherwise. Elementwise it is `|`.",
        &["0 or \"other\""],
        &["and", "|"],
    ),
    word(&["not"], "not a", "True where the value is false. Elementwise it is `~`.", &["not 0"], &["and", "~"]),
    word(
        &["in", "not in"],
        "a in b   or   a not in b   or   for x in xs",
        "Whether a list, tuple, string, range, tensor or archive holds a value. isin(x, values) asks for each element.",
        &["3 in [1, 2, 3]", "\"w\" not in record(w=1)", "isin(array([1, 5]), [5, 6])"],
        &["isin", "for"],
    ),
    word(&["True", "False"], "True, False", "The bools.", &["array([True, False])"], &["bool", "and"]),
    word(
        &["None"],
        "None",
        "No value: shows nothing. As an index it adds an axis of extent 1.",
        &["arange(3)[:, None].shape"],
        &["newaxis", "indexing"],
    ),
    word(
        &["|>", "pipe"],
        "value |> f   or   value |> f(more)",
        "Calls what stands at its right with the value as first argument.",
        &["arange(6) |> reshape(2, 3) |> sum(axis=0)"],
        &["lambda"],
    ),
    word(
        &["..", "range"],
        "a .. b",
        "The integers from a to before b, as range(a, b).",
        &["[i for i in 0..4]"],
        &["range", "for"],
    ),
    word(
        &["f()", "()", "call"],
        "f(a, k=b)   or   x.f(a)",
        "Calls a function; x.f(a) is f(x, a). *xs gives the elements of xs as arguments.",
        &["xs = [2, 3]\nzeros(*xs).shape", "arange(3).sum()"],
        &["fn"],
    ),
    word(
        &["x[]", "[]", "index"],
        "x[i, a:b:s, ..., None]",
        "Elements and slices: a view wherever one exists. [a, b] without a value in front is a list.",
        &["x = arange(12).reshape(3, 4)\nx[1:, ::2]", "x = arange(5)\nx[[0, 3]]"],
        &["indexing", "take", "where"],
    ),
    word(
        &["x.name", ".", "attribute"],
        "x.name",
        "An attribute of a tensor, a field of a record, a tensor of an archive, a name of a module; or a function called as a method, x.f(a).",
        &["zeros(2, 3).T.shape", "record(a=1).a"],
        &["attributes"],
    ),
    word(
        &["=", "assignment"],
        "x = expr, a, b = expr, x[i] = expr",
        "Binds names (never copies), or writes in place through a view: every alias and view sees it. The target's dtype and shape stay.",
        &["x = zeros(4)\ny = x[1:3]\ny[:] = 7\nx", "a, *rest = [1, 2, 3]\nrest"],
        &["views and copies", "+=", "copy"],
    ),
    word(
        &["+=", "-=", "*=", "/=", "//=", "%=", "@=", "**=", "&=", "|=", "^=", "<<=", ">>="],
        "x += expr, x[i] += expr",
        "Computes and writes in place: every alias and view sees it. What does not fit the target's kind (a float into an \
         integer tensor) is an error; numbers and strings are bound anew.",
        &["x = arange(3)\ny = x\ny += 10\nx"],
        &["=", "views and copies"],
    ),
    word(&["..."], "x[..., 0]", "As many whole axes as are left.", &["zeros(2, 3, 4)[..., 0].shape"], &["indexing"]),
    word(
        &["?", "hole"],
        "f(x, ?)   or   x @ ?",
        "Stands for a value that is still to come: it is reported what would fit there. Nothing is computed.",
        &["reshape(arange(24), 4, ?)", "x = ones(2, 3)\nw = ones(3, 5)\nx @ ?"],
        &["E0114"],
    ),
    word(&["#", "comment"], "# text", "A comment, up to the end of the line.", &["1 + 1  # two"], STATEMENTS),
    word(&[";"], "expr;", "Ends a statement; behind an expression it suppresses the display.", &["1; 2"], STATEMENTS),
    word(
        &["f\"\"", "f-string", "fstring", "f-strings"],
        "f\"{expr:spec}\"",
        "Text with values in braces, Python's format specs, {x=} and {x!r}.",
        &["x = 2 / 3\nf\"{x:.3f} of {x=}\""],
        &["format", "print"],
    ),
    word(&["pi"], "pi", "The ratio of a circle's circumference to its diameter.", &["pi"], &["e", "sin"]),
    word(&["e"], "e", "The base of the natural logarithm.", &["e"], &["exp", "pi"]),
    word(&["inf"], "inf", "Infinity.", &["-inf < 0"], &["nan", "isinf"]),
    word(&["nan"], "nan", "Not a number: unequal to everything, itself too.", &["nan == nan"], &["isnan", "inf"]),
    word(
        &["newaxis"],
        "newaxis",
        "None as an index: a new axis of extent 1.",
        &["arange(3)[newaxis].shape"],
        &["expand_dims", "indexing"],
    ),
];

/// The keywords, each once.
pub(super) fn keywords() -> impl Iterator<Item = &'static str> + Clone {
    let all = crate::lang::KEYWORDS.iter().chain(crate::lang::operators::STATEMENT_KEYWORDS);
    // `and`, `or` and their kin are listed with the operators.
    all.copied().filter(|word| OPERATORS.iter().all(|o| o.symbol != *word))
}

/// The symbols of the operators, each once, loosest first.
pub(super) fn operator_symbols() -> Vec<&'static str> {
    let mut symbols: Vec<&str> = Vec::new();
    for operator in OPERATORS {
        if !symbols.contains(&operator.symbol) {
            symbols.push(operator.symbol);
        }
    }
    symbols
}

/// The page of an operator's symbol, a keyword or a constant.
pub(super) fn page(name: &str) -> Option<Page> {
    let rows: Vec<&Operator> = OPERATORS.iter().filter(|o| o.symbol == name).collect();
    let word = WORDS.iter().find(|w| w.names.contains(&name));
    match (rows.as_slice(), word) {
        ([], None) => None,
        ([], Some(word)) => Some(of_word(word)),
        (rows, word) => Some(of_operator(name, rows, word)),
    }
}

fn of_word(word: &Word) -> Page {
    let mut page = Page::new(word.names[0], Kind::Keyword, word.form);
    page.text(word.help);
    page.examples(word.examples);
    page.see(word.see);
    page
}

fn of_operator(symbol: &str, rows: &[&Operator], word: Option<&Word>) -> Page {
    let forms: Vec<String> = rows.iter().map(|o| written(o)).collect();
    let title = word.map_or_else(|| forms.join("   or   "), |w| w.form.to_owned());
    let mut page = Page::new(symbol, Kind::Operator, title);
    match word {
        Some(word) => page.text(word.help),
        None => {
            let lines: Vec<String> = rows.iter().map(|o| format!("{}: {}.", written(o), o.meaning)).collect();
            page.text(lines.join("\n"));
        }
    }
    for row in rows {
        page.fact("binds", binding(row));
    }
    let Some(word) = word else {
        let mut see = vec!["operators"];
        for func in rows.iter().filter_map(|o| func::lookup(Symbol::new(o.name))) {
            page.fact("gives", gives(func));
            elsewhere(&mut page, &func.doc);
            page.examples(func.doc.examples);
            see.push(func.doc.name);
            see.extend(func.doc.see);
        }
        page.see(&see);
        return page;
    };
    page.examples(word.examples);
    page.see(word.see);
    page
}

/// `x + y`, `-x`
fn written(row: &Operator) -> String {
    match row.form {
        Form::Unary(_) => format!("{}x", row.symbol),
        Form::Syntax if !row.symbol.starts_with(|c: char| c.is_ascii_punctuation()) => row.symbol.to_owned(),
        _ => format!("x {} y", row.symbol),
    }
}

/// Its neighbours in the order of binding.
fn binding(row: &Operator) -> String {
    let at = |level: u16| {
        let symbols: Vec<&str> = OPERATORS.iter().filter(|o| o.level == level).map(|o| o.symbol).collect();
        symbols.join(" ")
    };
    let levels = || OPERATORS.iter().map(|o| o.level);
    let looser = levels().filter(|l| *l < row.level).max().map(|l| format!("tighter than {}", at(l)));
    let tighter = levels().filter(|l| *l > row.level).min().map(|l| format!("looser than {}", at(l)));
    let said: Vec<String> = looser.into_iter().chain(tighter).collect();
    let which = if matches!(row.form, Form::Unary(_)) { "the sign: " } else { "" };
    format!("{which}{}", said.join(", "))
}

/// All operators by how tightly they bind.
pub(super) fn operators() -> Page {
    let mut page = Page::new("operators", Kind::Topic, "Operators, loosest first");
    let mut lines: Vec<String> = Vec::new();
    let mut last = None;
    for row in OPERATORS {
        let gap = if last.is_some_and(|l| l != row.level) { "\n" } else { "" };
        last = Some(row.level);
        lines.push(format!("{gap}{:<8} {}", row.symbol, row.meaning));
    }
    page.text(lines.join("\n"));
    page.text("Operators of one block bind alike. ** groups to the right, comparisons chain (a < b < c), all others group to the left.");
    page.text("& | ^ bind tighter than comparisons: write (x > 0) & (x < 5).");
    page
}
