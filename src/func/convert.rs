//! Plain values to numbers, operands and tensors.

use super::Cx;
use crate::base::{Diag, Span, a as article};
use crate::plan::Tensor;
use crate::plan::build::{MapArg, weak_dtype};
use crate::tensor::{Buffer, CastMode, DType, HostArray, Layout, Scalar, View, min_max, promote};
use crate::value::Value;
use std::sync::Arc;

/// Deeper lists are no tensors: NumPy stops there too.
const MAX_AXES: usize = 64;

/// A plain number.
pub fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::Bool(b) => Some(Scalar::Bool(*b)),
        Value::Int(i) => Some(Scalar::Int(*i)),
        Value::BigInt(u) => Some(Scalar::UInt(*u)),
        Value::Float(x) => Some(Scalar::Float(*x)),
        Value::Complex(z) => Some(Scalar::Complex(*z)),
        _ => None,
    }
}

/// The plain value of a number. Unsigned numbers beyond i64 become big integers.
pub fn plain(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Bool(b) => Value::Bool(b),
        Scalar::Int(i) => Value::Int(i),
        Scalar::UInt(u) => i64::try_from(u).map_or(Value::BigInt(u), Value::Int),
        Scalar::Float(x) => Value::Float(x),
        Scalar::Complex(z) => Value::Complex(z),
    }
}

/// An argument of an elementwise row.
pub fn map_arg(cx: &mut Cx, value: &Value, span: Span) -> Result<MapArg, Diag> {
    match scalar(value) {
        Some(number) => Ok(MapArg::Weak(number)),
        None => Ok(MapArg::Operand(tensor(cx, value, span)?.operand())),
    }
}

/// A tensor: itself, a number as 0-d, lists by their nesting.
pub fn tensor(cx: &mut Cx, value: &Value, span: Span) -> Result<Tensor, Diag> {
    match value {
        Value::Tensor(t) => Ok((**t).clone()),
        _ => array(cx, value, None, span),
    }
}

/// The integer that a plain integer, bool or one-element integer tensor is; None for other values.
pub fn int(cx: &mut Cx, value: &Value, span: Span) -> Result<Option<i64>, Diag> {
    Ok(match value {
        Value::Int(i) => Some(*i),
        Value::Bool(b) => Some((*b).into()),
        Value::Tensor(t) if t.size() == 1 && t.dtype().is_int() => i64::try_from(wide(element(cx, t, span)?)).ok(),
        _ => None,
    })
}

/// As `int`, for real numbers.
pub fn float(cx: &mut Cx, value: &Value, span: Span) -> Result<Option<f64>, Diag> {
    Ok(match value {
        Value::Float(x) => Some(*x),
        Value::Int(i) => Some(*i as f64),
        Value::BigInt(u) => Some(*u as f64),
        Value::Bool(b) => Some(f64::from(u8::from(*b))),
        Value::Tensor(t) if t.size() == 1 && !t.dtype().is_complex() => Some(element(cx, t, span)?.to_f64()),
        _ => None,
    })
}

/// The only element of a tensor of size 1, computed now.
pub fn element(cx: &mut Cx, t: &Tensor, span: Span) -> Result<Scalar, Diag> {
    let node = t.cell.version();
    cx.host.force(std::slice::from_ref(&node), span)?;
    let buffer = node.buffer().ok_or_else(|| Diag::interrupted().label(span, ""))?;
    Ok(HostArray { buffer, view: t.view.clone() }.get(0))
}

pub fn dtype(value: &Value) -> Option<DType> {
    match value {
        Value::DType(d) => Some(*d),
        Value::Str(s) => DType::from_name(s),
        // `int`, `float` and `bool` are functions too; as dtypes they mean what NumPy takes them for.
        Value::Builtin(f) => match f.doc.name {
            "bool" => Some(DType::Bool),
            "int" => Some(DType::I64),
            "float" => Some(DType::F64),
            "complex" => Some(DType::C128),
            _ => None,
        },
        _ => None,
    }
}

/// Integers: one, or a sequence of them; None for other values.
pub fn ints(cx: &mut Cx, value: &Value, span: Span) -> Result<Option<Vec<i64>>, Diag> {
    let items: Vec<Value> = match value {
        Value::Tuple(items) => items.to_vec(),
        Value::List(list) => list.to_vec(),
        Value::Range(_) => cx.host.elements(value, span)?,
        Value::Tensor(t) if t.ndim() == 1 && t.dtype().is_int() => cx.host.elements(value, span)?,
        other => return Ok(int(cx, other, span)?.map(|i| vec![i])),
    };
    let mut out = Vec::with_capacity(items.len());
    for item in &items {
        match int(cx, item, span)? {
            Some(i) => out.push(i),
            None => return Ok(None),
        }
    }
    Ok(Some(out))
}

fn wide(s: Scalar) -> i128 {
    match s {
        Scalar::Bool(b) => b.into(),
        Scalar::Int(i) => i.into(),
        Scalar::UInt(u) => u.into(),
        other => other.to_f64() as i128,
    }
}

/// The elements of nested lists on their way into a tensor.
struct Gather {
    elements: Vec<Element>,
    strong: Option<DType>,
    span: Span,
}

enum Element {
    Plain(Scalar),
    /// From a tensor: converts as `astype` does.
    Strong(Scalar),
}

/// What `array(value, dtype)` makes: a fresh tensor. Tensors are copied, nested lists must be even.
///
/// # Errors
/// E0213 for ragged lists, E0401 for elements that are no numbers, E0403 for integers that do not fit `dtype`.
pub fn array(cx: &mut Cx, value: &Value, dtype: Option<DType>, span: Span) -> Result<Tensor, Diag> {
    let mut gather = Gather { elements: Vec::new(), strong: None, span };
    let float = cx.default_float();
    let shape = probe(value, span)?;
    let count = shape.iter().try_fold(1usize, |n, &e| n.checked_mul(e)).unwrap_or(usize::MAX);
    let limit = cx.options().max_memory / std::mem::size_of::<Element>() as u64;
    if count as u64 > limit || gather.elements.try_reserve(count).is_err() {
        return Err(Diag::new("E0702", format!("no memory for a list of {count} elements")).label(span, ""));
    }
    cx.force_value(value)?;
    gather.fill(value, &shape, 0)?;
    let dtype = match dtype {
        Some(d) => d,
        None => gather.dtype(float, shape.contains(&0)),
    };
    let mut bytes = Vec::new();
    if bytes.try_reserve(gather.elements.len().saturating_mul(dtype.size())).is_err() {
        return Err(Diag::new("E0702", format!("no memory for {count} elements")).label(span, ""));
    }
    for element in &gather.elements {
        cast(element, dtype).map_err(|d| d.label(span, value.describe()))?.write(dtype, &mut bytes);
    }
    let buffer = Buffer::from_bytes(&bytes).map_err(|f| f.diag().label(span, ""))?;
    let layout = Layout::contiguous(&shape).map_err(|f| f.diag().label(span, ""))?;
    Ok(Tensor::from_array(HostArray { buffer: Arc::new(buffer), view: View { layout, dtype, conj: false } }, None))
}

/// The shape that the first elements promise.
fn probe(value: &Value, span: Span) -> Result<Vec<usize>, Diag> {
    let mut shape = Vec::new();
    let mut value = value.clone();
    loop {
        let (len, first) = match &value {
            Value::List(list) => {
                let items = list.lock();
                (items.len(), items.first().cloned())
            }
            Value::Tuple(items) => (items.len(), items.first().cloned()),
            Value::Range(r) => (r.len(), (!r.is_empty()).then(|| Value::Int(r.get(0)))),
            Value::Tensor(t) => {
                shape.extend_from_slice(t.shape());
                return Ok(shape);
            }
            _ => return Ok(shape),
        };
        shape.push(len);
        if shape.len() > MAX_AXES {
            return Err(
                Diag::new("E0213", format!("lists nested deeper than {MAX_AXES} are no tensor")).label(span, "")
            );
        }
        match first {
            Some(next) => value = next,
            None => return Ok(shape),
        }
    }
}

impl Gather {
    fn fill(&mut self, value: &Value, shape: &[usize], depth: usize) -> Result<(), Diag> {
        let items: Vec<Value> = match value {
            Value::List(list) => list.to_vec(),
            Value::Tuple(items) => items.to_vec(),
            Value::Range(r) => {
                self.level(r.len(), shape, depth, 1)?;
                self.elements.extend(r.iter().map(|i| Element::Plain(Scalar::Int(i))));
                return Ok(());
            }
            Value::Tensor(t) => return self.tensor(t, shape, depth),
            other => {
                let number = scalar(other).ok_or_else(|| {
                    Diag::new("E0401", format!("{} cannot be an element of a tensor", article(other.describe())))
                        .label(self.span, "")
                })?;
                if depth != shape.len() {
                    return Err(self.ragged(format!("a number beside {} elements", shape[depth])));
                }
                self.elements.push(Element::Plain(number));
                return Ok(());
            }
        };
        self.level(items.len(), shape, depth, 0)?;
        items.iter().try_for_each(|item| self.fill(item, shape, depth + 1))
    }

    /// Checks one list against the shape; `inner` axes must be left below it at most, where that is known.
    fn level(&self, len: usize, shape: &[usize], depth: usize, inner: usize) -> Result<(), Diag> {
        match shape.get(depth) {
            Some(&want) if want == len && (inner == 0 || depth + inner == shape.len()) => Ok(()),
            Some(want) => Err(self.ragged(format!("{len} elements beside {want}"))),
            None => Err(self.ragged(format!("{len} elements beside a number"))),
        }
    }

    fn tensor(&mut self, t: &Tensor, shape: &[usize], depth: usize) -> Result<(), Diag> {
        if shape.get(depth..) != Some(t.shape()) {
            return Err(self.ragged(format!("{} in a list of shape {shape:?}", t.describe())));
        }
        let array = t.array().ok_or_else(|| Diag::interrupted().label(self.span, ""))?;
        self.strong = Some(self.strong.map_or(t.dtype(), |d| promote(d, t.dtype())));
        self.elements.extend((0..t.size()).map(|i| Element::Strong(array.get(i))));
        Ok(())
    }

    fn ragged(&self, note: String) -> Diag {
        Diag::new("E0213", "a ragged list is no tensor").label(self.span, "").note(note)
    }

    fn dtype(&self, float: DType, empty: bool) -> DType {
        let weak = self.elements.iter().filter_map(|e| match e {
            Element::Plain(s) => Some(weak_dtype(*s, self.strong, float)),
            Element::Strong(_) => None,
        });
        let joined = weak.chain(self.strong).reduce(|a, b| if a == b { a } else { promote(a, b) });
        joined.unwrap_or(if empty { float } else { DType::Bool })
    }
}

/// One element as `dtype` holds it.
fn cast(element: &Element, dtype: DType) -> Result<Scalar, Diag> {
    let (Element::Plain(value) | Element::Strong(value)) = element;
    if matches!(value, Scalar::Complex(_)) && !dtype.is_complex() && dtype != DType::Bool {
        return Err(Diag::new("E0404", format!("a complex number cannot become {dtype}")).hint("take `.real` or `abs`"));
    }
    if let Element::Plain(Scalar::Int(_) | Scalar::UInt(_)) = element
        && dtype.is_int()
    {
        let (low, high) = min_max(dtype);
        if !(wide(low)..=wide(high)).contains(&wide(*value)) {
            return Err(Diag::new("E0403", format!("{} does not fit {dtype}", wide(*value))).note(format!(
                "{dtype} holds {} to {}",
                wide(low),
                wide(high)
            )));
        }
    }
    value.cast(dtype, CastMode::Checked).map_err(|f| f.diag())
}
