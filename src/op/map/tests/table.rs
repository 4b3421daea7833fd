use super::super::{map_row, map_rows};
use crate::op::{Group, MapRow};
use crate::tensor::DType;
use std::collections::HashSet;

/// Every combination of dtypes that a row may meet.
fn combinations(arity: u8) -> Vec<Vec<DType>> {
    (0..arity).fold(vec![vec![]], |lists, _| {
        lists.iter().flat_map(|list| DType::ALL.iter().map(move |&d| [list.as_slice(), &[d]].concat())).collect()
    })
}

/// `(x, y)` of a signature.
fn parameters(row: &MapRow) -> usize {
    let inside = row.doc.sig.strip_prefix(row.doc.name).and_then(|s| s.strip_prefix('(')?.strip_suffix(')'));
    inside.unwrap_or_else(|| panic!("signature of {}", row.doc.name)).split(", ").count()
}

#[test]
fn names_and_aliases_are_unique_and_found() {
    let mut seen = HashSet::new();
    for row in map_rows() {
        for name in std::iter::once(&row.doc.name).chain(row.doc.aliases) {
            assert!(seen.insert(*name), "{name} stands twice");
            assert!(std::ptr::eq(map_row(name).unwrap(), row), "{name}");
        }
    }
    assert!(seen.len() > 150, "{}", seen.len());
    assert!(map_row("no_such_row").is_none());
}

#[test]
fn every_row_is_documented() {
    for row in map_rows() {
        let doc = &row.doc;
        assert_eq!(parameters(row), row.arity as usize, "{}", doc.sig);
        assert!(doc.help.ends_with('.') && !doc.help.contains("  "), "{}: {:?}", doc.name, doc.help);
        assert!(!doc.examples.is_empty(), "{} has no example", doc.name);
        assert!(!(doc.numpy.is_empty() && doc.torch.is_empty()), "{} has no namesake", doc.name);
        assert!(!doc.see.is_empty(), "{} sees nothing", doc.name);
        assert!(row.cost >= 1 && row.arity >= 1 && row.arity <= 3);
        assert_ne!(doc.group, Group::View);
    }
}

#[test]
fn rules_are_total_and_lanes_follow() {
    for row in map_rows() {
        let mut accepted = 0;
        for dtypes in combinations(row.arity) {
            for default_float in [DType::F32, DType::F64, DType::F16] {
                match (row.rule)(&dtypes, default_float) {
                    Ok(typed) => {
                        accepted += 1;
                        assert_eq!(typed.args.len(), row.arity as usize, "{} {dtypes:?}", row.doc.name);
                        assert!((row.lanes)(&typed.args).is_some(), "{} {dtypes:?}: {typed:?}", row.doc.name);
                        let moves = row.doc.name == "where";
                        let storage = matches!(typed.result, DType::F8E4M3 | DType::F8E5M2);
                        assert!(moves || !storage, "{} {dtypes:?} computes in 8 bits", row.doc.name);
                    }
                    Err(fault) => assert!(!fault.message.is_empty() && fault.hint.is_some(), "{}", row.doc.name),
                }
            }
        }
        assert!(accepted > 0, "{} accepts nothing", row.doc.name);
    }
}

fn result(name: &str, args: &[DType]) -> Option<DType> {
    (map_row(name)?.rule)(args, DType::F32).ok().map(|t| t.result)
}

#[test]
fn result_dtypes_follow_the_language() {
    use DType::*;
    let cases: &[(&str, &[DType], Option<DType>)] = &[
        ("add", &[Bool, Bool], Some(Bool)),
        ("add", &[U8, I8], Some(I16)),
        ("add", &[U64, I64], Some(F64)),
        ("add", &[I64, F16], Some(F16)),
        ("add", &[F16, BF16], Some(F32)),
        ("add", &[F8E4M3, F8E4M3], Some(F32)),
        ("add", &[F64, C64], Some(C128)),
        ("subtract", &[Bool, Bool], None),
        ("subtract", &[Bool, I8], Some(I8)),
        ("negative", &[Bool], None),
        ("divide", &[I64, I64], Some(F32)),
        ("divide", &[Bool, Bool], Some(F32)),
        ("divide", &[U64, I64], Some(F64)),
        ("divide", &[F16, I64], Some(F16)),
        ("floor_divide", &[Bool, Bool], None),
        ("remainder", &[C64, C64], None),
        ("remainder", &[I32, U8], Some(I32)),
        ("power", &[Bool, Bool], None),
        ("power", &[C64, I64], Some(C64)),
        ("left_shift", &[Bool, Bool], None),
        ("left_shift", &[F32, I64], None),
        ("left_shift", &[U64, I64], None),
        ("bitwise_and", &[Bool, I32], Some(I32)),
        ("bitwise_and", &[F32, I32], None),
        ("invert", &[F32], None),
        ("invert", &[Bool], Some(Bool)),
        ("gcd", &[F32, I64], None),
        ("sqrt", &[I64], Some(F32)),
        ("sqrt", &[BF16], Some(BF16)),
        ("sqrt", &[C128], Some(C128)),
        ("abs", &[C128], Some(F64)),
        ("abs", &[Bool], Some(Bool)),
        ("floor", &[I8], Some(I8)),
        ("rint", &[I8], Some(F32)),
        ("less", &[C64, C64], None),
        ("equal", &[C64, F32], Some(Bool)),
        ("maximum", &[C64, F32], None),
        ("maximum", &[Bool, Bool], Some(Bool)),
        ("isnan", &[I64], Some(Bool)),
        ("bitwise_count", &[I64], Some(U8)),
        ("ldexp", &[F16, I64], Some(F16)),
        ("ldexp", &[F16, F16], None),
        ("where", &[I64, F16, I64], Some(F16)),
        ("where", &[Bool, F8E5M2, F8E5M2], Some(F8E5M2)),
        ("relu", &[I8], Some(I8)),
        ("gelu", &[C64], None),
        ("imag", &[C64], Some(F32)),
        ("square", &[Bool], Some(I8)),
    ];
    for (name, args, want) in cases {
        assert_eq!(result(name, args), *want, "{name} {args:?}");
    }
}
