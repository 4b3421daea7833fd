//! Sentences for syntax errors: what was found, what was expected, and the mistake it probably is.

use super::grammar::{Oops, Wanted};
use super::statement::Piece;
use crate::base::{Diag, Span, foreign};
use crate::lang::ast::BinaryOp;
use crate::lang::token::Token;

/// The tokens around a failed parse.
struct Scene<'t> {
    text: &'t str,
    piece: Piece<'t>,
    /// Index of the token that does not fit; the end of the piece where something is missing.
    at: usize,
}

impl<'t> Scene<'t> {
    fn token(&self, at: usize) -> Option<(Token, Span)> {
        if (self.piece.from..self.piece.to).contains(&at) { self.piece.all.tokens.get(at).copied() } else { None }
    }

    fn found(&self) -> Option<(Token, Span)> {
        self.token(self.at)
    }

    /// The `n`th token before the fault, counted from 1.
    fn before(&self, n: usize) -> Option<(Token, Span)> {
        self.token(self.at.checked_sub(n)?)
    }

    fn snippet(&self, span: Span) -> String {
        snippet(self.text, span)
    }

    /// Where the fault shows: the token, or the last one before the end.
    fn place(&self) -> Span {
        self.found().or(self.before(1)).map_or(self.piece.span, |(_, span)| span)
    }

    /// The innermost bracket of the piece that is open at the fault, and what stands before it.
    fn bracket(&self) -> Option<(Token, Option<Token>)> {
        let mut depth = 0usize;
        for i in (self.piece.from..self.at).rev() {
            let (token, _) = self.token(i)?;
            if token.closes() {
                depth += 1;
            } else if token.opens() && depth == 0 {
                return Some((token, i.checked_sub(1).and_then(|i| self.token(i)).map(|(t, _)| t)));
            } else if token.opens() {
                depth -= 1;
            }
        }
        None
    }
}

/// The text under a span in backticks, cut to a readable length.
fn snippet(text: &str, span: Span) -> String {
    let text = text.get(span.start as usize..span.end as usize).unwrap_or("");
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(24) {
        Some((cut, _)) => format!("`{}…`", &line[..cut]),
        None => format!("`{line}`"),
    }
}

fn adjacent(a: Span, b: Span) -> bool {
    a.end == b.start
}

/// The report of a failed parse.
pub fn describe(text: &str, piece: Piece<'_>, oops: &Oops) -> Diag {
    let tokens = piece.tokens();
    let at = if oops.found.is_none() {
        piece.to
    } else {
        piece.from + tokens.partition_point(|(_, span)| span.start < oops.span.start)
    };
    let scene = Scene { text, piece, at };
    foreign_operator(&scene)
        .or_else(|| brace(&scene))
        .or_else(|| assignment(&scene))
        .or_else(|| missing_value(&scene, oops))
        .or_else(|| side_by_side(&scene))
        .or_else(|| colon_or_comma(&scene))
        .or_else(|| keyword(&scene, oops))
        .unwrap_or_else(|| unexpected(&scene, oops))
}

fn foreign_operator(scene: &Scene) -> Option<Diag> {
    let (Token::Foreign | Token::Hole, span) = scene.found()? else {
        return None;
    };
    let theirs = scene.snippet(span);
    let hint = match theirs.trim_matches('`') {
        "&&" => "write `and`; elementwise it is `&`",
        "||" => "write `or`; elementwise it is `|`",
        "!" => "write `not`; elementwise it is `~`",
        "?" => "a choice is written `a if c else b`",
        "=>" => "a function without a name is written `lambda x: …`",
        "->" => "results are not annotated; a member is written `x.name`",
        ":=" => "bind the name in a statement of its own, with `=`",
        "===" => "write `==`",
        "!==" | "<>" => "write `!=`",
        _ => "operators are listed by `help(\"operators\")`",
    };
    Some(Diag::new("E0015", format!("{theirs} is no operator")).label(span, "").hint(hint))
}

fn brace(scene: &Scene) -> Option<Diag> {
    let (Token::LBrace, span) = scene.found()? else {
        return None;
    };
    let hint = "named values are written `record(a=1)`; a block needs a head such as `if` or `for`";
    Some(Diag::new("E0029", "braces hold statements, not values").label(span, "").hint(hint))
}

fn assignment(scene: &Scene) -> Option<Diag> {
    let (token, span) = scene.found()?;
    if !matches!(token, Token::Assign | Token::OpAssign(_)) {
        return None;
    }
    let found = scene.snippet(span);
    let value_missing = scene.before(1).is_none_or(|(t, _)| !t.ends_operand());
    if value_missing {
        return Some(Diag::new("E0010", format!("a value is missing before {found}")).label(span, ""));
    }
    if matches!(token, Token::OpAssign(_)) {
        let diag = Diag::new("E0013", format!("{found} is a statement and has no value")).label(span, "");
        return Some(diag.hint("write it on a line of its own"));
    }
    let diag = Diag::new("E0013", "`=` binds a name, but a value stands here").label(span, "");
    Some(diag.hint("to compare, write `==`"))
}

/// An operator or a head without its value.
fn missing_value(scene: &Scene, oops: &Oops) -> Option<Diag> {
    let found = scene.found();
    if !oops.wanted.has(Wanted::EXPRESSION)
        || found.is_some_and(|(t, _)| t.starts_operand() && t != Token::Not && t != Token::Lambda)
    {
        return None;
    }
    let (before, at) = scene.before(1).unwrap_or((Token::Newline, scene.place()));
    let increment = |n: usize| match (scene.before(n), scene.before(n + 1)) {
        (Some((Token::Op(a), x)), Some((Token::Op(b), y)))
            if a == b && matches!(a, BinaryOp::Add | BinaryOp::Sub) && adjacent(y, x) =>
        {
            Some((a.symbol(), y.to(x)))
        }
        _ => None,
    };
    if let (None, Some((sign, span))) = (found, increment(1)) {
        let diag = Diag::new("E0015", format!("there is no `{sign}{sign}`")).label(span, "");
        return Some(diag.hint(format!("write `x {sign}= 1`")));
    }
    if let Some((token @ (Token::Not | Token::Lambda), span)) = found {
        let word = if token == Token::Not { "not" } else { "lambda" };
        let diag = Diag::new("E0010", format!("`{word}` binds looser than what stands before it")).label(span, "");
        return Some(diag.hint(format!("parenthesise it: `({word} …)`")));
    }
    let missing = if takes_value(before) {
        format!("an expression is missing after {}", scene.snippet(at))
    } else {
        "an expression is missing".to_owned()
    };
    let Some((token, span)) = found else {
        return Some(Diag::new("E0010", missing).label(at, "nothing follows"));
    };
    if token.is_keyword() && !matches!(token, Token::And | Token::Or | Token::In | Token::NotIn | Token::Else) {
        return None;
    }
    if token == Token::Dot && scene.before(1).is_none() {
        let diag = Diag::new("E0010", "a value is missing before `.`").label(span, "");
        return Some(diag);
    }
    let diag = Diag::new("E0010", missing).label(span, format!("found {}", scene.snippet(span)));
    Some(match token {
        Token::Op(BinaryOp::Pow) if before == Token::LParen || before == Token::Comma => {
            diag.hint("keyword arguments are given one by one: `f(a=1)`")
        }
        Token::Op(BinaryOp::Mul) => diag.hint("`*xs` stands in calls, lists, tuples and targets"),
        _ => diag,
    })
}

fn takes_value(token: Token) -> bool {
    !token.closes() && !token.ends_operand() && !matches!(token, Token::Newline | Token::Semi)
}

/// Two values with nothing between them.
fn side_by_side(scene: &Scene) -> Option<Diag> {
    let ((token, span), (before, at)) = (scene.found()?, scene.before(1)?);
    if token == Token::For && before.ends_operand() && matches!(scene.bracket(), Some((Token::LParen, _))) {
        let diag = Diag::new("E0001", "a comprehension stands in `[ ]`").label(span, "found `for`");
        return Some(diag.hint("write `[… for … in …]`"));
    }
    if !before.ends_operand() || !token.starts_operand() {
        return None;
    }
    if matches!(token, Token::Float(_)) && adjacent(at, span) && scene.snippet(span).starts_with("`.") {
        let digits = scene.snippet(span).trim_matches(['`', '.']).to_owned();
        let diag = Diag::new("E0011", "behind `.` stands a name").label(span, "a number");
        return Some(diag.hint(format!("an element is written `x[{digits}]`")));
    }
    let pair = format!("{} follows {} directly", scene.snippet(span), scene.snippet(at));
    let diag = Diag::new("E0011", pair).label(span, "unexpected").label(at, "complete");
    if let (Token::Ident(_), Token::Str(_)) = (before, token)
        && adjacent(at, span)
    {
        let hint = match scene.snippet(at).trim_matches('`') {
            "r" | "R" => Some("there are no raw strings: a backslash is written `\\\\`"),
            "b" | "B" | "br" | "rb" => Some("there are no byte strings: `array([…], dtype=u8)` holds bytes"),
            "u" | "U" => Some("all strings are Unicode: leave the letter out"),
            _ => None,
        };
        if let Some(hint) = hint {
            return Some(diag.hint(hint));
        }
    }
    let strings =
        matches!(token, Token::Str(_) | Token::FString(_)) && matches!(before, Token::Str(_) | Token::FString(_));
    if scene.snippet(span) == "`of`" {
        return Some(diag.hint("a loop is written `for x in xs { … }`"));
    }
    Some(match scene.bracket() {
        _ if token == Token::Not || token == Token::Lambda => {
            diag.hint(format!("an operator is missing before {}", scene.snippet(span)))
        }
        Some(_) => diag.hint("a comma or an operator is missing between them"),
        None if strings => diag.hint("strings are joined with `+`"),
        None if matches!(before, Token::Ident(s) if s.as_str() == "print") => {
            diag.hint("a call has brackets: `print(…)`")
        }
        None => diag.hint("an operator is missing between them, or a newline or `;`"),
    })
}

fn colon_or_comma(scene: &Scene) -> Option<Diag> {
    let (token, span) = scene.found()?;
    match (token, scene.bracket()) {
        (Token::Comma, None) => Some(bare_tuple(span)),
        (Token::DotDot, _) => {
            let diag = Diag::new("E0032", "`..` does not chain").label(span, "second `..`");
            Some(diag.hint("a step is the third argument of `range(a, b, step)`"))
        }
        (Token::Colon, Some((Token::LBracket, Some(t)))) if t.ends_operand() => {
            let diag = Diag::new("E0028", "a slice has at most two colons").label(span, "one too many");
            Some(diag.hint("a slice is `start:stop:step`; a comma starts the next axis"))
        }
        (Token::Colon, bracket) => {
            let diag = Diag::new("E0001", "`:` has no meaning here").label(span, "");
            Some(match bracket {
                Some((Token::LParen, _)) => {
                    diag.hint("an argument is named with `=`; slices stand in `x[…]`, or are made with `slice(a, b)`")
                }
                Some(_) => diag.hint("a list holds no pairs; named values are written `record(a=1)`"),
                None => diag.hint("blocks stand in `{ }`"),
            })
        }
        _ => None,
    }
}

fn keyword(scene: &Scene, oops: &Oops) -> Option<Diag> {
    let (token, span) = scene.found()?;
    if !token.is_keyword() {
        return None;
    }
    let word = scene.snippet(span);
    if oops.wanted.has(Wanted::NAME) && !oops.wanted.has(Wanted::CLOSE) {
        let diag =
            Diag::new("E0014", format!("{word} is a keyword and cannot be a name")).label(span, "a name is expected");
        return Some(diag);
    }
    if !oops.wanted.has(Wanted::EXPRESSION) {
        return None;
    }
    let diag = Diag::new("E0014", format!("the keyword {word} cannot stand where a value is expected")).label(span, "");
    Some(match token {
        Token::If => diag.hint("a choice between values is written `a if c else b`"),
        Token::For => diag.hint("a list is made with `[f(x) for x in xs]`"),
        Token::Fn => diag.hint("a function without a name is written `lambda x: …`"),
        _ => diag,
    })
}

fn unexpected(scene: &Scene, oops: &Oops) -> Diag {
    let expected = expected(oops.wanted);
    let at = scene.place();
    match scene.found() {
        None => Diag::new("E0001", format!("something is missing: {expected}")).label(at, "behind this"),
        Some((_, span)) => Diag::new("E0001", format!("{} does not fit here", scene.snippet(span)))
            .label(span, format!("{expected} expected")),
    }
}

/// The set of what could stand at the place in words.
fn expected(wanted: Wanted) -> String {
    const WORDS: [(Wanted, &str); 10] = [
        (Wanted::ELSE, "`else` and a value"),
        (Wanted::IN, "`in`"),
        (Wanted::COLON, "`:`"),
        (Wanted::NAME, "a name"),
        (Wanted::DIMENSION, "an extent: a number, a name, `_` or `...`"),
        (Wanted::EXPRESSION, "an expression"),
        (Wanted::COMMA, "`,`"),
        (Wanted::CLOSE, "a closing bracket"),
        (Wanted::ASSIGN, "`=`"),
        (Wanted::END, "the end of the statement"),
    ];
    let words: Vec<&str> = WORDS.iter().filter(|(w, _)| wanted.has(*w)).map(|(_, text)| *text).take(3).collect();
    match words.split_last() {
        None => "an operator or the end of the statement".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// A statement that starts like one of another language.
pub fn foreign_statement(text: &str, line: Piece<'_>) -> Option<Diag> {
    let tokens = line.tokens();
    if tokens.first().is_some_and(|(t, _)| *t == Token::LBrace) {
        let diag = Diag::new("E0029", "this block has no head").label(tokens[0].1, "");
        return Some(diag.hint("blocks belong to `if`, `else`, `for`, `while` and `fn`, on the same line"));
    }
    if let Some((Token::Else, span)) = tokens.first() {
        let diag = Diag::new("E0001", "this `else` belongs to no `if`").label(*span, "");
        return Some(diag.hint("it follows the `}` of an `if`"));
    }
    let (Token::Ident(word), span) = *tokens.first()? else {
        return None;
    };
    let (next, _) = *tokens.get(1)?;
    let statement = matches!(next, Token::Ident(_) | Token::Str(_) | Token::Colon | Token::LBrace)
        || (word.as_str() == "elif" && (next.starts_operand() || matches!(next, Token::Op(_))));
    if !statement {
        return None;
    }
    let annotated = next == Token::Colon && !matches!(tokens.last(), Some((Token::Colon, _)));
    let hint = match word.as_str() {
        _ if annotated => return None,
        "def" | "function" | "func" | "fun" => "a function is written `fn f(x) { … }` or `fn f(x) = …`",
        "elif" | "elsif" | "elseif" => "the chain goes on with `else if … { … }`",
        "let" | "var" | "const" | "val" | "mut" | "global" | "nonlocal" => "a name is bound with `=` alone",
        "class" | "struct" => "named values are made with `record(a=1)`",
        "try" | "except" | "finally" | "raise" | "throw" => "there are no exceptions; `assert` checks a condition",
        "with" => "files are closed with `close(m)`",
        "from" | "use" | "using" | "include" | "require" => {
            "a script is imported with `import \"util.tsk\" as u`; NumPy's names are there already"
        }
        "switch" | "match" | "case" => "choices are written `if … { } else if … { }`",
        "loop" | "do" | "until" | "foreach" => "loops are written `while c { }` and `for x in xs { }`",
        "pass" => "an empty block is `{ }`",
        _ => return None,
    };
    let diag = Diag::new("E0016", format!("{} starts no statement", snippet(text, span))).label(span, "");
    Some(diag.hint(hint))
}

/// A head without a block.
pub fn no_block(text: &str, line: Piece<'_>, head: Piece<'_>, what: &str) -> Diag {
    let first = line.extent();
    let place = head.tokens().last().map_or(first, |(_, span)| *span);
    let colon = head.tokens().iter().find(|(t, _)| *t == Token::Colon).map(|(_, span)| *span);
    if let (Some(colon), true) = (colon, what != "fn" || matches!(head.tokens().first(), Some((Token::Colon, _)))) {
        let diag = Diag::new("E0016", format!("the block of `{what}` stands in braces, not behind `:`"));
        return diag.label(colon, "`{` expected").hint(form(what));
    }
    if let Some((Token::Foreign, span)) = head.tokens().first() {
        let diag = Diag::new("E0015", format!("{} has no meaning here", snippet(text, *span))).label(*span, "");
        return diag.hint("results are not annotated");
    }
    let place = Span { start: place.start, ..place };
    Diag::new("E0017", format!("the block of `{what}` is missing"))
        .label(place, "`{` expected behind this")
        .hint(form(what))
}

fn form(what: &str) -> &'static str {
    match what {
        "if" => "write `if c { … }`",
        "else" => "write `else { … }` or `else if c { … }`",
        "for" => "write `for x in xs { … }`",
        "while" => "write `while c { … }`",
        _ => "write `fn f(x) = …` or `fn f(x) { … }`",
    }
}

pub fn late_block(span: Span) -> Diag {
    Diag::new("E0017", "the `{` of a block stands on the line of its head").label(span, "move it up")
}

/// Text between the end of a block (or of `break`) and the end of its line.
pub fn behind_block(text: &str, tail: Piece<'_>) -> Diag {
    let span = tail.tokens().first().map_or(tail.span, |(_, span)| *span);
    let diag = Diag::new("E0034", format!("{} follows the end of the statement", snippet(text, span))).label(span, "");
    match tail.tokens().first() {
        Some((Token::Ident(s), _)) if s.as_str().starts_with("el") => {
            diag.hint("the chain goes on with `else if … { … }`")
        }
        _ => diag.hint("a newline or `;` is missing"),
    }
}

pub fn outside(line: Piece<'_>, code: &'static str, word: &str, place: &str) -> Diag {
    let span = line.tokens().first().map_or(line.span, |(_, span)| *span);
    Diag::new(code, format!("`{word}` outside {place}")).label(span, "")
}

pub fn bare_tuple(span: Span) -> Diag {
    let diag = Diag::new("E0031", "a tuple needs brackets here").label(span, "");
    diag.hint("write `(a, b)`; without brackets it stands at the right of `=` and behind `return`")
}

pub fn keyword_target(line: Piece<'_>, word: &str) -> Diag {
    let span = line.tokens().first().map_or(line.span, |(_, span)| *span);
    let diag = Diag::new("E0014", format!("`{word}` is a keyword at the start of a statement"));
    diag.label(span, "cannot be a name here")
}

/// `fn` without name or parameters.
pub fn function_head(text: &str, line: Piece<'_>) -> Diag {
    let tokens = line.tokens();
    let (next, span) = match tokens.get(1) {
        Some((t, s)) => (Some(*t), *s),
        None => (None, line.extent()),
    };
    match next {
        Some(Token::Assign | Token::OpAssign(_)) => Diag::new("E0014", "`fn` is a keyword and cannot be a name")
            .label(tokens[0].1, "defines a function")
            .hint(form("fn")),
        Some(t) if t.is_keyword() => {
            Diag::new("E0014", format!("{} is a keyword and cannot be a name", snippet(text, span))).label(span, "")
        }
        Some(Token::Ident(_)) => Diag::new("E0001", "the parameters of the function are missing")
            .label(span, "`(` expected behind this")
            .hint(form("fn")),
        Some(Token::LParen) => Diag::new("E0001", "the function has no name")
            .label(span, "a name is expected")
            .hint("a function without a name is written `lambda x: …`"),
        _ => Diag::new("E0001", "the name of the function is missing").label(span, "").hint(form("fn")),
    }
}

pub fn import_form(line: Piece<'_>) -> Diag {
    let tokens = line.tokens();
    let fits = |i: usize, t: Token| match i {
        0 => true,
        1 => matches!(t, Token::Str(_)),
        2 => t == Token::As,
        3 => matches!(t, Token::Ident(_)),
        _ => false,
    };
    let wrong = tokens.iter().enumerate().find(|(i, (t, _))| !fits(*i, *t)).map(|(_, (_, span))| *span);
    let diag =
        Diag::new("E0001", "an import names a file and what to call it").label(wrong.unwrap_or(line.extent()), "");
    match tokens.get(1) {
        Some((Token::Ident(name), _)) if foreign::library(name.as_str()) => {
            diag.hint(format!("the functions of `{name}` are here without an import: `ones(3)`"))
        }
        _ => diag.hint("write `import \"util.tsk\" as u`"),
    }
}

pub fn del_form(span: Span) -> Diag {
    Diag::new("E0001", "`del` takes names")
        .label(span, "")
        .hint("write `del x` or `del x, y`; elements of a list go with `pop`")
}
