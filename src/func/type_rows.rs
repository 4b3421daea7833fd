//! The rows of `types`.

use super::Func;
use super::types::*;
use crate::op::Group;

pub static ROWS: [Func; 13] = [
    Func::new("astype", astype, Group::Types)
        .help(
            "astype(x, dtype, wrap=False, saturate=False, copy=True)",
            "The values in another dtype. Floats into integers are cut towards zero; nan and what \
             does not fit are an \
             error when the value is needed, unless wrap or saturate say what to make of them.",
            &["array([1.7, -2.2]).astype(i32)", "array([300.0]).astype(u8, saturate=True)"],
        )
        .gives("The shape of x; the dtype given.")
        .like("np.ndarray.astype", "torch.Tensor.to")
        .see(&["view", "can_cast", "round"]),
    Func::new("result_type", result_type, Group::Types)
        .help(
            "result_type(*xs)",
            "The dtype in which these are computed together: tensors and dtypes count, plain numbers give way.",
            &["result_type(u8, i8)", "result_type(ones(2, dtype=f16), 3)"],
        )
        .gives("A dtype.")
        .like("np.result_type", "torch.result_type")
        .see(&["promote_types", "can_cast"]),
    Func::new("promote_types", promote_types, Group::Types)
        .help("promote_types(a, b)", "The dtype in which two dtypes meet.", &["promote_types(i32, f16)"])
        .gives("A dtype.")
        .like("np.promote_types", "torch.promote_types")
        .see(&["result_type"]),
    Func::new("can_cast", can_cast_row, Group::Types)
        .help(
            "can_cast(a, dtype, casting=\"safe\")",
            "Whether a conversion is of that kind: \"safe\" keeps every value, \"same_kind\" may \
             narrow, \"unsafe\" is anything.",
            &["can_cast(i32, f64)", "can_cast(f64, f32)", "can_cast(f64, f32, \"same_kind\")"],
        )
        .gives("A plain bool.")
        .like("np.can_cast", "torch.can_cast")
        .see(&["astype", "result_type"]),
    Func::new("finfo", finfo, Group::Types)
        .help(
            "finfo(dtype)",
            "What a float dtype can hold: bits, eps, min, max, tiny, smallest_subnormal.",
            &["finfo(f16).max", "finfo(f32).eps"],
        )
        .gives("A record of the dtype and plain numbers.")
        .like("np.finfo", "torch.finfo")
        .see(&["iinfo"]),
    Func::new("iinfo", iinfo, Group::Types)
        .help("iinfo(dtype)", "What an integer dtype can hold: bits, min, max.", &["iinfo(i8).min", "iinfo(u64).max"])
        .gives("A record of the dtype and plain numbers.")
        .like("np.iinfo", "torch.iinfo")
        .see(&["finfo"]),
    Func::new("set_default_dtype", set_default_dtype, Group::Types)
        .help(
            "set_default_dtype(dtype)",
            "The dtype of floats from now on (f16, bf16, f32 or f64): of literals, zeros, ones, \
             linspace, rand and their kin.",
            &["set_default_dtype(f64)\nones(2).dtype"],
        )
        .gives("None.")
        .like("", "torch.set_default_dtype")
        .see(&["get_default_dtype"]),
    Func::new("get_default_dtype", get_default_dtype, Group::Types)
        .help("get_default_dtype()", "The dtype that floats have by default.", &["get_default_dtype()"])
        .gives("A dtype.")
        .like("", "torch.get_default_dtype")
        .see(&["set_default_dtype"]),
    Func::new("isreal", isreal, Group::Types)
        .help("isreal(x)", "Where the imaginary part is zero.", &["isreal(array([1 + 0j, 2j]))"])
        .gives("The shape of x; bool.")
        .like("np.isreal", "torch.isreal")
        .see(&["iscomplex", "isrealobj"]),
    Func::new("iscomplex", iscomplex, Group::Types)
        .help("iscomplex(x)", "Where the imaginary part is not zero.", &["iscomplex(array([1 + 0j, 2j]))"])
        .gives("The shape of x; bool.")
        .like("np.iscomplex", "")
        .see(&["isreal", "iscomplexobj"]),
    Func::new("isrealobj", isrealobj, Group::Types)
        .help("isrealobj(x)", "Whether the dtype is not complex, whatever the values.", &["isrealobj(ones(2))"])
        .gives("A plain bool.")
        .like("np.isrealobj", "torch.Tensor.is_real")
        .see(&["isreal", "is_floating_point"]),
    Func::new("iscomplexobj", iscomplexobj, Group::Types)
        .alias(&["is_complex"])
        .help("iscomplexobj(x)", "Whether the dtype is complex.", &["iscomplexobj(array([1j]))"])
        .gives("A plain bool.")
        .like("np.iscomplexobj", "torch.is_complex")
        .see(&["iscomplex"]),
    Func::new("is_floating_point", is_floating_point, Group::Types)
        .help("is_floating_point(x)", "Whether the dtype is a float.", &["is_floating_point(ones(2))"])
        .gives("A plain bool.")
        .like("", "torch.is_floating_point")
        .see(&["isrealobj"]),
];
