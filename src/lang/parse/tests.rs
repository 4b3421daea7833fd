use super::*;
use crate::lang::ast::*;

fn ok(text: &str) -> Vec<Stmt> {
    let parsed = parse(SourceId(0), text);
    assert_eq!(parsed.errors, [], "{text}");
    parsed.script
}

fn codes(text: &str) -> Vec<&'static str> {
    parse(SourceId(0), text).errors.iter().map(|e| e.code).collect()
}

/// An expression in full brackets, for tests of grouping.
fn shape(text: &str) -> String {
    match &ok(text)[..] {
        [Stmt { kind: StmtKind::Expr(e), .. }] => tree(e),
        other => panic!("{text}: {other:?}"),
    }
}

fn tree(e: &Expr) -> String {
    use ExprKind::*;
    match &e.kind {
        Int(v) => v.to_string(),
        MinInt => "min".into(),
        Float(v) => format!("{v:?}"),
        Imag(v) => format!("{v:?}j"),
        Str(s) => format!("{s:?}"),
        FString(parts) => format!("f{parts:?}"),
        True => "True".into(),
        False => "False".into(),
        None => "None".into(),
        Name(s) => s.to_string(),
        Ellipsis => "...".into(),
        Hole => "?".into(),
        Tuple(items) => format!("tuple({})", list(items)),
        List(items) => format!("[{}]", list(items)),
        Star(e) => format!("*{}", tree(e)),
        Comprehension { element, clauses } => format!("[{} × {}]", tree(element), clauses.len()),
        Lambda(def) => match &def.body {
            FnBody::Expr(e) => format!("(λ{} {})", def.params.len(), tree(e)),
            FnBody::Block(_) => panic!("a lambda has no block"),
        },
        Unary { op, operand, .. } => format!("({}{})", op.symbol(), tree(operand)),
        Binary { op, lhs, rhs, .. } => format!("({} {} {})", tree(lhs), op.symbol(), tree(rhs)),
        Compare { first, rest } => {
            let rest: String = rest.iter().map(|(op, _, e)| format!(" {} {}", op.symbol(), tree(e))).collect();
            format!("({}{rest})", tree(first))
        }
        And(a, b) => format!("({} and {})", tree(a), tree(b)),
        Or(a, b) => format!("({} or {})", tree(a), tree(b)),
        Not(e) => format!("(not {})", tree(e)),
        Range(a, b) => format!("({} .. {})", tree(a), tree(b)),
        IfElse { cond, then, otherwise } => format!("({} ? {} : {})", tree(cond), tree(then), tree(otherwise)),
        Pipe { value, func } => format!("({} |> {})", tree(value), tree(func)),
        Call { callee, args } => {
            let args: Vec<_> = args
                .iter()
                .map(|a| match a.name {
                    Some(n) => format!("{}={}", n.symbol, tree(&a.value)),
                    std::option::Option::None => tree(&a.value),
                })
                .collect();
            format!("{}({})", tree(callee), args.join(", "))
        }
        Index { base, items } => {
            let bound = |e: &Option<Expr>| e.as_ref().map(tree).unwrap_or_default();
            let items: Vec<_> = items
                .iter()
                .map(|i| match i {
                    IndexItem::Expr(e) => tree(e),
                    IndexItem::Slice { start, stop, step, .. } => {
                        format!("{}:{}:{}", bound(start), bound(stop), bound(step))
                    }
                })
                .collect();
            format!("{}[{}]", tree(base), items.join(", "))
        }
        Attr { base, name } => format!("{}.{}", tree(base), name.symbol),
    }
}

fn list(items: &[Expr]) -> String {
    items.iter().map(tree).collect::<Vec<_>>().join(", ")
}

#[test]
fn numbers_beside_dots_and_colons() {
    for (text, want) in [
        ("x[0:128]", "x[0:128:]"),
        ("x[1.:]", "x[1.0::]"),
        ("1..2", "(1 .. 2)"),
        ("1. .real", "1.0.real"),
        ("3-3", "(3 - 3)"),
        ("-9223372036854775808", "min"),
        ("x[::-1]", "x[::(-1)]"),
        ("x[1:2:3, ..., None, -1]", "x[1:2:3, ..., None, (-1)]"),
        ("x[(0, 1)]", "x[0, 1]"),
        ("x[0, 1,]", "x[0, 1]"),
        ("x[()]", "x[]"),
        ("x[(0, 1),]", "x[tuple(0, 1)]"),
        ("x[lambda: 1:2]", "x[(λ0 1):2:]"),
    ] {
        assert_eq!(shape(text), want, "{text}");
    }
    assert_eq!(codes("2.3e"), ["E0007"]);
    assert_eq!(codes("a.0"), ["E0011"]);
    assert_eq!(codes("x[]"), ["E0010"]);
}

#[test]
fn operators_group_as_the_table_says() {
    for (text, want) in [
        ("-x ** 2", "(-(x ** 2))"),
        ("2 ** -1", "(2 ** (-1))"),
        ("2 ** 3 ** 2", "(2 ** (3 ** 2))"),
        ("2 ** -x ** 2 * 3", "((2 ** (-(x ** 2))) * 3)"),
        ("-x @ y", "((-x) @ y)"),
        ("~a & b | c ^ d", "(((~a) & b) | (c ^ d))"),
        ("1 << 2 + 1", "(1 << (2 + 1))"),
        ("a - b - c", "((a - b) - c)"),
        ("a < b <= c != d", "(a < b <= c != d)"),
        ("a not in b", "(a not in b)"),
        ("not a in b", "(not (a in b))"),
        ("not not a and b or c", "(((not (not a)) and b) or c)"),
        ("0..n + 1 == r", "((0 .. (n + 1)) == r)"),
        ("a | b..c", "((a | b) .. c)"),
        ("a if c else b if d else e", "(c ? a : (d ? b : e))"),
        ("(a if c else b) if d else e", "(d ? (c ? a : b) : e)"),
        ("a or b if c and d else e", "((c and d) ? (a or b) : e)"),
        ("lambda x: x + 1 if x else y |> f", "(λ1 ((x ? (x + 1) : y) |> f))"),
        ("a if c else lambda: b |> f", "(c ? a : (λ0 (b |> f)))"),
        ("lambda x, y=2: lambda: x", "(λ2 (λ0 x))"),
        ("a |> f |> g(1) |> m.h", "(((a |> f) |> g(1)) |> m.h)"),
        ("a if c else b |> f", "((c ? a : b) |> f)"),
        ("-3 |> abs", "((-3) |> abs)"),
        ("-x.f(1)[0].T ** 2", "(-(x.f(1)[0].T ** 2))"),
    ] {
        assert_eq!(shape(text), want, "{text}");
    }
}

#[test]
fn brackets_commas_and_stars() {
    for (text, want) in [
        ("()", "tuple()"),
        ("(1)", "1"),
        ("(1,)", "tuple(1)"),
        ("(1, 2,)", "tuple(1, 2)"),
        ("[]", "[]"),
        ("[1, 2,]", "[1, 2]"),
        ("[*a, b]", "[*a, b]"),
        ("(*a,)", "tuple(*a)"),
        ("f(1, *xs, k=2,)", "f(1, *xs, k=2)"),
        ("[x for x in xs if a if b for y in x]", "[x × 4]"),
        ("[i for i in 2..6 if i != 3]", "[i × 2]"),
        ("x.if.lambda", "x.if.lambda"),
        ("explain.x", "E0010"),
    ] {
        if want.starts_with('E') {
            assert_eq!(codes(text), [want], "{text}");
        } else {
            assert_eq!(shape(text), want, "{text}");
        }
    }
}

#[test]
fn lines_go_on_where_the_language_says() {
    for text in [
        "x = (1 +\n  2\n)",
        "x = 1 +\n2 *\n3",
        "x =\n  3",
        "f(a,\n\n  b\n)",
        "arange(6)\n  # a comment\n\n  .reshape(3, 2)\n  .sum(axis=0)",
        "x\n  |> f\n  |> g",
        "a |>\n f",
        "f = lambda x:\n  x + 1",
        "y = a if c\n  else b",
        "y = a if c else\n  b",
        "a and\nb or\nc in\nd",
        "if a { b }\n\n# then\nelse { c }",
        "if a {\n  b\n} else if c {\n  d\n}\nelse {\n}",
        "x = 3\r",
        "x -=\n 3",
    ] {
        assert_eq!(ok(text).len(), 1, "{text}");
    }
    assert_eq!(ok("x = 1\r\ny = 2\r\n").len(), 2);
    assert_eq!(ok("\u{feff}x = 1").len(), 1);
    assert_eq!(ok("a; b;; c;\n;").len(), 3);
    assert_eq!(ok("x\n[1]").len(), 2);
    assert_eq!(ok("x\n-1").len(), 2);
    assert_eq!(ok("x\n.5").len(), 2);
    assert_eq!(ok("fn f(x) { a\nb; c }").len(), 1);
    let quiet: Vec<bool> = ok("a; b\nc;").iter().map(|s| s.quiet).collect();
    assert_eq!(quiet, [true, false, true]);
}

#[test]
fn blocks_hold_statements() {
    let script = ok("fn f(x) {\n  if x { return 1 } else if x > 2 { for a, (b, *c) in x { break } }\n  x; y\n}");
    let StmtKind::Fn(def) = &script[0].kind else { panic!() };
    let FnBody::Block(block) = &def.body else { panic!() };
    assert_eq!(block.len(), 3);
    let StmtKind::If { arms, otherwise } = &block[0].kind else { panic!() };
    assert_eq!((arms.len(), otherwise), (2, &None));
    assert!(block[1].quiet && !block[2].quiet);
}

#[test]
fn assignments_and_their_targets() {
    let script = ok("a = b, (c, *d) = x[0] = y\nx: f32[n, _, 4, ...] = 1\nx[1] += 2\nr.a *= 3\n[p, q] = 1, 2");
    let StmtKind::Assign { targets, .. } = &script[0].kind else { panic!() };
    assert_eq!(targets.len(), 3);
    let StmtKind::Assign { annotation: Some(a), .. } = &script[1].kind else { panic!() };
    assert_eq!(a.dims.as_ref().map(Vec::len), Some(4));
    for text in
        ["1 = x", "f(1) = 3", "True = 3", "a + 1 = 2", "x.real = v", "*a, *b = c", "(a, b) += 1", "*a = b", "a, 1 = b"]
    {
        assert_eq!(codes(text), ["E0012"], "{text}");
    }
    assert_eq!(codes("a, b: f32 = 1"), ["E0033"]);
    assert_eq!(codes("x: f32[..., ...] = 1"), ["E0033"]);
}

#[test]
fn each_mistake_has_its_code() {
    for (text, want) in [
        ("x = (1 + 2", "E0002"),
        ("fn f() {\n y = (1\n}", "E0002"),
        ("f(x]", "E0003"),
        ("x = 1)", "E0004"),
        ("x = \"abc\ny = 2", "E0005"),
        ("x = \"\\x4\"", "E0006"),
        ("x = 1__0", "E0007"),
        ("99999999999999999999", "E0008"),
        ("x = 3 § 4", "E0009"),
        ("x = “a”", "E0009"),
        ("x = 1 +", "E0010"),
        ("x = * 3", "E0012"),
        ("f(**k)", "E0010"),
        ("a == not b", "E0010"),
        ("x |> lambda y: y", "E0010"),
        ("x = ", "E0010"),
        ("x = [1 2]", "E0011"),
        ("x y", "E0011"),
        ("print 3", "E0011"),
        ("if x = 3 { }", "E0013"),
        ("f(a[0] = 1)", "E0013"),
        ("fn = 3", "E0014"),
        ("fn if(x) = 3", "E0014"),
        ("fn f(in) = 3", "E0014"),
        ("x = if a { }", "E0014"),
        ("explain = 3", "E0014"),
        ("a && b", "E0015"),
        ("a || b", "E0015"),
        ("!a", "E0015"),
        ("x++", "E0015"),
        ("x--", "E0015"),
        ("def f(x):\n  return x", "E0016"),
        ("if a:\n  b", "E0016"),
        ("for i in x:\n  print(i)\n  break", "E0016"),
        ("if a { }\nelif b { }", "E0016"),
        ("let x = 3", "E0016"),
        ("if a\n{ b }", "E0017"),
        ("fn f(x)", "E0017"),
        ("while 1", "E0017"),
        ("break", "E0018"),
        ("while 1 { fn f() { break } }", "E0018"),
        ("if 1 { return }", "E0019"),
        ("fn f(x, x) = 1", "E0020"),
        ("lambda x, x: 1", "E0020"),
        ("fn f(x=1, y) = 1", "E0021"),
        ("f(k=1, 2)", "E0022"),
        ("f(k=1, k=2)", "E0023"),
        ("f\"{x\"", "E0027"),
        ("f\"{}\"", "E0027"),
        ("f\"}\"", "E0027"),
        ("f\"{x!q}\"", "E0027"),
        ("x[1:2:3:4]", "E0028"),
        ("x = {1: 2}", "E0029"),
        ("{ a }", "E0029"),
        ("a, b", "E0031"),
        ("explain a, b", "E0031"),
        ("1..2..3", "E0032"),
        ("if a { } x = 1", "E0034"),
        ("break 3", "E0018"),
        ("else { }", "E0001"),
        ("import \"a\"", "E0001"),
        ("del x[0]", "E0001"),
        ("sum(x for x in xs)", "E0001"),
        ("a if b", "E0001"),
        ("x: 3 = 4", "E0001"),
        ("f(a: 3)", "E0001"),
        ("1 = = 2", "E0010"),
    ] {
        let found = codes(text);
        assert_eq!(found.first(), Some(&want), "{text}: {:?}", parse(SourceId(0), text).errors);
        assert!(found.len() == 1 || text.contains("break 3"), "{text}: {found:?}");
    }
}

#[test]
fn every_code_is_explained_once() {
    use crate::lang::codes::CODES;
    assert!(CODES.windows(2).all(|w| w[0].0 < w[1].0));
    assert_eq!(codes("x = $"), ["E0009"]);
    assert!(crate::lang::codes::explain("E0011").is_some_and(|(_, title, _)| title.contains("comma")));
}

#[test]
fn all_faults_come_in_one_go() {
    let text = "a = (1 +)\nb = [1 2]\nfn f(x, x) {\n  y = )\n  1 = 2\n}\nprint(a\n";
    assert_eq!(codes(text), ["E0010", "E0011", "E0020", "E0004", "E0012", "E0002"]);
}

#[test]
fn f_strings() {
    let script = ok(r#"f"a{{{x + 1:>{w}.2f}}} {y = !s} {d["k"]} {f'{z}'} {lambda_(q)}""#);
    let StmtKind::Expr(Expr { kind: ExprKind::FString(parts), .. }) = &script[0].kind else { panic!() };
    assert_eq!(parts[0], FPart::Text("a{".into()));
    let FPart::Expr { expr, spec, .. } = &parts[1] else { panic!() };
    assert_eq!((tree(expr), spec.len()), ("(x + 1)".to_owned(), 3));
    let FPart::Expr { label, conversion, .. } = &parts[3] else { panic!() };
    assert_eq!((label.as_deref(), *conversion), (Some("y = "), Some('s')));
    assert!(matches!(&parts[7], FPart::Expr { expr: Expr { kind: ExprKind::FString(_), .. }, .. }));
    // The span of an inner expression is its place in the source.
    let script = ok("x = f\"é{abc}\"");
    let StmtKind::Assign { value: Expr { kind: ExprKind::FString(parts), .. }, .. } = &script[0].kind else { panic!() };
    let FPart::Expr { expr, .. } = &parts[1] else { panic!() };
    assert_eq!((expr.span.start, expr.span.end), (9, 12));
    assert!(shape("f'{x=}'").contains("conversion: Some('r')"));
    assert!(shape("f'{x == y}'").contains("label: None"));
    assert!(shape("f'{x != y!r}'").contains("Some('r')"));
    assert_eq!(ok("f'''{\nx +\ny\n}\n'''").len(), 1);
    assert_eq!(codes("f'{x +}'"), ["E0010"]);
    assert_eq!(codes("f'{(x}'"), ["E0027"]);
}

#[test]
fn strings_over_lines() {
    assert_eq!(shape("\"\"\"a\n\"b\" ''\n\"\"\""), r#""a\n\"b\" ''\n""#);
    assert_eq!(shape("'a\\\nb'"), "\"ab\"");
    assert_eq!(codes("'''a\n"), ["E0005"]);
}

#[test]
fn hostile_texts_end_in_one_report() {
    let time = std::time::Instant::now();
    let minus = "-".repeat(100_000) + "1";
    let parens = "(".repeat(100_000) + "1" + &")".repeat(100_000);
    let unary = "~-+".repeat(30_000) + "1";
    let spine = "x = 1".to_owned() + &"+1".repeat(50_000);
    for (text, code) in [
        ("f(x[(1 + ".repeat(10_000), "E0024"),
        ("f(x[(1 + ".repeat(20), "E0002"),
        ("(".repeat(100_000), "E0024"),
        (parens, "E0024"),
        ("[".repeat(100_000) + &"]".repeat(100_000), "E0024"),
        ("((((".repeat(10_000) + &"]".repeat(40_000), "E0024"),
        (minus, "E0024"),
        (unary, "E0024"),
        ("not ".repeat(100_000) + "x", "E0025"),
        ("lambda: ".repeat(100_000) + "x", "E0024"),
        ("a if b else ".repeat(50_000) + "x", "E0024"),
        ("2 ** ".repeat(100_000) + "x", "E0024"),
        (spine, "E0025"),
        ("x".to_owned() + &".a".repeat(50_000), "E0025"),
        ("x".to_owned() + &"[0]".repeat(50_000), "E0025"),
        ("x".to_owned() + &"()".repeat(50_000), "E0025"),
        ("x".to_owned() + &" |> f".repeat(50_000), "E0025"),
        ("a and ".repeat(50_000) + "b", "E0025"),
        ("if 1 {".repeat(50_000), "E0024"),
        ("f'{".repeat(10_000), "E0027"),
        ("\u{1}\u{2}§¶".repeat(10_000) + "\n§ x", "E0030"),
        ("§ x\n".repeat(10_000), "E0030"),
        ("x".repeat(MAX_LINE + 1), "E0026"),
    ] {
        let found = codes(&text);
        let head: String = text.chars().take(20).collect();
        assert_eq!(found.first(), Some(&code), "{head}");
        assert!(found.len() <= 2, "{head}: {found:?}");
    }
    assert!(time.elapsed().as_secs() < 20, "{:?}", time.elapsed());
}

#[test]
fn what_is_just_permitted_parses_and_drops() {
    ok(&("(".repeat(254) + "1" + &")".repeat(254)));
    ok(&("[".repeat(254) + "1" + &"]".repeat(254)));
    ok(&("f(x[".repeat(120) + "1" + &"])".repeat(120)));
    ok(&("-".repeat(250) + "1"));
    ok(&("lambda: ".repeat(250) + "1"));
    ok(&("a if b else ".repeat(250) + "x"));
    ok(&("if 1 {".repeat(250) + &"}".repeat(250)));
    let deep = ok(&("1".to_owned() + &"+1".repeat(9_990)));
    assert_eq!(deep.clone(), deep);
    ok(&("x".to_owned() + &"[0]".repeat(9_990)));
    ok(&("x".to_owned() + &".a".repeat(9_990)));
    ok(&("a or ".repeat(9_990) + "b"));
    ok(&format!("[{}]", "a ** 2 + -b, ".repeat(50_000)));
    ok(&"x = x ** 2 + y ** 2 - -z\n".repeat(1_000));
    ok(&format!("y = {}1", "x ** 2 - -1 + ".repeat(2_000)));
}

#[test]
fn bytes_that_are_no_text() {
    assert_eq!(decode(b"x = 1".to_vec()), Ok("x = 1".to_owned()));
    let error = decode(b"a\nb\xff".to_vec()).unwrap_err();
    assert_eq!(error.message, "the source is not UTF-8: byte 0xff at position 3 (line 2)");
}

#[test]
fn explain_is_a_keyword_at_the_start_only() {
    assert!(matches!(ok("explain(x)")[0].kind, StmtKind::Explain(_)));
    assert!(matches!(ok("explain -x")[0].kind, StmtKind::Explain(_)));
    assert_eq!(shape("(explain)"), "explain");
    assert_eq!(shape("x.explain()"), "x.explain()");
}
