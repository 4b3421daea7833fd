//! Indices that hold tensors, lists or masks: gathers and scatters at positions, placed as NumPy places them.

use super::Eval;
use super::index::{Item, Items, drop_axis};
use crate::base::{Diag, Span};
use crate::plan::build::{self, MapArg, Picks};
use crate::plan::{CopyReason, Operand, Tensor};
use crate::tensor::{Buffer, DType, HostArray, Layout, Scalar, Shape, View, broadcast_shapes};
use crate::value::Value;
use std::sync::Arc;

/// An advanced index, checked against its base.
pub(super) struct Picked {
    /// The base with its basic items applied.
    view: Tensor,
    axes: Vec<(usize, Operand)>,
    shape: Shape,
    at: usize,
}

/// Positions along one axis, before they are brought together.
struct Positions {
    /// Axis of the view.
    axis: usize,
    values: HostArray,
}

/// What an advanced item needs while the view is made.
struct Walk {
    layout: Layout,
    axis: usize,
    source: usize,
    positions: Vec<Positions>,
    shapes: Vec<Shape>,
    /// Result axes before the first advanced item.
    at: Option<usize>,
    /// Result axes so far, the advanced ones aside.
    kept: usize,
    /// 0 before the first advanced item, 1 within the first run, 2 behind it, 3 where a second run began.
    run: u8,
}

impl Walk {
    /// An advanced item (integers count, as NumPy has it) belongs to the run, or begins a second one.
    fn advanced(&mut self) {
        match self.run {
            0 => {
                self.at = Some(self.kept);
                self.run = 1;
            }
            2 => self.run = 3,
            _ => {}
        }
    }

    fn basic(&mut self, kept: usize) {
        self.kept += kept;
        if self.run == 1 {
            self.run = 2;
        }
    }
}

impl Eval<'_> {
    /// Checks an advanced index; its tensors are computed now.
    pub(super) fn picked(&mut self, t: &Tensor, items: &Items, base: Span) -> Result<Picked, Diag> {
        let rest = items.rest(t, base)?;
        self.force_items(items)?;
        let mut walk = Walk {
            layout: t.view.layout.clone(),
            axis: 0,
            source: 0,
            positions: Vec::new(),
            shapes: Vec::new(),
            at: None,
            kept: 0,
            run: 0,
        };
        for (item, span) in &items.items {
            self.advance(&mut walk, t, item, rest, *span, base)?;
        }
        let shapes: Vec<&[usize]> = walk.shapes.iter().map(|s| s.as_slice()).collect();
        let shape = broadcast_shapes(&shapes).map_err(|fault| {
            let mut diag = Diag::new("E0307", "index tensors do not broadcast together");
            let cause = fault.diag();
            (diag.notes, diag.conflict) = (cause.notes, cause.conflict);
            for (item, span) in &items.items {
                if let Item::Index(t) | Item::Mask(t) = item {
                    diag = diag.label(*span, t.describe());
                }
            }
            diag.at(items.span)
        })?;
        let mut axes = Vec::with_capacity(walk.positions.len());
        for p in walk.positions {
            axes.push((p.axis, Tensor::from_array(p.values, None).operand()));
        }
        let at = if walk.run == 3 { 0 } else { walk.at.unwrap_or(0) };
        Ok(Picked { view: t.viewed(walk.layout), axes, shape, at })
    }

    fn force_items(&mut self, items: &Items) -> Result<(), Diag> {
        for (item, span) in &items.items {
            if let Item::Index(t) | Item::Mask(t) = item {
                if self.state.checking {
                    continue;
                }
                self.force_node(&t.cell.version(), *span)?;
            }
        }
        Ok(())
    }

    fn advance(
        &mut self,
        walk: &mut Walk,
        t: &Tensor,
        item: &Item,
        rest: usize,
        span: Span,
        base: Span,
    ) -> Result<(), Diag> {
        match item {
            Item::Int(i) => {
                walk.advanced();
                walk.layout = drop_axis(&walk.layout, walk.axis, *i, walk.source)
                    .map_err(|d| d.label(span, "").label(base, t.describe()))?;
                walk.source += 1;
            }
            Item::Slice { start, stop, step } => {
                walk.layout =
                    walk.layout.slice(walk.axis, *start, *stop, *step).map_err(|f| f.diag().label(span, ""))?;
                walk.axis += 1;
                walk.source += 1;
                walk.basic(1);
            }
            Item::Ellipsis => {
                walk.axis += rest;
                walk.source += rest;
                walk.basic(rest);
            }
            Item::NewAxis => {
                walk.layout = walk.layout.newaxis(walk.axis);
                walk.axis += 1;
                walk.basic(1);
            }
            Item::Flag(on) => {
                walk.advanced();
                walk.shapes.push([usize::from(*on)].into_iter().collect());
            }
            Item::Index(index) => {
                walk.advanced();
                let extent = walk.layout.shape[walk.axis];
                let values = if self.state.checking && !written_out(index) {
                    self.some_positions(index.shape(), extent, span)?
                } else {
                    normalised(read(index, span)?, index, extent, walk.source)
                        .map_err(|d| d.label(span, index.describe()).label(base, t.describe()))?
                };
                walk.shapes.push(index.shape().into());
                walk.positions.push(Positions { axis: walk.axis, values });
                walk.axis += 1;
                walk.source += 1;
            }
            Item::Mask(mask) => {
                walk.advanced();
                let covered = &walk.layout.shape[walk.axis..walk.axis + mask.ndim()];
                if covered != mask.shape() {
                    let diag = Diag::new("E0306", "a mask has the extents of the axes that it covers")
                        .label(span, mask.describe())
                        .label(base, t.describe())
                        .note(format!("axes {} on have {covered:?}, the mask has {:?}", walk.source, mask.shape()));
                    return Err(match covered.iter().zip(mask.shape()).find(|(a, b)| a != b) {
                        Some((a, b)) => diag.between(*a, *b),
                        None => diag,
                    });
                }
                if self.state.checking && !written_out(mask) {
                    let count = self.unknown_count(mask.size(), span)?;
                    walk.shapes.push([count].into_iter().collect());
                    for axis in walk.axis..walk.axis + mask.ndim() {
                        let values = self.some_positions(&[count], walk.layout.shape[axis], span)?;
                        walk.positions.push(Positions { axis, values });
                    }
                    walk.axis += mask.ndim();
                    walk.source += mask.ndim();
                    return Ok(());
                }
                let found = nonzero(mask, span)?;
                walk.shapes.push([found.first().map_or(0, Vec::len)].into_iter().collect());
                for values in found {
                    let shape = [values.len()];
                    walk.positions
                        .push(Positions { axis: walk.axis, values: host(&values, &shape).map_err(|d| d.at(span))? });
                    walk.axis += 1;
                    walk.source += 1;
                }
            }
        }
        Ok(())
    }

    /// The elements at the positions: a copy.
    pub(super) fn gather(&mut self, picked: &Picked, span: Span) -> Result<Value, Diag> {
        let mut cx = self.cx(span);
        let node = if picked.axes.is_empty() {
            let view = picked.flagged().map_err(|d| d.at(cx.span))?;
            build::copy(&view.operand(), CopyReason::Asked { by: "an index with bools" }, cx.span)
        } else {
            build::take(&picked.view.operand(), &picked.picks(), cx.span).map_err(|d| d.at(cx.span))?
        };
        Ok(cx.fresh(node))
    }

    /// Writes at the positions; the last of repeated positions wins.
    pub(super) fn scatter(&mut self, picked: &Picked, value: &MapArg, span: Span) -> Result<(), Diag> {
        let place = self.place(span);
        let mut force = |node: &crate::plan::NodeRef| self.force_node(node, span);
        if picked.axes.is_empty() {
            return build::store(&picked.flagged()?, value, &mut force, place);
        }
        build::put(&picked.view, &picked.picks(), value, None, &mut force, place)
    }
}

impl Picked {
    fn picks(&self) -> Picks<'_> {
        Picks { axes: &self.axes, shape: &self.shape, at: self.at }
    }

    /// An index by bools alone: an axis of extent 1 or 0.
    fn flagged(&self) -> Result<Tensor, Diag> {
        let stop = self.shape.first().map_or(1, |&e| e as i64);
        let layout = self.view.view.layout.newaxis(self.at);
        Ok(self.view.viewed(layout.slice(self.at, None, Some(stop), None).map_err(|f| f.diag())?))
    }
}

fn array(t: &Tensor, span: Span) -> Result<HostArray, Diag> {
    t.array().ok_or_else(|| Diag::interrupted().label(span, ""))
}

/// Row-major integers of a tensor that is there.
fn read(t: &Tensor, span: Span) -> Result<Vec<i64>, Diag> {
    let (array, dtype) = (array(t, span)?, t.dtype());
    let (size, bytes) = (dtype.size(), array.buffer.bytes());
    let value = |offset: isize| match Scalar::read(dtype, &bytes[offset as usize * size..]) {
        Scalar::UInt(u) => i64::try_from(u).unwrap_or(i64::MAX),
        other => other.to_i64_wrapping(),
    };
    Ok(t.view.layout.offsets().map(value).collect())
}

/// Positions from the front. E0301 names axis, index and extent.
fn normalised(mut values: Vec<i64>, index: &Tensor, extent: usize, axis: usize) -> Result<HostArray, Diag> {
    let n = extent as i64;
    for v in &mut values {
        let at = if *v < 0 { v.saturating_add(n) } else { *v };
        if !(0..n).contains(&at) {
            return Err(crate::tensor::LayoutFault::IndexOutOfRange { axis, index: *v, extent }.diag());
        }
        *v = at;
    }
    host(&values, index.shape())
}

/// Positions written out in the script are no data.
fn written_out(t: &Tensor) -> bool {
    t.origin.is_none() && t.cell.version().is_done()
}

fn host(values: &[i64], shape: &[usize]) -> Result<HostArray, Diag> {
    let buffer = Buffer::from_slice(values).map_err(|f| f.diag())?;
    let layout = Layout::contiguous(shape).map_err(|f| f.diag())?;
    Ok(HostArray { buffer: Arc::new(buffer), view: View { layout, dtype: DType::I64, conj: false } })
}

/// Positions of the true elements, one list for each axis of the mask.
fn nonzero(mask: &Tensor, span: Span) -> Result<Vec<Vec<i64>>, Diag> {
    let array = array(mask, span)?;
    let bytes = array.buffer.bytes();
    let mut found: Vec<Vec<i64>> = vec![Vec::new(); mask.ndim()];
    let mut at: Vec<i64> = vec![0; mask.ndim()];
    for offset in mask.view.layout.offsets() {
        if bytes[offset as usize] != 0 {
            for (list, &i) in found.iter_mut().zip(&at) {
                list.push(i);
            }
        }
        for (i, &extent) in at.iter_mut().zip(mask.shape()).rev() {
            *i += 1;
            if *i < extent as i64 {
                break;
            }
            *i = 0;
        }
    }
    Ok(found)
}
