//! Known answers about layouts: stated by other tensor libraries' tests, or computed with NumPy 2.

use tsk::tensor::{Layout, LayoutFault, Reshape, broadcast_shapes, merge, shares_memory};

fn of(shape: &[usize]) -> Layout {
    Layout::contiguous(shape).expect("a small shape")
}

fn strided(shape: &[usize], strides: &[isize], offset: isize) -> Layout {
    Layout { shape: shape.into(), strides: strides.into(), offset }
}

fn cut(layout: &Layout, axis: usize, start: i64, stop: i64) -> Layout {
    layout.slice(axis, Some(start), Some(stop), None).expect("a slice")
}

/// The offsets reached: the values of a view of a ramp.
fn values(layout: &Layout) -> Vec<isize> {
    layout.offsets().collect()
}

fn code<T: std::fmt::Debug>(result: Result<T, LayoutFault>) -> &'static str {
    result.expect_err("a fault").code()
}

fn view(layout: &Layout, shape: &[i64]) -> Option<Layout> {
    match layout.reshape(shape).expect("sizes match") {
        Reshape::View(view) => Some(view),
        Reshape::Copy(_) => None,
    }
}

#[test]
fn fact_1_and_2_row_major() {
    let t = of(&[2, 3, 4]);
    assert_eq!((t.strides.to_vec(), t.size()), (vec![12, 4, 1], 24));
    assert_eq!(t.offset_of(17), 17);
    let at = t.index(0, 1).and_then(|t| t.index(0, 1)).and_then(|t| t.index(0, 1)).expect("inside");
    assert_eq!((at.offset, at.ndim()), (17, 0));
    assert_eq!(t.index(0, 2), Err(LayoutFault::IndexOutOfRange { axis: 0, index: 2, extent: 2 }));
    let images = of(&[64, 3, 224, 224]);
    assert_eq!((images.strides.to_vec(), images.size()), (vec![150528, 50176, 224, 1], 9_633_792));
}

#[test]
fn fact_3_to_6_narrow_transpose_unsqueeze_step() {
    let t = of(&[4, 8]);
    let rows = t.narrow(0, 1, 2).expect("inside");
    assert_eq!((&rows, rows.is_contiguous()), (&strided(&[2, 8], &[8, 1], 8), true));
    let columns = t.narrow(1, 2, 3).expect("inside");
    assert_eq!((&columns, columns.is_contiguous()), (&strided(&[4, 3], &[8, 1], 2), false));
    assert_eq!(code(t.narrow(1, 6, 4)), "E0304");
    let turned = of(&[2, 3]).transposed();
    assert_eq!((&turned, turned.is_contiguous()), (&strided(&[3, 2], &[1, 3], 0), false));
    assert_eq!(turned.transposed(), of(&[2, 3]));
    let row = of(&[4]).expand_dims(&[0]).expect("inside");
    assert_eq!((&row, row.is_contiguous()), (&strided(&[1, 4], &[0, 1], 0), true));
    assert_eq!(row.squeeze(Some(&[0])), Ok(of(&[4])));
    assert_eq!(of(&[2, 3]).squeeze(Some(&[0])), Err(LayoutFault::NotUnit { axis: 0, extent: 2 }));
    assert_eq!(of(&[4]).expand_dims(&[1]).expect("inside").shape.to_vec(), [4, 1]);
    let stepped = of(&[8]).slice(0, None, None, Some(3)).expect("a slice");
    assert_eq!((stepped.strides[0], values(&stepped)), (3, vec![0, 3, 6]));
    assert_eq!(of(&[8]).slice(0, None, None, Some(0)), Err(LayoutFault::StepZero { axis: 0 }));
}

#[test]
fn fact_7_to_9_slices_of_slices() {
    let square = of(&[4, 4]);
    assert_eq!(values(&cut(&square, 0, 1, 3)), [4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(values(&cut(&square, 1, 2, 4)), [2, 3, 6, 7, 10, 11, 14, 15]);
    let t = of(&[6, 8]);
    let nested = cut(&cut(&t, 0, 1, 5), 1, 2, 6).slice(0, None, None, Some(2)).expect("a slice");
    let direct = cut(&t.slice(0, Some(1), Some(5), Some(2)).expect("a slice"), 1, 2, 6);
    assert_eq!(nested, direct);
    assert_eq!(values(&nested), [10, 11, 12, 13, 26, 27, 28, 29]);
    let odd = of(&[4, 6]).index(0, 2).and_then(|r| r.slice(0, Some(1), Some(6), Some(2))).expect("inside");
    assert_eq!(values(&odd), [13, 15, 17]);
}

#[test]
fn fact_10_to_12_numpy_views() {
    let t = of(&[2, 3, 4]);
    assert_eq!(t.permute(&[2, 0, 1]), Ok(strided(&[4, 2, 3], &[1, 12, 4], 0)));
    let back = |l: Layout, axis, step| l.slice(axis, None, None, Some(step)).expect("a slice");
    let flipped = back(back(t.index(0, 1).expect("inside"), 0, -1), 1, -2);
    assert_eq!(flipped, strided(&[3, 2], &[-4, -2], 23));
    assert_eq!(values(&flipped), [23, 21, 19, 17, 15, 13]);
    assert_eq!(t.newaxis(1).index(-1, 1), Ok(strided(&[2, 1, 3], &[12, 0, 4], 1)));
    assert_eq!(cut(&t, 1, 0, 1).broadcast_to(&[2, 3, 4]), Ok(strided(&[2, 3, 4], &[12, 0, 1], 0)));
    let empty = cut(&t, 1, 3, 3);
    assert_eq!((empty.shape.to_vec(), empty.is_contiguous()), (vec![2, 0, 4], true));
}

#[test]
fn fact_13_and_14_any_strides_within_the_buffer() {
    let flat = of(&[64]);
    let square = flat.as_strided(&[4, 4], &[4, 1], 16, 64).expect("inside");
    assert_eq!((square.offset_of(0), square.offset_of(15)), (16, 31));
    assert_eq!(code(flat.as_strided(&[8], &[1], 60, 64)), "E0209");
    assert_eq!(flat.as_strided(&[2, 2], &[3, 1], 0, 5).map(|l| l.bounds()), Ok(Some((0, 4))));
    assert_eq!(code(flat.as_strided(&[2, 2], &[3, 1], 0, 4)), "E0209");
    assert_eq!(code(flat.as_strided(&[3], &[-1], 1, 64)), "E0209");
}

#[test]
fn fact_15_permutations() {
    let t = of(&[2, 3, 4, 5]);
    let p = t.permute(&[3, 2, 1, 0]).expect("a permutation");
    assert_eq!(p.shape.to_vec(), [5, 4, 3, 2]);
    // out[d, c, b, a] = 60a + 20b + 5c + d
    assert_eq!(p.strides.to_vec(), [1, 5, 20, 60]);
    assert_eq!(p.permute(&[3, 2, 1, 0]), Ok(t.clone()));
    assert_eq!(t.permute(&[0, 1, 1, 2]), Err(LayoutFault::AxisRepeated { axis: 1 }));
    assert_eq!(t.permute(&[0, 1, 2, 4]), Err(LayoutFault::AxisOutOfRange { axis: 4, ndim: 4 }));
    assert_eq!(t.permute(&[0, 1, 2]), Err(LayoutFault::AxesIncomplete { given: 3, ndim: 4 }));
}

#[test]
fn fact_16_to_18_python_slices() {
    let taken = |extent: usize, start: Option<i64>, stop: Option<i64>, step: i64| {
        values(&of(&[extent]).slice(0, start, stop, Some(step)).expect("a slice"))
    };
    let (s, none) = (Some, None);
    assert_eq!(taken(6, s(5), s(2), -1), [5, 4, 3]);
    assert_eq!(taken(6, s(10), none, -3), [5, 2]);
    assert_eq!(taken(6, none, none, -1), [5, 4, 3, 2, 1, 0]);
    assert_eq!(taken(6, s(3), s(3), 1), [0isize; 0]);
    assert_eq!(taken(6, s(8), s(2), 1), [0isize; 0]);
    assert_eq!(taken(6, s(-100), s(100), 1), [0, 1, 2, 3, 4, 5]);
    assert_eq!(taken(6, s(7), none, 2), [0isize; 0]);
    assert_eq!(taken(6, s(-3), s(-1), 1), [3, 4]);
    assert_eq!(taken(6, s(-1), s(-4), -1), [5, 4, 3]);
    assert_eq!(taken(6, s(i64::MIN), s(i64::MAX), i64::MAX), [0]);
    assert_eq!(taken(6, s(i64::MAX), s(i64::MIN), i64::MIN), [5]);
    assert_eq!(taken(10, s(3), none, 1).len(), 7);
    assert_eq!(taken(10, s(-3), none, 1), [7, 8, 9]);
    assert_eq!(taken(10, none, s(-2), 1).len(), 8);
    assert_eq!(taken(10, s(-5), s(-2), 1), [5, 6, 7]);
    assert_eq!(of(&[10]).index(0, -1).map(|l| l.offset), Ok(9));
    let evens = of(&[5]).slice(0, None, None, Some(2)).expect("a slice");
    assert_eq!(values(&cut(&evens, 0, 0, 3)), [0, 2, 4]);
    let odds = of(&[5]).slice(0, Some(1), None, Some(2)).expect("a slice");
    assert_eq!(values(&odds.slice(0, Some(1), None, None).expect("a slice")), [3]);
    assert_eq!(taken(5, s(10), s(20), 1), [0isize; 0]);
    assert_eq!(taken(5, s(-10), s(3), 1), [0, 1, 2]);
}

#[test]
fn fact_19_to_28_batches_images_and_heads() {
    let d = of(&[1000, 784]);
    let batch = cut(&d, 0, 0, 32);
    assert_eq!((&batch, batch.is_contiguous()), (&strided(&[32, 784], &[784, 1], 0), true));
    let every_second = d.slice(0, None, None, Some(2)).expect("a slice");
    assert_eq!(every_second, strided(&[500, 784], &[1568, 1], 0));
    assert!(!every_second.is_contiguous());
    let images = of(&[64, 3, 224, 224]);
    let red = images.index(1, 0).expect("inside");
    assert_eq!(red, strided(&[64, 224, 224], &[150528, 224, 1], 0));
    assert!(!red.is_contiguous() && cut(&red, 0, 0, 1).is_contiguous());
    assert!(cut(&images, 0, 0, 8).is_contiguous() && !cut(&images, 1, 0, 1).is_contiguous());
    let window = |n: i64, rows: (i64, i64), columns: (i64, i64)| {
        cut(&cut(&cut(&images, 0, 0, n), 2, rows.0, rows.1), 3, columns.0, columns.1)
    };
    let middle = window(64, (112, 140), (112, 140));
    assert_eq!(middle, strided(&[64, 3, 28, 28], &[150528, 50176, 224, 1], 25200));
    assert_eq!(middle.size() * 4, 602_112);
    assert_eq!(window(1, (16, 208), (16, 208)).offset, 3600);
    assert_eq!(window(1, (50, 150), (75, 175)).offset, 11275);
    assert_eq!((cut(&images, 2, 10, 20).offset, cut(&images, 3, 10, 20).offset), (2240, 10));
    let upside_down = images.flip(Some(&[2])).expect("inside");
    assert_eq!((upside_down.strides.to_vec(), upside_down.offset), (vec![150528, 50176, -224, 1], 49952));
    let mirrored = images.slice(3, None, None, Some(-2)).expect("a slice");
    assert_eq!((mirrored.strides[3], mirrored.offset, mirrored.shape[3]), (-2, 223, 112));
    assert_eq!(cut(&of(&[32, 1000, 512]), 1, 100, 200), strided(&[32, 100, 512], &[512000, 512, 1], 51200));
    let maps = cut(&of(&[32, 256, 56, 56]), 1, 0, 128);
    assert_eq!(maps, strided(&[32, 128, 56, 56], &[802816, 3136, 56, 1], 0));
    assert!(!maps.is_contiguous());
    assert_eq!(of(&[32, 12, 512, 64]).index(1, 7), Ok(strided(&[32, 512, 64], &[393216, 64, 1], 229376)));
}

#[test]
fn fact_29_to_32_reshape() {
    assert_eq!(view(&of(&[2, 3, 4]), &[4, -1, 2]), Some(of(&[4, 3, 2])));
    assert_eq!(code(of(&[2, 2]).reshape(&[3, 2])), "E0204");
    assert_eq!(code(of(&[2, 2]).reshape(&[-1, -1])), "E0204");
    assert_eq!(code(of(&[2, 2]).reshape(&[-2, 2])), "E0206");
    assert_eq!(code(of(&[0, 2]).reshape(&[-1, 0])), "E0204");
    assert_eq!(view(&of(&[0, 2]), &[-1, 3]), Some(of(&[0, 3])));
    let middle = cut(&of(&[2, 3, 4]), 2, 1, 3);
    assert_eq!(view(&middle, &[6, 2]), Some(strided(&[6, 2], &[4, 1], 1)));
    assert_eq!((view(&middle, &[2, 6]), view(&middle, &[12])), (None, None));
    let rows = of(&[4, 6]).slice(0, None, None, Some(2)).expect("a slice");
    assert_eq!(view(&rows, &[2, 2, 3]), Some(strided(&[2, 2, 3], &[12, 3, 1], 0)));
    assert_eq!(view(&rows, &[2, 3, 2]), Some(strided(&[2, 3, 2], &[12, 2, 1], 0)));
    assert_eq!(view(&rows, &[12]), None);
    let unit = strided(&[2, 1, 3], &[3, 999, 1], 0);
    assert_eq!(view(&unit, &[6]), Some(of(&[6])), "the stride of a unit axis never matters");
}

#[test]
fn fact_33_to_36_merged_loops() {
    let one = |shape: &[usize], strides: &[isize]| {
        let m = merge(shape, &[&strided(shape, strides, 0)]);
        (m.shape.to_vec(), m.strides[0].to_vec(), m.offsets[0])
    };
    assert_eq!(one(&[10, 20, 30], &[1, 10, 200]), (vec![6000], vec![1], 0));
    assert_eq!(one(&[30, 20, 10], &[200, 10, 1]), (vec![6000], vec![1], 0));
    assert_eq!(one(&[10], &[-1]), (vec![10], vec![1], -9));
    assert_eq!(one(&[4, 2], &[-8, 1]), (vec![4, 2], vec![8, 1], -24));
    assert_eq!(one(&[4, 3, 2], &[1, -4, 20]), (vec![2, 12], vec![20, 1], -8));
    assert_eq!(one(&[4, 3], &[-7, 1]), (vec![4, 3], vec![7, 1], -21));
    assert_eq!(one(&[4, 5], &[-1, -4]), (vec![20], vec![1], -19));
    let two = |shape: &[usize], a: &[isize], b: &[isize]| {
        let m = merge(shape, &[&strided(shape, a, 0), &strided(shape, b, 0)]);
        (m.shape.to_vec(), m.strides[0].to_vec(), m.strides[1].to_vec())
    };
    assert_eq!(two(&[2, 3], &[6, 2], &[12, 4]), (vec![6], vec![2], vec![4]));
    assert_eq!(two(&[2, 3], &[8, 2], &[12, 4]).0, [2, 3]);
    assert_eq!(one(&[2, 3, 4], &[0, 0, 0]), (vec![24], vec![0], 0));
    assert_eq!(two(&[7, 2, 5], &[14, 0, 0], &[21, 0, 0]), (vec![7, 10], vec![14, 0], vec![21, 0]));
}

#[test]
fn fact_37_and_38_contraction_groups_and_nothing_to_do() {
    // A[2,3,4] times B[4,5,6] over (2, 0) into C[2,3,5,6].
    let m = merge(&[2, 3], &[&strided(&[2, 3], &[12, 4], 0), &strided(&[2, 3], &[90, 30], 0)]);
    assert_eq!((m.shape.to_vec(), m.strides[0][0], m.strides[1][0]), (vec![6], 4, 30));
    let n = merge(&[5, 6], &[&strided(&[5, 6], &[6, 1], 0), &strided(&[5, 6], &[6, 1], 0)]);
    assert_eq!((n.shape.to_vec(), n.strides[0][0], n.strides[1][0]), (vec![30], 1, 1));
    for shape in [&[3, 0][..], &[0, 3], &[0]] {
        let m = merge(shape, &[&of(shape)]);
        assert!(m.is_empty() && m.size() == 0);
    }
    assert_eq!(merge(&[], &[&of(&[])]).size(), 1);
}

#[test]
fn fact_39_and_40_broadcast_shapes() {
    assert_eq!(broadcast_shapes(&[&[2, 3], &[1, 3]]).map(|s| s.to_vec()), Ok(vec![2, 3]));
    assert_eq!(broadcast_shapes(&[&[2, 1, 3], &[1, 2, 1]]).map(|s| s.to_vec()), Ok(vec![2, 2, 3]));
    assert_eq!(broadcast_shapes(&[&[], &[0, 1], &[1, 4]]).map(|s| s.to_vec()), Ok(vec![0, 4]));
    let fault = broadcast_shapes(&[&[32, 256], &[512]]).expect_err("256 against 512");
    let diag = fault.diag();
    assert_eq!((diag.code, diag.message.as_str()), ("E0203", "shapes do not broadcast"));
    assert_eq!(diag.notes, ["axis -1: 256 against 512"]);
    let hint = broadcast_shapes(&[&[4, 3], &[4]]).expect_err("3 against 4").diag().hint;
    assert_eq!(hint.as_deref(), Some("`[..., None]` makes [4, 1] of [4], which broadcasts"));
    let fault = of(&[0, 1]).broadcast_to(&[3, 2]).expect_err("0 against 3");
    assert_eq!(fault.diag().notes, ["axis -2: 0 against 3"]);
}

#[test]
fn fact_44_45_47_split_squeeze_eye() {
    let halves = of(&[2, 5]).split_at(1, &[2, 4]).expect("cuts");
    assert_eq!(halves.iter().map(|l| l.shape.to_vec()).collect::<Vec<_>>(), [[2, 2], [2, 2], [2, 1]]);
    assert_eq!(of(&[2, 5]).split_equal(1, 0, true), Err(LayoutFault::SplitParts { parts: 0 }));
    assert_eq!(of(&[2, 5]).split_equal(1, 2, false).map_err(|f| f.code()), Err("E0208"));
    assert_eq!(of(&[1, 3, 1, 4]).squeeze(None).expect("units").shape.to_vec(), [3, 4]);
    assert_eq!(of(&[3, 4]).expand_dims(&[-1]).expect("inside").shape.to_vec(), [3, 4, 1]);
    assert_eq!(of(&[1]).squeeze(None), Ok(Layout::scalar()));
    // The diagonal of [2, 3, 4] over all axes, as `eye(2, 3, 4)` sets it: (0,0,0) and (1,1,1).
    let diagonal = of(&[2, 3, 4]).diagonal(0, 0, 1).and_then(|d| d.diagonal(0, 0, 1)).expect("axes");
    assert_eq!(values(&diagonal), [0, 17]);
}

#[test]
fn layouts_far_above_two_to_the_31_elements() {
    let huge = of(&[1 << 20, 1 << 20, 1 << 20]);
    assert_eq!(huge.size(), 1 << 60);
    let corner = huge.flip(None).expect("all axes");
    assert_eq!((corner.offset, corner.offset_of((1 << 60) - 1)), ((1 << 60) - 1, 0));
    assert!(corner.is_injective() && huge.transposed().is_injective());
    assert_eq!(merge(&corner.shape, &[&corner]).shape.to_vec(), [1 << 60]);
    assert_eq!(view(&huge, &[-1, 1 << 10]).map(|v| v.shape[0]), Some(1 << 50));
    assert_eq!(code(Layout::contiguous(&[1 << 32, 1 << 32])), "E0206");
    assert_eq!(code(Layout::contiguous(&[0, usize::MAX])), "E0206");
    assert_eq!(code(of(&[1 << 40]).newaxis(0).broadcast_to(&[1 << 40, 1 << 40])), "E0206");
    assert_eq!(code(of(&[1]).broadcast_to(&[usize::MAX])), "E0206");
    assert_eq!(code(huge.reshape(&[i64::MAX, i64::MAX])), "E0204");
    assert_eq!(code(of(&[1 << 40]).unstack(0)), "E0208");
    assert_eq!(code(of(&[4]).split_equal(0, 1 << 40, true)), "E0208");
    let windows = of(&[1 << 40]).windows(&[0], &[1 << 20], &[1]).expect("fits");
    assert!(!windows.is_injective());
    assert_eq!(code(of(&[1 << 40]).windows(&[0], &[1 << 39], &[1])), "E0206");
}

#[test]
fn windows_and_their_faults() {
    let t = of(&[6, 8]);
    let w = t.windows(&[0, 1], &[3, 2], &[1, 3]).expect("fits");
    assert_eq!(w, strided(&[4, 3, 3, 2], &[8, 3, 8, 1], 0));
    assert_eq!(t.windows(&[1], &[9], &[1]), Err(LayoutFault::WindowSize { axis: 1, size: 9, extent: 8 }));
    assert_eq!(t.windows(&[-1], &[2], &[0]), Err(LayoutFault::WindowStep { axis: 1 }));
    assert_eq!(code(t.windows(&[0, 1], &[2], &[1, 1])), "E0202");
    // Windows without overlap may be written, overlapping ones not.
    assert!(of(&[6]).windows(&[0], &[2], &[2]).expect("fits").is_injective());
    assert!(!of(&[6]).windows(&[0], &[3], &[2]).expect("fits").is_injective());
    assert!(!of(&[6]).broadcast_to(&[2, 6]).expect("stretches").is_injective());
}

#[test]
fn views_of_one_buffer_meet_or_do_not() {
    let x = of(&[100]);
    let step = |start, step| x.slice(0, Some(start), None, Some(step)).expect("a slice");
    assert!(!shares_memory(&step(0, 2), 4, &step(1, 2), 4));
    assert!(shares_memory(&step(0, 2), 4, &step(1, 3), 4));
    assert!(!shares_memory(&step(0, 6), 4, &step(1, 4), 4));
    assert!(!shares_memory(&cut(&x, 0, 0, 50), 4, &cut(&x, 0, 50, 100), 4));
    assert!(!shares_memory(&cut(&x, 0, 3, 3), 4, &x, 4));
    // The real and the imaginary parts of complex numbers: f32 elements of an 8-byte stride.
    assert!(!shares_memory(&step(0, 2), 4, &strided(&[50], &[2], 1), 4));
    assert!(shares_memory(&strided(&[50], &[1], 0), 8, &strided(&[50], &[2], 1), 4));
}

#[test]
fn hard_overlap_questions_end_fast() {
    // Eight axes of nearly equal coprime strides: the search has no structure to use.
    let strides = [100_003, 100_019, 100_043, 100_049, 100_057, 100_069, 100_103, 100_109];
    let hard = strided(&[9; 8], &strides, 0);
    let other = strided(&[9; 8], &strides.map(|s| s + 2), 1);
    let start = std::time::Instant::now();
    let _ = (hard.is_injective(), shares_memory(&hard, 8, &other, 8));
    assert!(start.elapsed().as_secs() < 5);
}

#[test]
fn compose_through_joined_and_split_axes() {
    let base = of(&[4, 6]);
    let rows = base.slice(0, None, None, Some(2)).expect("a slice");
    // [2, 6] strides [12, 1] seen as [2, 2, 3], then its last column.
    let outer = of(&[2, 2, 3]).index(2, 2).expect("inside");
    assert_eq!(outer.compose(&[2, 6], &rows), Some(strided(&[2, 2], &[12, 3], 2)));
    assert_eq!(of(&[12]).compose(&[2, 6], &rows), None, "one axis cannot jump between rows");
    assert_eq!(of(&[12]).compose(&[2, 6], &of(&[2, 6])), Some(of(&[12])));
    let flipped = of(&[12]).flip(None).expect("all axes");
    assert_eq!(flipped.compose(&[3, 4], &of(&[3, 4]).flip(None).expect("all axes")), Some(of(&[12])));
    assert_eq!(of(&[3]).compose(&[2, 6], &of(&[3])), None, "shapes must agree");
}
