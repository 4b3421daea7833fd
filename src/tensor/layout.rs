use smallvec::SmallVec;

/// Up to six axes live without an allocation.
pub type Dims = SmallVec<[usize; 6]>;
/// Extents, outermost axis first.
pub type Shape = Dims;
/// Signed strides in elements.
pub type Strides = SmallVec<[isize; 6]>;

/// How the axes of a tensor lie in its buffer.
///
/// Element `[i0, i1, …]` stands at `offset + i0 * strides[0] + i1 * strides[1] + …`, counted in elements of the
/// view's dtype (blocks on a packed axis) from the start of the buffer.
///
/// Invariants:
/// 1. `shape.len() == strides.len()`.
/// 2. The product of the extents, and every offset reached, fit in isize.
/// 3. Every element reached lies inside the buffer (the maker's duty; `bounds` says which elements those are).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Layout {
    pub shape: Shape,
    pub strides: Strides,
    pub offset: isize,
}
