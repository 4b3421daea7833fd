use super::{Layout, Shape};
use crate::base::Diag;

/// Why a layout operation is impossible: the facts, without a place in the source.
///
/// `axis` fields count from the front (0 is the outermost) unless said otherwise; extents and lengths are elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LayoutFault {
    /// `axis_from_right` is 1 for the last axis; the first that differs, looked at from the right.
    NotBroadcastable {
        shapes: Vec<Shape>,
        axis_from_right: usize,
    },
    /// `from` cannot be stretched to `to`; `axis_from_right` as above.
    NotBroadcastTo {
        from: Vec<usize>,
        to: Vec<usize>,
        axis_from_right: usize,
    },
    AxisOutOfRange {
        axis: i64,
        ndim: usize,
    },
    AxisRepeated {
        axis: usize,
    },
    /// A list of axes must name each axis of the tensor once.
    AxesIncomplete {
        given: usize,
        ndim: usize,
    },
    /// Two lists that must have the same length.
    ListsDiffer {
        what: &'static str,
        left: usize,
        right: usize,
    },
    NegativeExtent {
        extent: i64,
    },
    /// The element count does not fit in isize.
    TooLarge {
        shape: Vec<usize>,
    },
    ReshapeSize {
        from: Shape,
        to: Vec<i64>,
    },
    ReshapeUnknowns {
        to: Vec<i64>,
    },
    NotUnit {
        axis: usize,
        extent: usize,
    },
    WindowSize {
        axis: usize,
        size: usize,
        extent: usize,
    },
    WindowStep {
        axis: usize,
    },
    SplitParts {
        parts: i64,
    },
    SplitUneven {
        axis: usize,
        extent: usize,
        parts: i64,
    },
    TooManyParts {
        parts: u64,
    },
    /// The view would reach elements `low..=high` of a buffer of `elements`.
    OutsideBuffer {
        low: i128,
        high: i128,
        elements: usize,
    },
    /// An operation on the first axis, or along two axes, of a tensor that has too few.
    TooFewAxes {
        needed: usize,
        ndim: usize,
    },
    IndexOutOfRange {
        axis: usize,
        index: i64,
        extent: usize,
    },
    TooManyIndices {
        given: usize,
        ndim: usize,
    },
    StepZero {
        axis: usize,
    },
    NarrowOutside {
        axis: usize,
        start: i64,
        length: i64,
        extent: usize,
    },
}

impl LayoutFault {
    pub fn code(&self) -> &'static str {
        use LayoutFault::*;
        match self {
            AxisOutOfRange { .. } | TooFewAxes { .. } => "E0201",
            AxisRepeated { .. } | AxesIncomplete { .. } | ListsDiffer { .. } => "E0202",
            NotBroadcastable { .. } | NotBroadcastTo { .. } => "E0203",
            ReshapeSize { .. } | ReshapeUnknowns { .. } => "E0204",
            NotUnit { .. } => "E0205",
            NegativeExtent { .. } | TooLarge { .. } => "E0206",
            WindowSize { .. } | WindowStep { .. } => "E0207",
            SplitParts { .. } | SplitUneven { .. } | TooManyParts { .. } => "E0208",
            OutsideBuffer { .. } => "E0209",
            IndexOutOfRange { .. } => "E0301",
            TooManyIndices { .. } => "E0302",
            StepZero { .. } => "E0303",
            NarrowOutside { .. } => "E0304",
        }
    }

    /// Message, notes and hint; the caller adds places.
    pub fn diag(&self) -> Diag {
        let diag = Diag::new(self.code(), self.message());
        let diag = self.notes().into_iter().fold(diag, Diag::note);
        let diag = match self.conflict() {
            Some((a, b)) => diag.between(a, b),
            None => diag,
        };
        match self.hint() {
            Some(hint) => diag.hint(hint),
            None => diag,
        }
    }

    fn message(&self) -> String {
        use LayoutFault::*;
        match self {
            NotBroadcastable { .. } => "shapes do not broadcast".into(),
            NotBroadcastTo { from, to, .. } => format!("{} does not broadcast to {}", list(from), list(to)),
            AxisOutOfRange { axis, ndim: 0 } => format!("axis {axis} of a tensor that has no axes"),
            AxisOutOfRange { axis, ndim } => format!("axis {axis} is out of range for {}", axes_of(*ndim)),
            AxisRepeated { axis } => format!("axis {axis} is named twice"),
            AxesIncomplete { given, ndim } => format!("{given} axes named, the tensor has {ndim}"),
            ListsDiffer { what, left, right } => format!("{what} differ in length: {left} against {right}"),
            NegativeExtent { extent } => format!("an extent cannot be negative: {extent}"),
            TooLarge { shape } => format!("a shape of {} has too many elements", list(shape)),
            ReshapeSize { from, to } => format!("cannot reshape {} to {}", list(from), list(to)),
            ReshapeUnknowns { .. } => "only one extent of a reshape can be -1".into(),
            NotUnit { axis, extent } => format!("cannot squeeze axis {axis}: its extent is {extent}, not 1"),
            WindowSize { axis, size, extent } => {
                format!("a window of {size} does not fit axis {axis} of extent {extent}")
            }
            WindowStep { axis } => format!("the window step on axis {axis} must be at least 1"),
            SplitParts { parts } => format!("cannot split into {parts} parts"),
            SplitUneven { axis, extent, parts } => {
                format!("axis {axis} of extent {extent} does not split into {parts} equal parts")
            }
            TooManyParts { parts } => format!("{parts} parts are too many"),
            OutsideBuffer { .. } => "the view reaches outside its buffer".into(),
            TooFewAxes { needed, ndim } => format!("needs at least {}, the tensor has {ndim}", axes_of(*needed)),
            IndexOutOfRange { axis, index, extent } => {
                format!("index {index} is out of range for axis {axis} with extent {extent}")
            }
            TooManyIndices { given, ndim } => format!("{given} indices for {}", axes_of(*ndim)),
            StepZero { .. } => "slice step cannot be zero".into(),
            NarrowOutside { axis, start, length, extent } => {
                format!("start {start}, length {length} lies outside axis {axis} of extent {extent}")
            }
        }
    }

    fn notes(&self) -> Vec<String> {
        use LayoutFault::*;
        match self {
            NotBroadcastable { shapes, axis_from_right } => {
                let shapes: Vec<&[usize]> = shapes.iter().map(Shape::as_slice).collect();
                vec![differing(&shapes, *axis_from_right)]
            }
            NotBroadcastTo { from, to, axis_from_right } if from.len() > to.len() => {
                vec![format!("{} against {} (axis -{axis_from_right})", axes_of(from.len()), axes_of(to.len()))]
            }
            NotBroadcastTo { from, to, axis_from_right } => {
                vec![differing(&[from, to], *axis_from_right)]
            }
            ReshapeSize { from, to } => match counts(from, to) {
                Some((have, n)) if to.contains(&-1) => vec![format!("{have} elements do not divide by {n}")],
                Some((have, n)) => vec![format!("{have} elements against {n}")],
                None => Vec::new(),
            },
            OutsideBuffer { low, high, elements } => {
                vec![format!("reaches elements {low} to {high} of {elements}")]
            }
            _ => Vec::new(),
        }
    }

    /// The two numbers that do not go together.
    fn conflict(&self) -> Option<(u128, u128)> {
        use LayoutFault::*;
        let wide = |a: usize, b: usize| Some((a as u128, b as u128));
        match self {
            NotBroadcastable { shapes, axis_from_right } => {
                let shapes: Vec<&[usize]> = shapes.iter().map(Shape::as_slice).collect();
                match extents(&shapes, *axis_from_right)[..] {
                    [a, b] => wide(a, b),
                    _ => None,
                }
            }
            NotBroadcastTo { from, to, .. } if from.len() > to.len() => wide(from.len(), to.len()),
            NotBroadcastTo { from, to, axis_from_right } => match extents(&[from, to], *axis_from_right)[..] {
                [a, b] => wide(a, b),
                _ => None,
            },
            ReshapeSize { from, to } => counts(from, to),
            AxesIncomplete { given, ndim } => wide(*given, *ndim),
            ListsDiffer { left, right, .. } => wide(*left, *right),
            NotUnit { extent, .. } => wide(*extent, 1),
            WindowSize { size, extent, .. } => wide(*size, *extent),
            SplitUneven { extent, parts, .. } => Some((*extent as u128, u128::try_from(*parts).ok()?)),
            IndexOutOfRange { index, extent, .. } => Some((u128::from(index.unsigned_abs()), *extent as u128)),
            NarrowOutside { start, length, extent, .. } => {
                Some((u128::try_from(i128::from(*start) + i128::from(*length)).ok()?, *extent as u128))
            }
            _ => None,
        }
    }

    fn hint(&self) -> Option<String> {
        use LayoutFault::*;
        match self {
            NotBroadcastable { shapes, .. } => broadcast_hint(shapes),
            AxisOutOfRange { ndim, .. } if *ndim > 0 => Some(format!("axes are -{ndim} to {}", ndim - 1)),
            ReshapeSize { from, to } => reshape_hint(from, to),
            IndexOutOfRange { extent: 0, .. } => Some("the axis is empty".into()),
            IndexOutOfRange { extent, .. } => Some(format!("valid are -{extent} to {}", extent - 1)),
            SplitUneven { .. } => Some("array_split allows parts of unequal length".into()),
            _ => None,
        }
    }
}

/// `[2, 3]`
fn list<T: std::fmt::Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    format!("[{}]", items.join(", "))
}

/// `1 axis`, `2 axes`
pub fn axes_of(n: usize) -> String {
    if n == 1 { "1 axis".into() } else { format!("{n} axes") }
}

/// Elements that a reshape has, and those that its new shape names.
fn counts(from: &[usize], to: &[i64]) -> Option<(u128, u128)> {
    let have = from.iter().try_fold(1u128, |n, &e| n.checked_mul(e as u128))?;
    let known = to.iter().filter(|&&e| e >= 0).try_fold(1u128, |n, &e| n.checked_mul(e as u128))?;
    Some((have, known))
}

/// The extents on an axis, each once.
fn extents(shapes: &[&[usize]], axis_from_right: usize) -> Vec<usize> {
    let mut extents: Vec<usize> = Vec::new();
    for shape in shapes {
        let extent = shape.len().checked_sub(axis_from_right).map(|axis| shape[axis]);
        if let Some(e) = extent.filter(|e| !extents.contains(e)) {
            extents.push(e);
        }
    }
    if shapes.len() > 2 {
        extents.retain(|&e| e != 1);
    }
    extents
}

/// `axis -1: 256 against 512`, each distinct extent once.
fn differing(shapes: &[&[usize]], axis_from_right: usize) -> String {
    let extents: Vec<String> = extents(shapes, axis_from_right).iter().map(usize::to_string).collect();
    format!("axis -{axis_from_right}: {}", extents.join(" against "))
}

/// A new last axis on the lower operand often is what was meant: `[4, 3]` with `[4]`.
fn broadcast_hint(shapes: &[Shape]) -> Option<String> {
    let [a, b] = shapes else { return None };
    let (high, low) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut with_axis = low.clone();
    with_axis.push(1);
    let fits = low.len() < high.len() && super::broadcast_shapes(&[high, &with_axis]).is_ok();
    fits.then(|| format!("`[..., None]` makes {} of {}, which broadcasts", list(&with_axis), list(low)))
}

/// The extent that would make one given extent right.
fn reshape_hint(from: &Shape, to: &[i64]) -> Option<String> {
    let size = Layout::contiguous(from).ok()?.size();
    for axis in (0..to.len()).rev() {
        let mut rest: usize = 1;
        for (_, &e) in to.iter().enumerate().filter(|&(i, _)| i != axis) {
            rest = rest.checked_mul(usize::try_from(e).ok()?)?;
        }
        if rest > 0 && size.is_multiple_of(rest) {
            let mut better = to.to_vec();
            better[axis] = i64::try_from(size / rest).ok()?;
            return Some(format!("{} would do", list(&better)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_state_the_facts_and_what_would_do() {
        let reshape = |from: &[usize], to: &[i64]| {
            let fault = Layout::contiguous(from).and_then(|l| l.reshape(to)).expect_err("sizes differ");
            let diag = fault.diag();
            (diag.message, diag.notes.join(";"), diag.hint)
        };
        assert_eq!(
            reshape(&[12], &[3, 5]),
            ("cannot reshape [12] to [3, 5]".into(), "12 elements against 15".into(), Some("[3, 4] would do".into()))
        );
        let (_, note, hint) = reshape(&[10], &[3, -1]);
        assert_eq!((note.as_str(), hint), ("10 elements do not divide by 3", None));
        let index = LayoutFault::IndexOutOfRange { axis: 0, index: 7, extent: 5 }.diag();
        assert_eq!(index.message, "index 7 is out of range for axis 0 with extent 5");
        assert_eq!((index.code, index.hint.as_deref()), ("E0301", Some("valid are -5 to 4")));
        let axis = super::super::axis(3, 2).expect_err("two axes").diag();
        assert_eq!(
            (axis.message.as_str(), axis.hint.as_deref()),
            ("axis 3 is out of range for 2 axes", Some("axes are -2 to 1"))
        );
        let three: [&[usize]; 3] = [&[2, 3], &[1, 3], &[4, 3]];
        let notes = super::super::broadcast_shapes(&three).expect_err("2 against 4").diag().notes;
        assert_eq!(notes, ["axis -2: 2 against 4"]);
    }
}
