//! Texts that mean harm: each ends with one clear error in under a second, never with a panic; and mutants of good
//! texts, which may end as they like but must end.

mod common;

use common::run::{Lines, WAYS, panic_text, session};
use common::{cases, here, parallel};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tsk::session::Outcome;

/// The development build is many times slower than the released one; a second there is several here.
const SECOND: Duration = Duration::from_secs(if cfg!(debug_assertions) { 4 } else { 1 });

/// Memory that a hostile text may ask for.
const MEMORY: u64 = 1 << 28;

/// Runs a text; cancels it when its time is over.
fn run(source: &str, dir: &Path, time: Duration) -> Result<(Vec<String>, Outcome, Duration), String> {
    let start = Instant::now();
    let mut lines = Lines::default();
    let mut session = session(WAYS[1], dir);
    session.options().max_memory = MEMORY;
    let cancel = session.cancel_handle();
    let (over, ended) = mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if ended.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
            cancel.set();
        }
    });
    let outcome = catch_unwind(AssertUnwindSafe(|| session.eval("<hostile>", source, &mut lines)));
    drop(over);
    let _ = watch.join();
    let outcome = outcome.map_err(|p| format!("panicked: {}", panic_text(&*p)))?;
    Ok((lines.0, outcome, start.elapsed()))
}

fn head(text: &str) -> String {
    let short: String = text.chars().take(100).collect();
    if short.len() < text.len() { format!("{short}… ({} bytes)", text.len()) } else { short }
}

/// Complaints about texts that must end with one error of these families, soon.
#[track_caller]
fn refused(texts: &[(&str, &str)]) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let bad: Vec<String> = texts.iter().filter_map(|(source, families)| fault(source, families, dir.path())).collect();
    assert!(bad.is_empty(), "{} of {}\n{}", bad.len(), texts.len(), bad.join("\n"));
}

fn fault(source: &str, families: &str, dir: &Path) -> Option<String> {
    let (lines, outcome, time) = match run(source, dir, SECOND * 3) {
        Ok(ended) => ended,
        Err(panic) => return Some(format!("{}\n  {panic}", head(source))),
    };
    let errors: Vec<&String> = lines.iter().filter(|l| l.starts_with("{\"error\"")).collect();
    let tell = |what: String| Some(format!("{}\n  {what}", head(source)));
    if time > SECOND {
        return tell(format!("took {time:?}, {outcome:?}"));
    }
    let code = |line: &String| line.split("\"code\": \"").nth(1).and_then(|c| c.get(..5)).unwrap_or("?").to_owned();
    match errors.as_slice() {
        [] if families.split('|').any(str::is_empty) => None,
        [one] if families.split('|').any(|f| !f.is_empty() && code(one).starts_with(f)) => None,
        other => tell(format!("errors {:?}, expected {families:?}", other.iter().map(|l| head(l)).collect::<Vec<_>>())),
    }
}

#[test]
fn texts_that_nest_or_never_end() {
    let n = 10_000;
    let many = |s: &str, n: usize| s.repeat(n);
    let texts = [
        many("f(x[(1 + ", n),
        many("(", 100_000),
        many("[", 100_000),
        many("-", 100_000) + "1",
        many("~", 100_000) + "1",
        many("not ", 100_000) + "1",
        many("(", 100_000) + "1" + &many(")", 100_000),
        many("[", 100_000) + &many("]", 100_000),
        many("lambda: ", n) + "1",
        "1".to_owned() + &many(" ** 1", n),
        "1".to_owned() + &many(" + 1", 100_000),
        "x = 1\nx".to_owned() + &many("[0]", n * 10),
        "1".to_owned() + &many(" if 1 else 1", n),
        many("if 1 { ", n) + &many("}", n),
        many("fn f() { ", n),
        "f'".to_owned() + &many("{f\"", 300),
        many("x |> ", 100_000) + "x",
        "0..".repeat(1000) + "1",
        "x = ".to_owned() + &many("1 < ", 50_000) + "1",
        "print(".to_owned() + &many("1, ", 400_000) + "1)",
        "x".to_owned() + &many(".T", 100_000),
    ];
    let texts: Vec<(&str, &str)> = texts.iter().map(|t| (t.as_str(), "E0")).collect();
    refused(&texts);
    refused(&[((many("a = ", 100_000) + "1").as_str(), "")]);
}

#[test]
fn garbage() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut garbage = Vec::new();
    for size in [100, 5_000, 100_000] {
        let bytes: Vec<u8> = (0..size).map(|_| next(&mut state) as u8).collect();
        garbage.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    let dir = tempfile::tempdir().expect("a temporary folder");
    for text in &garbage {
        let (lines, outcome, time) = run(text, dir.path(), SECOND * 3).expect("no panic");
        assert_eq!(outcome, Outcome::Syntax);
        assert!(!lines.is_empty() && time < SECOND, "{time:?}");
    }
    assert_eq!(tsk::lang::decode(vec![0x78, 0xff, 0xfe]).map_err(|d| d.code), Err("E0030"));
}

#[test]
fn recursion_and_lists_that_hold_themselves() {
    refused(&[
        ("fn f(n) = f(n + 1)\nf(0)", "E0704"),
        ("fn f(n) { g(n) }\nfn g(n) { f(n) }\nf(0)", "E0704"),
        ("fn f(x) = [f(x)]\nf(1)", "E0704"),
        ("f = lambda x: f(x) + 1\nf(1)", "E0704"),
        ("fn f(n) = sorted([2, 1], key=lambda x: f(x))\nf(0)", "E0704"),
        ("fn f(n) = f'{f(n)}'\nf(0)", "E0704"),
        ("xs = [1]\nxs.append(xs)\nprint(str(xs))\nxs == xs\n1/0", "E05"),
        ("xs = [1]\nxs.append(xs)\nsum(xs)", "E0"),
        ("xs = [1]\nxs.append(xs)\narray(xs)", "E0"),
        ("a = [1]\nb = [a]\na.append(b)\na == b", ""),
        ("r = []\nfor i in range(100000) { r = [r] }\nprint(len(str(r)))\nr == r\n1/0", "E0"),
        ("r = 0\nfor i in range(50000) { r = record(a=r) }\n1/0", "E05"),
        ("f = lambda: 1\nfor i in range(20000) { f = (lambda g: lambda: g())(f) }\nf()", "E0704"),
    ]);
}

#[test]
fn sizes_beyond_any_memory() {
    refused(&[
        ("x = zeros((1 << 40,))\nx[0] = 1\nprint(x)", "E07"),
        ("x = ones(10**18)\nx + x", "E07|E02"),
        ("zeros((1 << 32, 1 << 32))", "E02|E07"),
        ("zeros((1 << 62, 4))", "E02|E07"),
        ("zeros(-1)", "E02"),
        ("zeros(0, 1 << 40, 1 << 40)", "E02|E07|"),
        ("arange(10**15).sum() + arange(10**10)", "E07|E02"),
        ("eye(1 << 20) @ eye(1 << 20)", "E07|E02"),
        ("ones(1 << 20)[:, None] * ones(1 << 20)\nprint(1)\nsort(ones(1 << 20)[:, None] * ones(1 << 20))", "E07"),
        ("rand(1 << 40)", "E07|E02"),
        ("linspace(0, 1, 1 << 50)", "E07|E02"),
        ("repeat(ones(10), 1 << 40)", "E07|E02|E01"),
        ("tile(ones(10), 1 << 60)", "E07|E02|E01"),
        ("pad(ones(10), 1 << 40)", "E07|E02"),
        ("one_hot(array([0]), 1 << 40)", "E07|E02"),
        ("broadcast_to(ones(1), 1 << 62);\nbroadcast_to(ones(1, 1), (1 << 40, 1 << 40))", "E02|E07"),
        ("concat([broadcast_to(ones(1), 1 << 61) for i in range(9)])", "E02|E07"),
        ("einsum('i,j,k,l->ijkl', ones(1 << 20), ones(1 << 20), ones(1 << 20), ones(1 << 20))", "E02|E07"),
        ("meshgrid(ones(1 << 20), ones(1 << 20))[0] + 1", "E02|E07"),
        ("as_strided(ones(3), (1 << 62, 1 << 62), (0, 0))", "E02|E07"),
        ("windows(ones(10), 1 << 62)", "E02"),
        ("[0] * (1 << 40)", "E07"),
        ("x = [0] * 1000\nwhile True { x = x + x }", "E07"),
        ("'ab' * (1 << 50)", "E07"),
        ("s = 'abcdefgh'\nwhile True { s = s + s }", "E07"),
        ("'%' .replace('%', 'x' * 100000000).replace('x', 'y' * 1000)", "E07"),
        ("list(range(1 << 60))", "E07"),
        ("f'{1:1000000000000}'", "E05|E07|E01"),
        ("f'{1.5:.1000000000f}'", "E05|E07|E01"),
        ("f'{1:<99999999999999999999999}'", "E05|E07|E01|E00"),
        ("'a'.ljust(1 << 60)", "E07"),
        ("'a'.join(['b' * 100000000] * 1000)", "E07"),
        ("10 ** 10 ** 10", "E05|E07"),
        ("1 << 1000000000000", "E05|E07"),
        ("2 ** 63", "E05"),
        ("-9223372036854775808 // -1", "E05"),
        ("abs(-9223372036854775808)", "E05"),
        ("str(10.0 ** 308) * (1 << 33)", "E07"),
        ("x = zeros((1 << 40,))\nx.tolist()", "E07|E02"),
        ("'{}'.format(1)\n'%d'", "E0|"),
    ]);
}

/// Work without an end is no error; whoever waits for it stops it, soon, and keeps what was bound.
#[test]
fn endless_work_is_cancelled() {
    let texts = [
        "while True { }",
        "[i for i in range(1 << 60) for j in range(1 << 60) if 0]",
        "fn f(n) { for i in range(1 << 60) { n = n + 1 } }\nf(0)",
        "full((1 << 40,), 1.5).sum()",
        "ones(1, 1 << 20).sum() + (ones(1 << 20, 1) * ones(1, 1 << 20)).max()",
        "x = rand(3000, 3000)\nwhile True { y = (x @ x).sum().item() }",
        "x = rand(1 << 22)\nwhile True { y = sort(x)[0].item() }",
        "x = rand(1 << 22)\nwhile True { y = cumsum(x)[0].item() }",
    ];
    let dir = tempfile::tempdir().expect("a temporary folder");
    for text in texts {
        let source = format!("kept = 1\n{text}");
        let time = Duration::from_millis(300);
        let (lines, outcome, took) = run(&source, dir.path(), time).expect("no panic");
        assert_eq!(outcome, Outcome::Interrupted, "{text}: {lines:?}");
        assert!(took < time + SECOND, "{text}: {took:?}");
    }
}

#[test]
fn paths_that_lead_nowhere() {
    refused(&[
        ("load('nothing.npy')", "E06"),
        ("load('.')", "E06"),
        ("load('')", "E06"),
        ("load('a\\0b.npy')", "E06"),
        ("save(ones(2), '/nowhere/at/all.npy')", "E06"),
        ("save(ones(2), '')", "E06"),
        ("raw('nothing', f32, (1 << 62, 1 << 62))", "E06|E02"),
        ("import 'nothing.tsk' as u", "E01"),
        ("import '.' as u", "E01"),
    ]);
}

#[test]
fn odd_indices_and_shapes() {
    let x = "x = arange(24).reshape(2, 3, 4)\n";
    let texts = [
        ("x[..., ...]", "E03"),
        ("x[0, 0, 0, 0]", "E03"),
        ("x[::0]", "E03"),
        ("x[9223372036854775807]", "E03"),
        ("x[-9223372036854775808]", "E03"),
        ("x[-9223372036854775808:9223372036854775807:9223372036854775807].shape\n1/0", "E05"),
        ("x[::-9223372036854775808].shape\n1/0", "E05"),
        ("x['a']", "E03"),
        ("x[1.5]", "E03"),
        ("x[[1.5]]", "E03"),
        ("x[[True, False, True]]", "E03"),
        ("x[[0, 1], [0, 1, 2]]", "E0"),
        ("x[[[0, 5]]]", "E03"),
        ("x[[]] + x", "E02"),
        ("x[None, None, None, None, ..., None].shape\n1/0", "E05"),
        ("x[()] = 'a'", "E04"),
        ("x[x]", "E03"),
        ("x[x > 100].sum() // array([0])", "E05"),
        ("x.reshape(-1, -1)", "E02"),
        ("x.reshape(0, -1)", "E02"),
        ("x.reshape(5, 5)", "E02"),
        ("x.reshape(-2, -12)", "E02"),
        ("x.reshape(9223372036854775807, 9223372036854775807)", "E02"),
        ("x.permute(0, 0, 1)", "E02"),
        ("x.permute(0, 1)", "E02"),
        ("x.sum(axis=9223372036854775807)", "E02"),
        ("x.sum(axis=(0, 0))", "E02"),
        ("x.sum(axis=-9223372036854775808)", "E02"),
        ("squeeze(x, axis=0)", "E02"),
        ("x.expand(-1, 5, 9)", "E02"),
        ("split(x, 0)", "E02|E01"),
        ("split(x, -1)", "E02|E01"),
        ("chunk(x, 1 << 62)\n1/0", "E0"),
        ("roll(x, 9223372036854775807, axis=0).shape\nroll(x, -9223372036854775808).shape\n1/0", "E05"),
        ("topk(x, 100)", "E0"),
        ("topk(x, -1)", "E0"),
        ("x @ x @ x", "E02"),
        ("einsum('ij', x)", "E0"),
        ("einsum('', x)", "E0"),
        ("einsum('ijk->zzz', x)", "E0"),
        ("diagonal(x, 9223372036854775807).shape\n1/0", "E0"),
        ("eye(3, k=9223372036854775807).shape\n1/0", "E0"),
        ("tril(x, -9223372036854775808).shape\n1/0", "E05"),
        ("as_strided(x, (100,), (1,))", "E02"),
        ("as_strided(x, (2,), (9223372036854775807,))", "E02"),
        ("conv2d(x, x)", "E0"),
        ("conv1d(ones(1, 1, 5), ones(1, 1, 3), stride=0)", "E0"),
        ("conv1d(ones(1, 1, 5), ones(1, 1, 3), dilation=1 << 62)", "E0"),
        ("max_pool2d(ones(1, 1, 5, 5), 0)", "E0"),
        ("interp", "|E0"),
        ("x.item()", "E02|E01|E03"),
        ("x.astype('nothing')", "E0"),
        ("array([[1, 2], [3]])", "E0"),
        ("array([1, 'a'])", "E0"),
        ("array([[[[]]]]).sum(axis=7)", "E02"),
        ("i64(inf)", "E05"),
        ("u8(300.0)", "E05"),
        ("arange(0, 1, 0)", "E05"),
        ("arange(0, 1, 1e-300)", "E0"),
        ("arange(nan)", "E0"),
        ("linspace(0, 1, -5)", "E0"),
        ("x << -1", "E05"),
        ("x << 100\n1/0", "E05"),
        ("x ** -1", "E0"),
        ("x // 0", "E05"),
        ("range(0, 10, 0)", "E0"),
        ("for i in range(3) { x = x[i] }\nx[0]", "E03"),
    ];
    let texts: Vec<(String, &str)> = texts.iter().map(|(t, f)| (format!("{x}{t}"), *f)).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(t, f)| (t.as_str(), *f)).collect();
    refused(&texts);
}

/// Every function of the table with arguments that nobody means: an error or a value, never a panic.
#[test]
fn functions_take_anything() {
    const ARGUMENTS: &[&str] = &[
        "",
        "0",
        "-1",
        "1 << 62",
        "nan",
        "'a'",
        "''",
        "None",
        "[]",
        "()",
        "[1, 'a']",
        "zeros(0)",
        "zeros(0, 3)",
        "array(2)",
        "ones(3)",
        "arange(6).reshape(2, 3)",
        "ones(2, 2) > 2",
        "ones(2, 2) * 1j",
        "ones(2, 0, 3)",
        "f16",
        "lambda x: x",
        "record(a=1)",
        "range(3)",
        "zeros(0), zeros(0)",
        "ones(3), 0",
        "ones(3), -1",
        "ones(3), 1 << 62",
        "ones(3), 'a'",
        "ones(3), None",
        "ones(3), ones(2)",
        "ones(2, 3), ones(2, 3)",
        "zeros(0, 3), zeros(3, 0)",
        "ones(3), []",
        "ones(2, 3), (0, 0)",
        "ones(3), 1.5",
        "1, 2, 3",
        "0, 0, 0",
        "ones(2, 2), ones(2, 2), ones(2, 2)",
        "ones(2, 2), 0, 0",
        "ones(2, 2), -3, 1 << 40",
        "arange(3), arange(3), arange(3)",
        "ones(1, 1, 4), ones(1, 1, 9)",
        "ones(2, 2, 2, 2), 2",
        "'a', 'b'",
        "'a b', ones(2, 2)",
        "u8([1, 2]), 300",
        "ones(2, 2), axis=5",
        "ones(2, 2), axis=(0, 1)",
        "ones(2, 2), axis=None",
        "ones(2, 2), dtype=u8",
        "i64([-9223372036854775807, 3]), -1",
        "f32([nan, inf, -inf])",
        "f32([nan, inf]), f32([0, nan])",
        "ones(2, 2), nope=1",
        "[ones(2), ones(3)]",
        "[ones(2), ones(2)], 7",
        "[zeros(0)]",
        "ones(3, 3) * nan",
        "zeros(3, 3)",
        "zeros(3, 3), ones(3)",
    ];
    let dir = tempfile::tempdir().expect("a temporary folder");
    let names: Vec<&str> =
        tsk::func::all().iter().map(|f| f.doc.name).filter(|n| *n != "input" && *n != "sleep").collect();
    let bad: Vec<String> = parallel(&names, |name| {
        let tries = ARGUMENTS.iter().filter_map(|arguments| {
            let text = format!("x = {name}({arguments})\nprint(x)\n");
            match run(&text, dir.path(), SECOND * 3) {
                Err(panic) => Some(format!("{name}({arguments}): {panic}")),
                Ok((_, _, time)) if time > SECOND * 2 => Some(format!("{name}({arguments}) took {time:?}")),
                Ok(_) => None,
            }
        });
        tries.collect::<Vec<_>>()
    })
    .concat();
    assert!(bad.is_empty(), "{}\n{}", bad.len(), bad.join("\n"));
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Pieces of a text: words, numbers, and single characters.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut word) = (0, false);
    for (i, c) in text.char_indices() {
        let letter = c.is_alphanumeric() || c == '_';
        if i > start && !(word && letter) {
            found.push(&text[start..i]);
            start = i;
        }
        word = letter;
    }
    found.push(&text[start..]);
    found
}

/// A text with some pieces deleted, doubled, swapped, or taken from another text.
fn mutant(text: &str, other: &str, seed: u64) -> String {
    let mut state = seed | 1;
    let mut words = pieces(text);
    let others = pieces(other);
    for _ in 0..1 + next(&mut state) % 4 {
        let at = next(&mut state) as usize % words.len().max(1);
        let to = next(&mut state) as usize % words.len().max(1);
        if words.is_empty() {
            break;
        }
        match next(&mut state) % 5 {
            0 => {
                words.remove(at);
            }
            1 => words.insert(at, words[at]),
            2 => words.swap(at, to),
            3 => words[at] = others[next(&mut state) as usize % others.len()],
            _ => words[at] = ["0", "-1", "(", ")", "[", "]", ",", ":", "1 << 62", "None", "1e400", "'"][to % 12],
        }
    }
    words.concat()
}

#[test]
fn mutants_of_the_cases_end() {
    let mut all = Vec::new();
    let mut files: Vec<_> =
        std::fs::read_dir(here("conformance")).expect("cases").flatten().map(|e| e.path()).collect();
    files.sort();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "jsonl")) {
        all.extend(cases(file).into_iter().map(|c| c.source));
    }
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mutants: Vec<String> = (0..2_000)
        .map(|_| {
            let pick = |state: &mut u64| next(state) as usize % all.len();
            let (text, other) = (pick(&mut state), pick(&mut state));
            mutant(&all[text], &all[other], next(&mut state))
        })
        // What opens no file touches none.
        .filter(|m| !m.contains("save") && !m.contains("input"))
        .collect();
    assert!(mutants.len() > 1_500);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let bad: Vec<String> = parallel(&mutants, |text| match run(text, dir.path(), SECOND * 2) {
        Err(panic) => Some(format!("{text}\n  {panic}")),
        Ok((_, outcome, time)) if time > SECOND * 4 => Some(format!("{text}\n  {outcome:?} after {time:?}")),
        Ok(_) => None,
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(bad.is_empty(), "{}\n{}", bad.len(), bad[..bad.len().min(20)].join("\n"));
}
