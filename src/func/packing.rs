//! Packed formats: made, decoded, encoded.

use super::files::{Out, PACKED};
use super::make::Make;
use super::{Args, Cx};
use crate::base::Diag;
use crate::plan::{CopyReason, Tensor, build};
use crate::tensor::{Buffer, Codes, DType, Encoding, HostArray, Layout, UserFormat, View};
use crate::value::Value;
use std::sync::Arc;

pub fn packed(cx: &mut Cx, args: &Args) -> Out {
    let bits = u32::try_from(args.count(cx, 1)?).unwrap_or(u32::MAX);
    let codes = if args.is_none(4) {
        let zero = args.float(cx, 5)? as f32;
        Codes::Linear { zero, signed: args.bool(cx, 6)? }
    } else {
        let book = args.tensor(cx, 4)?;
        Codes::Book(cx.f64s(&book)?.into_iter().map(|x| x as f32).collect())
    };
    let format =
        UserFormat { block: args.count(cx, 0)?, bits, scale: args.opt_dtype(2)?, minimum: args.opt_dtype(3)?, codes };
    format.register().map(Value::Packed)
}

pub fn unpack(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    if x.packed().is_none() {
        return Ok(Value::tensor(x));
    }
    let node = build::copy(&x.operand(), CopyReason::Asked { by: "unpack" }, cx.span);
    Ok(cx.fresh(node))
}

pub fn quantize(cx: &mut Cx, args: &Args) -> Out {
    let x = args.tensor(cx, 0)?;
    let Value::Packed(format) = args.value(1) else { return Err(args.wrong(1, "a packed format, as q8_0")) };
    let encoding = Encoding::Packed(format);
    if !format.can_encode() {
        return Err(args.fault(1, "E0411", format!("{encoding} has no encoder")));
    }
    if x.dtype().is_complex() {
        return Err(args.fault(0, "E0404", "complex numbers cannot be packed"));
    }
    let Some(size) = encoding.bytes(x.shape()) else {
        return Err(args
            .fault(0, "E0216", format!("the last axis is no whole number of {encoding} blocks"))
            .note(format!("a block has {} elements", format.block)));
    };
    let make = Make::of(cx);
    let values = cx.values(&make.cast(&x, DType::F32)?, DType::F32)?;
    let mut buffer = Buffer::zeroed(size).map_err(|f| f.diag())?;
    if let Some(bytes) = buffer.bytes_mut() {
        format.encode(values.slice::<f32>(), bytes);
    }
    buffer.set_packed(format);
    let layout = Layout::contiguous(x.shape()).map_err(|f: crate::tensor::LayoutFault| -> Diag { f.diag() })?;
    let view = View { layout, dtype: DType::F32, conj: false };
    Ok(Value::tensor(Tensor::from_array(HostArray { buffer: Arc::new(buffer), view }, Some(PACKED))))
}
