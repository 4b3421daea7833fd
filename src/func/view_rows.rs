//! The rows of the functions that rearrange axes.

use super::views::*;
use super::{Func, Memory};
use crate::op::Group;

pub static ROWS: [Func; 38] = [
    Func::new("reshape", reshape, Group::View)
        .help(
            "reshape(x, *shape, order=\"C\")",
            "The same values in row-major order under another shape; one extent may be -1. A view \
             where strides can \
             express it, else a copy.",
            &["arange(6).reshape(2, 3)", "reshape(arange(6), (3, -1))"],
        )
        .gives("The shape given; dtype of x. The number of elements must stay.")
        .like("np.reshape", "torch.reshape")
        .see(&["view", "ravel", "flatten"])
        .memory(Memory::ViewOrCopy),
    Func::new("flatten", flatten, Group::View)
        .help(
            "flatten(x, start_dim=0, end_dim=-1)",
            "A copy with one axis in place of all, or of those from start_dim to end_dim.",
            &["flatten(arange(6).reshape(2, 3))", "ones((2, 3, 4)).flatten(1).shape"],
        )
        .gives("One axis in place of those flattened; dtype of x.")
        .like("np.ndarray.flatten", "torch.flatten")
        .see(&["ravel", "reshape"]),
    Func::new("ravel", ravel, Group::View)
        .help(
            "ravel(x)",
            "All elements on one axis: a view of a contiguous tensor, else a copy.",
            &["ravel(arange(6).reshape(2, 3))"],
        )
        .gives("One axis of all elements; dtype of x.")
        .like("np.ravel", "torch.ravel")
        .see(&["flatten", "reshape"])
        .memory(Memory::ViewOrCopy),
    Func::new("unflatten", unflatten, Group::View)
        .help(
            "unflatten(x, axis, sizes)",
            "One axis split into several; one of them may be -1.",
            &["unflatten(arange(6), 0, (2, -1))"],
        )
        .gives("sizes in place of one extent; dtype of x.")
        .like("", "torch.unflatten")
        .see(&["flatten", "reshape"])
        .view(),
    Func::new("transpose", transpose, Group::View)
        .help(
            "transpose(x, *axes)",
            "All axes in reverse order, or in the order given. Axis k of the result is axis axes[k] of x.",
            &["arange(6).reshape(2, 3).transpose()", "ones((2, 3, 4)).transpose(1, 0, 2).shape"],
        )
        .gives("The extents in the new order; dtype of x.")
        .like("np.transpose", "torch.permute")
        .see(&["permute", "swapaxes", "matrix_transpose"])
        .view(),
    Func::new("permute", permute, Group::View)
        .alias(&["permute_dims"])
        .help(
            "permute(x, *axes)",
            "The axes in the order given, all of them.",
            &["permute(ones((2, 3, 4)), 2, 0, 1).shape"],
        )
        .gives("The extents in the new order; dtype of x.")
        .like("np.permute_dims", "torch.permute")
        .see(&["transpose", "moveaxis"])
        .view(),
    Func::new("matrix_transpose", matrix_transpose, Group::View)
        .help(
            "matrix_transpose(x)",
            "The last two axes exchanged; also x.mT.",
            &["matrix_transpose(arange(6).reshape(2, 3))"],
        )
        .gives("[..., n, m] becomes [..., m, n]; dtype of x.")
        .like("np.matrix_transpose", "torch.Tensor.mT")
        .see(&["transpose", "swapaxes"])
        .view(),
    Func::new("swapaxes", swapaxes, Group::View)
        .alias(&["swapdims"])
        .help("swapaxes(x, axis1, axis2)", "Two axes exchanged.", &["swapaxes(ones((2, 3, 4)), 0, 2).shape"])
        .gives("The same extents in another order; dtype of x.")
        .like("np.swapaxes", "torch.swapaxes")
        .see(&["transpose", "moveaxis"])
        .view(),
    Func::new("moveaxis", moveaxis, Group::View)
        .alias(&["movedim"])
        .help(
            "moveaxis(x, source, destination)",
            "Axes moved elsewhere; the others keep their order.",
            &["moveaxis(ones((2, 3, 4)), 0, -1).shape"],
        )
        .gives("The same extents in another order; dtype of x.")
        .like("np.moveaxis", "torch.moveaxis")
        .see(&["swapaxes", "permute"])
        .view(),
    Func::new("rollaxis", rollaxis, Group::View)
        .help(
            "rollaxis(x, axis, start=0)",
            "One axis moved to stand before another.",
            &["rollaxis(ones((2, 3, 4)), 2).shape"],
        )
        .gives("The same extents in another order; dtype of x.")
        .like("np.rollaxis", "")
        .see(&["moveaxis"])
        .view(),
    Func::new("squeeze", squeeze, Group::View)
        .help(
            "squeeze(x, axis=None)",
            "Without axes of extent 1: all of them, or those named, which must have it.",
            &["squeeze(ones((1, 3, 1))).shape"],
        )
        .gives("The extents without the ones taken away; dtype of x.")
        .like("np.squeeze", "torch.squeeze")
        .see(&["expand_dims"])
        .view(),
    Func::new("expand_dims", expand_dims, Group::View)
        .alias(&["unsqueeze"])
        .help(
            "expand_dims(x, axis)",
            "New axes of extent 1; the positions are those in the result.",
            &["expand_dims(arange(3), 0)", "unsqueeze(arange(3), -1)"],
        )
        .gives("The extents with ones put in; dtype of x.")
        .like("np.expand_dims", "torch.unsqueeze")
        .see(&["squeeze", "newaxis"])
        .view(),
    Func::new("broadcast_to", broadcast_to, Group::View)
        .help(
            "broadcast_to(x, *shape)",
            "Repeated along axes of extent 1 and along new axes in front, with stride 0: nothing is \
             copied, and \
             nothing can be written.",
            &["broadcast_to(arange(3), (2, 3))"],
        )
        .gives("The shape given; dtype of x.")
        .like("np.broadcast_to", "torch.broadcast_to")
        .see(&["expand", "tile", "broadcast_arrays"])
        .view(),
    Func::new("expand", expand, Group::View)
        .help("expand(x, *shape)", "As broadcast_to; -1 keeps an extent.", &["expand(arange(3).reshape(3, 1), -1, 2)"])
        .gives("The shape given; dtype of x.")
        .like("np.broadcast_to", "torch.Tensor.expand")
        .see(&["broadcast_to"])
        .view(),
    Func::new("broadcast_arrays", broadcast_arrays, Group::View)
        .alias(&["broadcast_tensors"])
        .help(
            "broadcast_arrays(*xs)",
            "All tensors stretched to their common shape.",
            &["a, b = broadcast_arrays(arange(3), arange(2).reshape(2, 1))\na\nb"],
        )
        .gives("A list of tensors of the common shape, dtypes kept.")
        .like("np.broadcast_arrays", "torch.broadcast_tensors")
        .see(&["broadcast_to", "broadcast_shapes"])
        .view(),
    Func::new("broadcast_shapes", shapes_joined, Group::View)
        .help(
            "broadcast_shapes(*shapes)",
            "The shape that tensors of these shapes broadcast to.",
            &["broadcast_shapes((2, 1), (3,))"],
        )
        .gives("A tuple of integers.")
        .like("np.broadcast_shapes", "torch.broadcast_shapes")
        .see(&["broadcast_arrays"]),
    Func::new("flip", flip, Group::View)
        .help(
            "flip(x, axis=None)",
            "The order reversed along all axes, or those named.",
            &["flip(arange(4))", "flip(arange(6).reshape(2, 3), axis=1)"],
        )
        .gives("Shape and dtype of x.")
        .like("np.flip", "torch.flip")
        .see(&["fliplr", "flipud", "roll"])
        .view(),
    Func::new("fliplr", fliplr, Group::View)
        .help("fliplr(x)", "Axis 1 reversed.", &["fliplr(arange(6).reshape(2, 3))"])
        .gives("Shape and dtype of x.")
        .like("np.fliplr", "torch.fliplr")
        .see(&["flip"])
        .view(),
    Func::new("flipud", flipud, Group::View)
        .help("flipud(x)", "Axis 0 reversed.", &["flipud(arange(6).reshape(2, 3))"])
        .gives("Shape and dtype of x.")
        .like("np.flipud", "torch.flipud")
        .see(&["flip"])
        .view(),
    Func::new("rot90", rot90, Group::View)
        .help(
            "rot90(x, k=1, axes=(0, 1))",
            "Turned k times by 90 degrees, from the first axis towards the second.",
            &["rot90(arange(4).reshape(2, 2))"],
        )
        .gives("The extents of the two axes change places for odd k; dtype of x.")
        .like("np.rot90", "torch.rot90")
        .see(&["flip", "transpose"])
        .view(),
    Func::new("diagonal", diagonal, Group::View)
        .help(
            "diagonal(x, offset=0, axis1=0, axis2=1)",
            "Diagonals of two axes, as a new last axis.",
            &["diagonal(arange(9).reshape(3, 3))", "diagonal(arange(9).reshape(3, 3), 1)"],
        )
        .gives("The other axes, then one for the diagonal; dtype of x.")
        .like("np.diagonal", "torch.diagonal")
        .see(&["diag", "trace"])
        .view(),
    Func::new("narrow", narrow, Group::View)
        .help(
            "narrow(x, axis, start, length)",
            "length positions of an axis from start on.",
            &["narrow(arange(6), 0, 2, 3)"],
        )
        .gives("length in place of one extent; dtype of x.")
        .like("", "torch.narrow")
        .see(&["split", "take"])
        .view(),
    Func::new("sliding_window_view", sliding_window_view, Group::View)
        .alias(&["sliding_window"])
        .help(
            "sliding_window_view(x, window_shape, axis=None)",
            "All windows of a size, as new axes at the end.",
            &["sliding_window_view(arange(5), 3)", "sliding_window_view(arange(12).reshape(3, 4), 2, axis=1).shape"],
        )
        .gives("Extents less the window plus 1, then the window as new axes at the end; dtype of x.")
        .like("np.lib.stride_tricks.sliding_window_view", "torch.Tensor.unfold")
        .see(&["windows", "unfold"])
        .view(),
    Func::new("windows", windows, Group::View)
        .help(
            "windows(x, size, step=1, axis=None)",
            "Windows every step positions along the last axes, or those named; the positions within \
             a window are new \
             axes at the end.",
            &["windows(arange(7), 3, step=2)"],
        )
        .gives("The number of windows along each axis, then the size as new axes at the end; dtype of x.")
        .like("np.lib.stride_tricks.sliding_window_view", "torch.Tensor.unfold")
        .see(&["sliding_window_view", "unfold"])
        .view(),
    Func::new("unfold", unfold, Group::View)
        .help(
            "unfold(x, axis, size, step)",
            "Windows of one axis every step positions, as a new last axis.",
            &["unfold(arange(7), 0, 3, 2)"],
        )
        .gives("The number of windows along the axis, then size as a new last axis; dtype of x.")
        .like("", "torch.Tensor.unfold")
        .see(&["windows", "sliding_window_view"])
        .view(),
    Func::new("split", split, Group::View)
        .help(
            "split(x, indices_or_sections, axis=0)",
            "A list of views: a number of equal parts, or cut at the positions given.",
            &["split(arange(6), 3)", "split(arange(6), [2, 5])"],
        )
        .gives("A list of tensors that differ along one axis only; dtype of x.")
        .like("np.split", "torch.tensor_split")
        .see(&["array_split", "chunk", "unstack"])
        .view(),
    Func::new("array_split", array_split, Group::View)
        .alias(&["tensor_split"])
        .help(
            "array_split(x, indices_or_sections, axis=0)",
            "As split, but the first parts may be one longer.",
            &["array_split(arange(7), 3)"],
        )
        .gives("A list of tensors that differ along one axis only; dtype of x.")
        .like("np.array_split", "torch.tensor_split")
        .see(&["split", "chunk"])
        .view(),
    Func::new("hsplit", hsplit, Group::View)
        .help(
            "hsplit(x, indices_or_sections)",
            "split along axis 1 (axis 0 of a vector).",
            &["hsplit(arange(8).reshape(2, 4), 2)"],
        )
        .gives("A list of tensors that differ along one axis only; dtype of x.")
        .like("np.hsplit", "torch.hsplit")
        .see(&["split"])
        .view(),
    Func::new("vsplit", vsplit, Group::View)
        .help("vsplit(x, indices_or_sections)", "split along axis 0.", &["vsplit(arange(8).reshape(4, 2), 2)"])
        .gives("A list of tensors that differ along one axis only; dtype of x.")
        .like("np.vsplit", "torch.vsplit")
        .see(&["split"])
        .view(),
    Func::new("dsplit", dsplit, Group::View)
        .help("dsplit(x, indices_or_sections)", "split along axis 2.", &["dsplit(arange(8).reshape(2, 2, 2), 2)"])
        .gives("A list of tensors that differ along one axis only; dtype of x.")
        .like("np.dsplit", "torch.dsplit")
        .see(&["split"])
        .view(),
    Func::new("chunk", chunk, Group::View)
        .help(
            "chunk(x, chunks, axis=0)",
            "At most so many parts of one size; the last may be smaller.",
            &["chunk(arange(7), 3)"],
        )
        .gives("A list of tensors that differ along one axis only; dtype of x.")
        .like("", "torch.chunk")
        .see(&["split", "array_split"])
        .view(),
    Func::new("unstack", unstack, Group::View)
        .alias(&["unbind"])
        .help("unstack(x, axis=0)", "The sub-tensors along an axis as a list.", &["unstack(arange(4).reshape(2, 2))"])
        .gives("A list of x.shape[axis] tensors without that axis; dtype of x.")
        .like("np.unstack", "torch.unbind")
        .see(&["stack", "split"])
        .view(),
    Func::new("atleast_1d", atleast_1d, Group::View)
        .help("atleast_1d(*xs)", "With at least one axis.", &["atleast_1d(array(3))"])
        .gives("The extents with ones put in as needed; dtype of x. Several arguments give a list.")
        .like("np.atleast_1d", "torch.atleast_1d")
        .see(&["atleast_2d", "expand_dims"])
        .view(),
    Func::new("atleast_2d", atleast_2d, Group::View)
        .help("atleast_2d(*xs)", "With at least two axes: a vector becomes a row.", &["atleast_2d(arange(3))"])
        .gives("The extents with ones put in as needed; dtype of x. Several arguments give a list.")
        .like("np.atleast_2d", "torch.atleast_2d")
        .see(&["atleast_1d", "atleast_3d"])
        .view(),
    Func::new("atleast_3d", atleast_3d, Group::View)
        .help(
            "atleast_3d(*xs)",
            "With at least three axes: a vector stands along the middle one.",
            &["atleast_3d(arange(3)).shape"],
        )
        .gives("The extents with ones put in as needed; dtype of x. Several arguments give a list.")
        .like("np.atleast_3d", "torch.atleast_3d")
        .see(&["atleast_2d"])
        .view(),
    Func::new("materialize", materialize, Group::View)
        .alias(&["contiguous", "ascontiguousarray"])
        .help(
            "materialize(x)",
            "x itself where it lies row-major without gaps, else a copy that does.",
            &["materialize(arange(6).reshape(2, 3).T)"],
        )
        .memory(Memory::ItselfOrCopy)
        .gives("Shape and dtype of x, row-major.")
        .like("np.ascontiguousarray", "torch.Tensor.contiguous")
        .see(&["copy", "why_copy"]),
    Func::new("as_strided", as_strided, Group::View)
        .help(
            "as_strided(x, shape=None, strides=None, offset=None)",
            "Any shape, strides and offset (counted in elements) over the buffer of x, as long as \
             all of it lies \
             inside.",
            &["as_strided(arange(6), (2, 3), (1, 2))"],
        )
        .gives("The shape given; dtype of x.")
        .like("np.lib.stride_tricks.as_strided", "torch.as_strided")
        .see(&["sliding_window_view"])
        .view(),
    Func::new("view", view, Group::View)
        .help(
            "view(x, *shape)",
            "The reshape that refuses to copy, with the reason; with a dtype instead of a shape the \
             same bytes taken \
             for that dtype.",
            &["view(arange(6), 2, 3)", "view(array([1.0], dtype=f32), u32)"],
        )
        .gives(
            "The shape given, dtype of x; with a dtype the shape of x, but for the last axis where \
            sizes differ.",
        )
        .like("np.ndarray.view", "torch.Tensor.view")
        .see(&["reshape", "bitcast"])
        .view(),
];
