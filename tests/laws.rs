//! Every view operation against a brute-force index map: the list of element offsets in row-major order.

use proptest::prelude::*;
use std::collections::BTreeSet;
use tsk::tensor::{Layout, Reshape, merge, shares_memory};

/// What a layout means: a shape and where each position lies.
#[derive(Clone, PartialEq, Debug)]
struct Map {
    shape: Vec<usize>,
    at: Vec<isize>,
}

/// All coordinates of a shape in row-major order.
fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut out = vec![vec![]];
    for &extent in shape {
        out = out.iter().flat_map(|c| (0..extent).map(move |i| [c.clone(), vec![i]].concat())).collect();
    }
    out
}

impl Map {
    fn of(layout: &Layout) -> Map {
        let place = |c: &Vec<usize>| {
            c.iter().zip(&layout.strides).fold(layout.offset, |at, (&i, &stride)| at + i as isize * stride)
        };
        Map { shape: layout.shape.to_vec(), at: coordinates(&layout.shape).iter().map(place).collect() }
    }

    fn get(&self, c: &[usize]) -> isize {
        let linear = c.iter().zip(&self.shape).fold(0, |n, (&i, &extent)| n * extent + i);
        self.at[linear]
    }

    /// The map of `shape` whose position c is this map's position `from(c)`.
    fn gather(&self, shape: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Map {
        let at = coordinates(&shape).iter().map(|c| self.get(&from(c))).collect();
        Map { shape, at }
    }

    /// The positions `list` of one axis.
    fn pick(&self, axis: usize, list: &[usize]) -> Map {
        let mut shape = self.shape.clone();
        shape[axis] = list.len();
        self.gather(shape, |c| {
            let mut c = c.to_vec();
            c[axis] = list[c[axis]];
            c
        })
    }

    fn permute(&self, order: &[usize]) -> Map {
        self.gather(order.iter().map(|&a| self.shape[a]).collect(), |c| {
            let mut from = vec![0; c.len()];
            for (k, &a) in order.iter().enumerate() {
                from[a] = c[k];
            }
            from
        })
    }

    /// The strides that would walk this map, if any do. Axes of extent 1 get 0.
    fn strides(&self) -> Option<Vec<isize>> {
        let unit = |axis: usize| {
            let mut c = vec![0; self.shape.len()];
            c[axis] = 1;
            c
        };
        if self.at.is_empty() {
            return Some(vec![0; self.shape.len()]);
        }
        let stride = |axis: usize| if self.shape[axis] > 1 { self.get(&unit(axis)) - self.at[0] } else { 0 };
        let strides: Vec<isize> = (0..self.shape.len()).map(stride).collect();
        let linear = |c: &Vec<usize>| c.iter().zip(&strides).fold(self.at[0], |at, (&i, &s)| at + i as isize * s);
        (coordinates(&self.shape).iter().map(linear).collect::<Vec<_>>() == self.at).then_some(strides)
    }
}

/// One random operation; the numbers are fitted to the layout that it meets.
#[derive(Clone, Debug)]
struct Op {
    kind: u8,
    axis: usize,
    other: usize,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
}

fn ops() -> impl Strategy<Value = Op> {
    let bound = || proptest::option::of(-6i64..7);
    (0u8..16, 0usize..6, 0usize..6, bound(), bound(), prop_oneof![-3i64..0, 1i64..4])
        .prop_map(|(kind, axis, other, start, stop, step)| Op { kind, axis, other, start, stop, step })
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(prop_oneof![1 => 0usize..1, 3 => 1usize..2, 12 => 2usize..5], 0..5)
}

/// A base layout under a few random views.
fn layouts() -> impl Strategy<Value = Layout> {
    (shapes(), proptest::collection::vec(ops(), 0..5)).prop_map(|(shape, ops)| {
        let base = Layout::contiguous(&shape).expect("small");
        ops.iter().fold(base, |view, op| apply(op, &view).map_or(view, |(after, _)| after))
    })
}

/// Python's slice, walked position by position.
fn python_slice(extent: usize, op: &Op) -> Vec<usize> {
    let n = extent as i64;
    let place = |bound: i64| if bound < 0 { bound + n } else { bound };
    let mut at = match op.start.map(place) {
        Some(start) if op.step > 0 => start.max(0),
        Some(start) => start.min(n - 1),
        None if op.step > 0 => 0,
        None => n - 1,
    };
    let mut out = vec![];
    while (0..n).contains(&at) && op.stop.map(place).is_none_or(|stop| if op.step > 0 { at < stop } else { at > stop })
    {
        out.push(at as usize);
        at += op.step;
    }
    out
}

/// The layout after an operation, and the map that it must have. None where the operation does not fit.
fn apply(op: &Op, layout: &Layout) -> Option<(Layout, Map)> {
    let map = Map::of(layout);
    let ndim = layout.ndim();
    if ndim == 0 || ndim > 6 {
        let after = layout.newaxis(0);
        return (ndim == 0).then(|| (after, map.gather(vec![1], |_| vec![])));
    }
    let (a, b) = (op.axis % ndim, op.other % ndim);
    let extent = map.shape[a];
    let all: Vec<usize> = (0..ndim).collect();
    let without = |axis: usize| all.iter().copied().filter(|&x| x != axis).collect::<Vec<_>>();
    let negative = |axis: usize| axis as i64 - ndim as i64;
    let after = match op.kind {
        0..=2 => {
            let after = layout.slice(a, op.start, op.stop, Some(op.step)).ok()?;
            (after, map.pick(a, &python_slice(extent, op)))
        }
        3 if extent > 0 => {
            let i = op.other % extent;
            let after = layout.index(a as isize, i as i64 - extent as i64).ok()?;
            let mut shape = map.shape.clone();
            shape.remove(a);
            (after, map.gather(shape, |c| [&c[..a], &[i], &c[a..]].concat()))
        }
        4 => {
            let at = op.axis % (ndim + 1);
            let shape = [&map.shape[..at], &[1], &map.shape[at..]].concat();
            (layout.expand_dims(&[at as i64]).ok()?, map.gather(shape, |c| [&c[..at], &c[at + 1..]].concat()))
        }
        5 => {
            let kept: Vec<usize> = map.shape.iter().copied().filter(|&e| e != 1).collect();
            (layout.squeeze(None).ok()?, Map { shape: kept, at: map.at })
        }
        6 => {
            let order: Vec<usize> = all.iter().map(|x| (x + op.other) % ndim).collect();
            let given: Vec<i64> = order.iter().map(|&x| negative(x)).collect();
            (layout.permute(&given).ok()?, map.permute(&order))
        }
        7 => (layout.transposed(), map.permute(&all.iter().rev().copied().collect::<Vec<_>>())),
        8 => {
            let mut order = all.clone();
            order.swap(a, b);
            (layout.swapaxes(a as i64, negative(b)).ok()?, map.permute(&order))
        }
        9 => {
            let mut order = without(a);
            order.insert(b, a);
            (layout.moveaxis(&[negative(a)], &[b as i64]).ok()?, map.permute(&order))
        }
        10 => {
            let backwards: Vec<usize> = (0..extent).rev().collect();
            (layout.flip(Some(&[a as i64])).ok()?, map.pick(a, &backwards))
        }
        11 if a != b => {
            let (rows, columns) = (map.shape[a] as i64, map.shape[b] as i64);
            let offset = op.step;
            let pairs: Vec<(usize, usize)> = (0..rows)
                .filter(|r| (0..columns).contains(&(r + offset)))
                .map(|r| (r as usize, (r + offset) as usize))
                .collect();
            let rest: Vec<usize> = without(a).into_iter().filter(|&x| x != b).collect();
            let shape = rest.iter().map(|&x| map.shape[x]).chain([pairs.len()]).collect();
            let expected = map.gather(shape, |c| {
                let mut from = vec![0; ndim];
                for (k, &x) in rest.iter().enumerate() {
                    from[x] = c[k];
                }
                (from[a], from[b]) = pairs[c[c.len() - 1]];
                from
            });
            (layout.diagonal(offset, a as i64, b as i64).ok()?, expected)
        }
        12 => {
            let mut shape: Vec<usize> = map.shape.iter().map(|&e| if e == 1 { op.other } else { e }).collect();
            shape.insert(0, 2);
            let after = layout.broadcast_to(&shape).ok()?;
            let ones: Vec<bool> = map.shape.iter().map(|&e| e == 1).collect();
            let from = |c: &[usize]| c[1..].iter().zip(&ones).map(|(&i, &one)| if one { 0 } else { i }).collect();
            (after, map.gather(shape, from))
        }
        13 if extent > 0 => {
            let (size, step) = (op.other.min(extent), op.step.unsigned_abs() as usize);
            let mut shape = map.shape.clone();
            shape[a] = (extent - size) / step + 1;
            shape.push(size);
            let expected = map.gather(shape, |c| {
                let mut from = c[..ndim].to_vec();
                from[a] = from[a] * step + c[ndim];
                from
            });
            (layout.windows(&[a as i64], &[size], &[step]).ok()?, expected)
        }
        14 if a != b => {
            // One quarter turn: out[i, j] = in[j, n - 1 - i].
            let mut shape = map.shape.clone();
            shape.swap(a, b);
            let last = map.shape[b];
            let expected = map.gather(shape, |c| {
                let mut from = c.to_vec();
                (from[a], from[b]) = (c[b], last - 1 - c[a]);
                from
            });
            let once = layout.rot90(1, (a as i64, b as i64)).ok()?;
            let twice = layout.rot90(2, (a as i64, b as i64)).ok()?;
            assert_eq!(Map::of(&layout.rot90(-3, (a as i64, b as i64)).ok()?), expected);
            assert_eq!(Map::of(&once.rot90(1, (a as i64, b as i64)).ok()?), Map::of(&twice));
            assert_eq!(Map::of(&once.rot90(3, (a as i64, b as i64)).ok()?), map);
            (once, expected)
        }
        15 => {
            let start = op.start.unwrap_or(0).clamp(0, extent as i64);
            let length = (op.other as i64).min(extent as i64 - start);
            let list: Vec<usize> = (start..start + length).map(|i| i as usize).collect();
            (layout.narrow(negative(a), start, length).ok()?, map.pick(a, &list))
        }
        _ => return None,
    };
    Some(after)
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() }
}

/// All factorisations of `size` into at most four extents, with units strewn in.
fn targets(size: usize) -> Vec<Vec<i64>> {
    let divisors: Vec<usize> = (1..=size.max(1)).filter(|d| size.is_multiple_of(*d)).collect();
    let mut out = vec![vec![size as i64], vec![1, size as i64, 1], vec![-1]];
    for &a in &divisors {
        for &b in divisors.iter().filter(|b| (size / a).is_multiple_of(**b)) {
            let (a, b, c) = (a as i64, b as i64, (size / a / b) as i64);
            out.extend([vec![a, b, c], vec![a, 1, b, c], vec![a, b * c], vec![1, a, b, 1, c]]);
        }
    }
    out
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn compositions_of_views_follow_the_index_map(shape in shapes(), ops in proptest::collection::vec(ops(), 1..6)) {
        let mut layout = Layout::contiguous(&shape).expect("small");
        for op in &ops {
            let Some((after, expected)) = apply(op, &layout) else { continue };
            prop_assert_eq!(&Map::of(&after), &expected, "{:?} on {:?}", op, layout);
            prop_assert!(after.ndim() == after.strides.len());
            layout = after;
        }
    }

    #[test]
    fn positions_bounds_and_flags_follow_the_index_map(layout in layouts()) {
        let map = Map::of(&layout);
        prop_assert_eq!(layout.size(), map.at.len());
        prop_assert_eq!(layout.offsets().collect::<Vec<_>>(), map.at.clone());
        prop_assert_eq!((0..map.at.len()).map(|i| layout.offset_of(i)).collect::<Vec<_>>(), map.at.clone());
        let bounds = map.at.iter().min().copied().zip(map.at.iter().max().copied());
        prop_assert_eq!(layout.bounds(), bounds);
        let distinct: BTreeSet<isize> = map.at.iter().copied().collect();
        prop_assert_eq!(layout.is_injective(), distinct.len() == map.at.len());
        let dense = map.at.windows(2).all(|w| w[1] == w[0] + 1);
        prop_assert_eq!(layout.is_contiguous(), dense);
    }

    #[test]
    fn simplified_walks_the_same_with_the_fewest_axes(layout in layouts()) {
        let simple = layout.simplified();
        prop_assert_eq!(Map::of(&simple).at, Map::of(&layout).at);
        prop_assert!(layout.size() == 0 || simple.shape.iter().all(|&e| e > 1));
        for inner in 1..simple.ndim() {
            prop_assert!(simple.strides[inner - 1] != simple.strides[inner] * simple.shape[inner] as isize);
        }
    }

    #[test]
    fn reshape_is_a_view_exactly_where_strides_exist(layout in layouts()) {
        let map = Map::of(&layout);
        prop_assume!(map.at.len() <= 128);
        for target in targets(layout.size()) {
            match layout.reshape(&target) {
                Ok(Reshape::View(view)) => {
                    prop_assert_eq!(&Map::of(&view).at, &map.at);
                    prop_assert!(target == [-1] || view.shape.iter().map(|&e| e as i64).eq(target));
                }
                Ok(Reshape::Copy(shape)) => {
                    let reshaped = Map { shape: shape.to_vec(), at: map.at.clone() };
                    prop_assert_eq!(reshaped.strides(), None, "{:?} as {:?} has strides", layout, target);
                }
                Err(fault) => prop_assert!(false, "{:?}: {:?}", target, fault),
            }
        }
    }

    #[test]
    fn compose_reads_through_both_layouts(
        inner in layouts(),
        outer in proptest::collection::vec(ops(), 0..4),
        regroup in 0usize..64,
    ) {
        let mut view = Layout::contiguous(&inner.shape).expect("small");
        let shapes = targets(inner.size());
        if inner.size() <= 128 && let Ok(Reshape::View(other)) = view.reshape(&shapes[regroup % shapes.len()]) {
            view = other;
        }
        for op in &outer {
            view = apply(op, &view).map_or(view, |(after, _)| after);
        }
        let through = Map::of(&inner);
        let expected = Map { shape: view.shape.to_vec(), at: Map::of(&view).at.iter().map(|&p| through.at[p as usize]).collect() };
        match view.compose(&inner.shape, &inner) {
            Some(composed) => prop_assert_eq!(Map::of(&composed), expected),
            // Strides may still exist by coincidence, where some axis winds around inner's runs.
            None => prop_assert!(inner.simplified().ndim() > 1),
        }
    }

    #[test]
    fn merge_visits_each_tuple_of_elements_once(
        first in layouts(),
        seconds in proptest::collection::vec((proptest::collection::vec(-5isize..6, 6), -3isize..4), 0..3),
    ) {
        let shape = first.shape.clone();
        prop_assume!(shape.len() <= 6);
        let others: Vec<Layout> = seconds
            .iter()
            .map(|(strides, offset)| Layout { shape: shape.clone(), strides: strides[..shape.len()].into(), offset: *offset })
            .collect();
        let operands: Vec<&Layout> = std::iter::once(&first).chain(&others).collect();
        let merged = merge(&shape, &operands);
        let tuples = |maps: Vec<Vec<isize>>, count: usize| {
            let mut out: Vec<Vec<isize>> = (0..count).map(|i| maps.iter().map(|m| m[i]).collect()).collect();
            out.sort();
            out
        };
        let nest = |k: usize| {
            Map::of(&Layout { shape: merged.shape.clone(), strides: merged.strides[k].clone(), offset: merged.offsets[k] })
        };
        let expected = tuples(operands.iter().map(|o| Map::of(o).at).collect(), first.size());
        let visited = tuples((0..operands.len()).map(|k| nest(k).at).collect(), merged.size());
        prop_assert_eq!(visited, expected);
        prop_assert!(merged.strides[0].iter().all(|&s| s >= 0));
        for k in 0..operands.len() {
            let rows = (0..merged.rows()).flat_map(|row| {
                let start = merged.row_offset(k, row);
                (0..merged.inner()).map(move |i| (start, i))
            });
            let walked: Vec<isize> = rows.map(|(start, i)| start + i as isize * merged.inner_stride(k)).collect();
            prop_assert_eq!(walked, nest(k).at);
        }
    }

    #[test]
    fn sharing_and_injectivity_are_exact(
        a in (proptest::collection::vec((1usize..5, -9isize..10), 0..5), -20isize..20, 1usize..5),
        b in (proptest::collection::vec((0usize..5, -9isize..10), 0..5), -20isize..20, 1usize..5),
    ) {
        let layout = |(axes, offset, _): &(Vec<(usize, isize)>, isize, usize)| Layout {
            shape: axes.iter().map(|x| x.0).collect(),
            strides: axes.iter().map(|x| x.1).collect(),
            offset: *offset,
        };
        let bytes = |l: &Layout, size: usize| -> BTreeSet<isize> {
            Map::of(l).at.iter().flat_map(|&at| (0..size as isize).map(move |i| at * size as isize + i)).collect()
        };
        let (x, y) = (layout(&a), layout(&b));
        let common = bytes(&x, a.2).intersection(&bytes(&y, b.2)).next().is_some();
        prop_assert_eq!(shares_memory(&x, a.2, &y, b.2), common);
        prop_assert_eq!(shares_memory(&y, b.2, &x, a.2), common);
        for l in [&x, &y] {
            let at = Map::of(l).at;
            prop_assert_eq!(l.is_injective(), at.iter().collect::<BTreeSet<_>>().len() == at.len());
        }
    }

    #[test]
    fn splits_cover_the_axis_in_order(layout in layouts(), axis in 0usize..6, parts in 1i64..7, cuts in proptest::collection::vec(-5i64..6, 0..4)) {
        prop_assume!(layout.ndim() > 0);
        let (map, axis) = (Map::of(&layout), axis % layout.ndim());
        let extent = map.shape[axis];
        let lengths = |views: &[Layout]| views.iter().map(|v| v.shape[axis]).collect::<Vec<_>>();
        let check = |views: Vec<Layout>| {
            let mut start = 0;
            for view in views {
                let list: Vec<usize> = (start..start + view.shape[axis]).collect();
                assert_eq!(Map::of(&view), map.pick(axis, &list));
                start += list.len();
            }
            assert_eq!(start, extent);
        };
        let uneven = layout.split_equal(axis as i64, parts, true).expect("any count");
        let expected: Vec<usize> = (0..parts as usize).map(|p| (extent + parts as usize - 1 - p) / parts as usize).collect();
        prop_assert_eq!(lengths(&uneven), expected);
        check(uneven);
        prop_assert_eq!(layout.split_equal(axis as i64, parts, false).is_ok(), extent as i64 % parts == 0);
        check(layout.chunk(axis as i64, parts).expect("any count"));
        let cut = layout.split_at(axis as i64, &cuts).expect("cuts clip");
        prop_assert_eq!(cut.len(), cuts.len() + 1);
        for (k, view) in cut.iter().enumerate() {
            let (start, stop) = (k.checked_sub(1).map(|k| cuts[k]), cuts.get(k).copied());
            let list = python_slice(extent, &Op { kind: 0, axis: 0, other: 0, start, stop, step: 1 });
            prop_assert_eq!(Map::of(view), map.pick(axis, &list));
        }
        let rows = layout.unstack(axis as i64).expect("small");
        prop_assert_eq!(rows.len(), extent);
        for (i, row) in rows.iter().enumerate() {
            prop_assert_eq!(Map::of(row).at, map.pick(axis, &[i]).at);
        }
    }
}
