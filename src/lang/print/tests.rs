use super::*;
use crate::base::{Span, Symbol};
use crate::lang::ast::*;
use proptest::prelude::*;

/// The tree without places, for comparing.
fn bones(script: &[Stmt]) -> String {
    let text = format!("{script:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span {") {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('}').map_or(rest.len(), |n| at + n + 1);
        rest = &rest[end..];
    }
    out + rest
}

fn parsed(text: &str) -> Vec<Stmt> {
    let parsed = parse::parse(SourceId(0), text);
    assert_eq!(parsed.errors, [], "{text}");
    parsed.script
}

fn round_trip(text: &str) -> String {
    let script = parsed(text);
    let printed = print_script(&script);
    assert_eq!(bones(&parsed(&printed)), bones(&script), "{text}\n{printed}");
    printed
}

#[test]
fn the_canonical_form_has_few_brackets() {
    for (text, want) in [
        ("x=((1+2))*3", "x = (1 + 2) * 3\n"),
        ("(-x)**2; -(x**2)", "(-x) ** 2;\n-x ** 2\n"),
        ("2**(-1)", "2 ** -1\n"),
        ("(2**3)**2", "(2 ** 3) ** 2\n"),
        ("a-(b-c)", "a - (b - c)\n"),
        ("(a,b)=(b,a)", "a, b = b, a\n"),
        ("x=(1,2)", "x = (1, 2)\n"),
        ("f(lambda x:x+1,k=2)", "f(lambda x: x + 1, k=2)\n"),
        ("x[(0,1),]; x[0:128,::-1]", "x[(0, 1),];\nx[0:128, ::-1]\n"),
        ("(a if c else b)|>f", "a if c else b |> f\n"),
        ("a if c else (b|>f)", "a if c else (b |> f)\n"),
        ("not(a in b)", "not a in b\n"),
        ("0..n; 7j.. ...", "0..n;\n7j .. ...\n"),
        ("'a\"\\n\\x00'", "\"a\\\"\\n\\x00\"\n"),
        ("f'{x!r:>{w}} {{}} {y=}'", "f\"{x!r:>{w}} {{}} {y=}\"\n"),
        ("fn f(x:f32[n,_,...],k:f16=1,j=2)=x", "fn f(x: f32[n, _, ...], k: f16 = 1, j=2) = x\n"),
        ("if a{b}else if c{}else{d;e}", "if a {\n  b\n} else if c { } else {\n  d;\n  e\n}\n"),
        ("for i,(j,*k) in x{break}", "for i, (j, *k) in x {\n  break\n}\n"),
        ("(3).real; (2.5).f()", "(3).real;\n(2.5).f()\n"),
        ("-9223372036854775808", "-9223372036854775808\n"),
        ("1e999; 2.50j; 0xff", "1e999;\n2.5j;\n255\n"),
        ("import 'a' as b\ndel x,y\nreturn_ = 3", "import \"a\" as b\ndel x, y\nreturn_ = 3\n"),
    ] {
        assert_eq!(round_trip(text), want, "{text}");
    }
}

#[test]
fn comments_and_empty_lines_stay() {
    let text = "# head\n\n\n\nx=1 # one\n# two\nif a { # why\n\n  # inside\n  b\n  # end\n}\nelse { # nothing\n}\ny = [1, # in\n 2]\n\n# tail\n";
    let want = "# head\n\nx = 1  # one\n# two\nif a {  # why\n  # inside\n  b\n  # end\n} else {  # nothing\n}\n# in\ny = [1, 2]\n\n# tail\n";
    let got = format_source(SourceId(0), text).unwrap();
    assert_eq!(got, want);
    assert_eq!(format_source(SourceId(0), &got).unwrap(), want);
}

#[test]
fn long_lines_break_inside_brackets() {
    let numbers: Vec<String> = (0..60).map(|n| n.to_string()).collect();
    let text = format!("x = array([{}], dtype=f32)", numbers.join(","));
    let got = format_source(SourceId(0), &text).unwrap();
    assert!(got.lines().all(|l| l.chars().count() <= WIDTH), "{got}");
    assert_eq!(bones(&parsed(&got)), bones(&parsed(&text)));
    assert_eq!(format_source(SourceId(0), &got).unwrap(), got);
    let call = format!("y = function_{0}(argument_{0}, keyword={0}_value, other=[{0}])", "a".repeat(30));
    assert_eq!(format_source(SourceId(0), &call).unwrap().lines().count(), 5);
}

#[test]
fn deep_trees_print() {
    let text = "1".to_owned() + &" + 1".repeat(9_000);
    let script = parsed(&text);
    assert_eq!(print_script(&script), text + "\n");
}

fn at() -> Span {
    Span::default()
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: at() }
}

fn name() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["a", "b", "xs", "f", "größe"]).prop_map(|s| Name { symbol: Symbol::new(s), span: at() })
}

fn atoms() -> impl Strategy<Value = Expr> {
    prop_oneof![
        any::<u32>().prop_map(|v| expr(ExprKind::Int(v.into()))),
        Just(expr(ExprKind::MinInt)),
        (0.0..1e20f64).prop_map(|v| expr(ExprKind::Float(v))),
        (0.0..10f64).prop_map(|v| expr(ExprKind::Imag(v.floor()))),
        "[a\"'{}\\\\\n\u{1}ä]{0,6}".prop_map(|s| expr(ExprKind::Str(s.into()))),
        name().prop_map(|n| expr(ExprKind::Name(n.symbol))),
        Just(expr(ExprKind::True)),
        Just(expr(ExprKind::None)),
        Just(expr(ExprKind::Ellipsis)),
    ]
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![Add, Sub, Mul, Div, FloorDiv, Mod, MatMul, Pow, Shl, Shr, BitAnd, BitXor, BitOr])
}

fn exprs() -> impl Strategy<Value = Expr> {
    atoms().prop_recursive(5, 40, 4, |inner| {
        let e = || inner.clone();
        let boxed = || inner.clone().prop_map(Box::new);
        let item = prop_oneof![4 => e(), 1 => boxed().prop_map(|b| expr(ExprKind::Star(b)))];
        let slice = (prop::option::of(e()), prop::option::of(e()), prop::option::of(e()))
            .prop_map(|(start, stop, step)| IndexItem::Slice { start, stop, step, span: at() });
        let index = prop_oneof![2 => item.clone().prop_map(IndexItem::Expr), 1 => slice];
        let param =
            (name(), prop::option::of(e())).prop_map(|(name, default)| Param { name, annotation: None, default });
        let unary = prop::sample::select(vec![UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Invert]);
        let compare = prop::sample::select(vec![CompareOp::Lt, CompareOp::Eq, CompareOp::In, CompareOp::NotIn]);
        let spec = prop_oneof![Just(vec![]), Just(vec![FPart::Text(">3{".into())])];
        let field = (e(), prop::option::of(Just('r')), spec).prop_map(|(expr, conversion, spec)| FPart::Expr {
            expr,
            label: None,
            conversion,
            spec,
        });
        prop_oneof![
            (binary_op(), boxed(), boxed()).prop_map(|(op, lhs, rhs)| expr(ExprKind::Binary {
                op,
                op_span: at(),
                lhs,
                rhs
            })),
            (unary, boxed()).prop_map(|(op, operand)| expr(ExprKind::Unary { op, op_span: at(), operand })),
            (boxed(), prop::collection::vec((compare, Just(at()), e()), 1..3))
                .prop_map(|(first, rest)| expr(ExprKind::Compare { first, rest })),
            (boxed(), boxed()).prop_map(|(a, b)| expr(ExprKind::And(a, b))),
            (boxed(), boxed()).prop_map(|(a, b)| expr(ExprKind::Or(a, b))),
            boxed().prop_map(|a| expr(ExprKind::Not(a))),
            (boxed(), boxed()).prop_map(|(a, b)| expr(ExprKind::Range(a, b))),
            (boxed(), boxed(), boxed()).prop_map(|(cond, then, otherwise)| expr(ExprKind::IfElse {
                cond,
                then,
                otherwise
            })),
            (boxed(), boxed()).prop_map(|(value, func)| expr(ExprKind::Pipe { value, func })),
            (boxed(), prop::collection::vec(item.clone(), 0..3)).prop_map(|(callee, args)| {
                let args = args.into_iter().map(|value| Arg { name: None, value }).collect();
                expr(ExprKind::Call { callee, args })
            }),
            (boxed(), name(), e()).prop_map(|(callee, name, value)| {
                expr(ExprKind::Call { callee, args: vec![Arg { name: Some(name), value }] })
            }),
            (boxed(), prop::collection::vec(index, 0..3))
                .prop_map(|(base, items)| expr(ExprKind::Index { base, items })),
            (boxed(), name()).prop_map(|(base, name)| expr(ExprKind::Attr { base, name })),
            prop::collection::vec(item.clone(), 0..3).prop_map(|items| expr(ExprKind::Tuple(items))),
            prop::collection::vec(item, 0..3).prop_map(|items| expr(ExprKind::List(items))),
            (prop::option::of(param), e()).prop_map(|(param, body)| {
                let params = param.into_iter().collect();
                expr(ExprKind::Lambda(FnDef { name: None, params, body: FnBody::Expr(body), span: at() }.into()))
            }),
            (boxed(), name(), e(), prop::option::of(e())).prop_map(|(element, n, iter, cond)| {
                let mut clauses = vec![Clause::For { target: Target::Name(n), iter }];
                clauses.extend(cond.map(Clause::If));
                expr(ExprKind::Comprehension { element, clauses })
            }),
            (field, "[a{}\"\\\\]{1,4}").prop_map(|(f, text)| expr(ExprKind::FString(vec![FPart::Text(text), f]))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_gives_the_same_tree(e in exprs()) {
        let script = vec![Stmt { kind: StmtKind::Expr(e), span: at(), quiet: false }];
        let text = print_script(&script);
        let back = parse::parse(SourceId(0), &text);
        prop_assert_eq!(&back.errors, &vec![], "{}", text);
        prop_assert_eq!(bones(&back.script), bones(&script), "{}", text);
    }

    #[test]
    fn no_text_panics(text in "([a-z0-9 \n.,:;=+*(){}\\[\\]\"'#!|>fxä漢-]|if |else |fn |for |in |lambda |f\"\\{){0,60}") {
        let parsed = parse::parse(SourceId(0), &text);
        for label in parsed.errors.iter().flat_map(|e| &e.labels) {
            prop_assert!(text.get(label.span.start as usize..label.span.end as usize).is_some(), "{:?}", label);
        }
        if parsed.errors.is_empty() {
            let formatted = format_source(SourceId(0), &text).unwrap();
            prop_assert_eq!(bones(&parse::parse(SourceId(0), &formatted).script), bones(&parsed.script), "{}", formatted);
        }
        crate::lang::is_complete(&text);
    }
}
