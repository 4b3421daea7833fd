use super::{Cx, Func, convert};
use crate::base::{Diag, Span, Symbol};
use crate::plan::Tensor;
use crate::tensor::DType;
use crate::value::Value;
use std::sync::Arc;

/// One bound argument. `given` is false where the default stands.
#[derive(Clone)]
pub struct Arg {
    pub value: Value,
    pub span: Span,
    pub given: bool,
}

/// Arguments in the order of the signature's parameters; those of `*rest` follow in `rest`.
///
/// The accessors take the position of a parameter and convert; a fault names function and parameter and points at the
/// argument.
pub struct Args {
    pub func: &'static Func,
    pub args: Vec<Arg>,
    pub rest: Vec<Arg>,
    /// What `**` took.
    pub keywords: Vec<(Symbol, Arg)>,
}

impl Args {
    pub fn value(&self, i: usize) -> &Value {
        &self.args[i].value
    }

    pub fn span(&self, i: usize) -> Span {
        self.args[i].span
    }

    /// Whether the caller gave it, as opposed to its default.
    pub fn given(&self, i: usize) -> bool {
        self.args[i].given
    }

    pub fn is_none(&self, i: usize) -> bool {
        matches!(self.args[i].value, Value::None)
    }

    /// E0108: the argument is not `wanted` (`an integer`).
    pub fn wrong(&self, i: usize, wanted: &str) -> Diag {
        let arg = &self.args[i];
        let name = self.func.signature().params[i].name;
        Diag::new("E0108", format!("`{}`: `{name}` is to be {wanted}", self.func.doc.name))
            .label(arg.span, arg.value.describe())
            .hint(self.func.doc.sig)
    }

    /// A fault of this call about one argument.
    pub fn fault(&self, i: usize, code: &'static str, message: impl Into<String>) -> Diag {
        Diag::new(code, message).label(self.args[i].span, self.args[i].value.describe())
    }

    /// A tensor; plain numbers and lists are converted.
    pub fn tensor(&self, cx: &mut Cx, i: usize) -> Result<Tensor, Diag> {
        convert::tensor(cx, self.value(i), self.span(i))
    }

    pub fn opt_tensor(&self, cx: &mut Cx, i: usize) -> Result<Option<Tensor>, Diag> {
        if self.is_none(i) { Ok(None) } else { self.tensor(cx, i).map(Some) }
    }

    /// A list or tuple of tensors; a tensor stands for its sub-tensors along the first axis.
    pub fn tensors(&self, cx: &mut Cx, i: usize) -> Result<Vec<Tensor>, Diag> {
        let span = self.span(i);
        match self.value(i) {
            Value::List(_) | Value::Tuple(_) => {}
            Value::Tensor(t) if t.ndim() > 0 => {}
            _ => return Err(self.wrong(i, "a list of tensors")),
        }
        let items = cx.host.elements(self.value(i), span)?;
        items.iter().map(|v| convert::tensor(cx, v, span)).collect()
    }

    /// The tensors of `*rest`; a single list or tuple stands for its elements.
    pub fn rest_tensors(&self, cx: &mut Cx) -> Result<Vec<Tensor>, Diag> {
        if let [Arg { value: value @ (Value::List(_) | Value::Tuple(_)), span, .. }] = self.rest.as_slice() {
            let items = cx.host.elements(value, *span)?;
            return items.iter().map(|v| convert::tensor(cx, v, *span)).collect();
        }
        self.rest.iter().map(|a| convert::tensor(cx, &a.value, a.span)).collect()
    }

    pub fn int(&self, cx: &mut Cx, i: usize) -> Result<i64, Diag> {
        convert::int(cx, self.value(i), self.span(i))?.ok_or_else(|| self.wrong(i, "an integer"))
    }

    pub fn opt_int(&self, cx: &mut Cx, i: usize) -> Result<Option<i64>, Diag> {
        if self.is_none(i) { Ok(None) } else { self.int(cx, i).map(Some) }
    }

    /// An integer that is not negative.
    pub fn count(&self, cx: &mut Cx, i: usize) -> Result<usize, Diag> {
        usize::try_from(self.int(cx, i)?).map_err(|_| self.wrong(i, "an integer from 0 on"))
    }

    pub fn float(&self, cx: &mut Cx, i: usize) -> Result<f64, Diag> {
        convert::float(cx, self.value(i), self.span(i))?.ok_or_else(|| self.wrong(i, "a number"))
    }

    pub fn opt_float(&self, cx: &mut Cx, i: usize) -> Result<Option<f64>, Diag> {
        if self.is_none(i) { Ok(None) } else { self.float(cx, i).map(Some) }
    }

    pub fn bool(&self, cx: &mut Cx, i: usize) -> Result<bool, Diag> {
        match self.value(i) {
            Value::Bool(b) => Ok(*b),
            Value::None => Ok(false),
            other => match convert::int(cx, other, self.span(i))? {
                Some(n) => Ok(n != 0),
                None => Err(self.wrong(i, "True or False")),
            },
        }
    }

    pub fn str(&self, i: usize) -> Result<Arc<str>, Diag> {
        match self.value(i) {
            Value::Str(s) => Ok(s.clone()),
            _ => Err(self.wrong(i, "a string")),
        }
    }

    pub fn opt_str(&self, i: usize) -> Result<Option<Arc<str>>, Diag> {
        if self.is_none(i) { Ok(None) } else { self.str(i).map(Some) }
    }

    /// A dtype, or its name as a string.
    pub fn dtype(&self, i: usize) -> Result<DType, Diag> {
        convert::dtype(self.value(i)).ok_or_else(|| self.wrong(i, "a dtype"))
    }

    pub fn opt_dtype(&self, i: usize) -> Result<Option<DType>, Diag> {
        if self.is_none(i) { Ok(None) } else { self.dtype(i).map(Some) }
    }

    /// Integers: one, or a list, tuple, range or one-axis tensor of them.
    pub fn ints(&self, cx: &mut Cx, i: usize) -> Result<Vec<i64>, Diag> {
        convert::ints(cx, self.value(i), self.span(i))?.ok_or_else(|| self.wrong(i, "an integer or a tuple of them"))
    }

    pub fn opt_ints(&self, cx: &mut Cx, i: usize) -> Result<Option<Vec<i64>>, Diag> {
        if self.is_none(i) { Ok(None) } else { self.ints(cx, i).map(Some) }
    }

    /// The integers of `*rest`, given one by one or as one tuple: `reshape(x, 2, 3)` and `reshape(x, (2, 3))`.
    pub fn rest_ints(&self, cx: &mut Cx) -> Result<Vec<i64>, Diag> {
        let wrong = |arg: &Arg| {
            Diag::new("E0108", format!("`{}` takes integers here", self.func.doc.name))
                .label(arg.span, arg.value.describe())
                .hint(self.func.doc.sig)
        };
        if let [arg] = self.rest.as_slice() {
            return convert::ints(cx, &arg.value, arg.span)?.ok_or_else(|| wrong(arg));
        }
        let one = |arg: &Arg, cx: &mut Cx| convert::int(cx, &arg.value, arg.span)?.ok_or_else(|| wrong(arg));
        self.rest.iter().map(|arg| one(arg, cx)).collect()
    }

    /// A shape: an integer or a sequence of integers, none negative.
    pub fn shape(&self, cx: &mut Cx, i: usize) -> Result<Vec<usize>, Diag> {
        let span = self.span(i);
        self.ints(cx, i)?.into_iter().map(|n| extent(n, span)).collect()
    }

    /// As `shape`, from `*rest`.
    pub fn rest_shape(&self, cx: &mut Cx) -> Result<Vec<usize>, Diag> {
        let span = self.rest.first().map_or(cx.span, |a| a.span);
        self.rest_ints(cx)?.into_iter().map(|n| extent(n, span)).collect()
    }

    /// One axis, counted from the front; E0201 where the tensor has no such axis.
    pub fn axis(&self, cx: &mut Cx, i: usize, ndim: usize) -> Result<usize, Diag> {
        let axis = self.int(cx, i)?;
        crate::tensor::axis(axis, ndim).map_err(|f| f.diag().label(self.span(i), axis.to_string()))
    }

    /// Axes from the front, ascending: None stands for all of them.
    pub fn axes(&self, cx: &mut Cx, i: usize, ndim: usize) -> Result<Vec<usize>, Diag> {
        let Some(list) = self.opt_ints(cx, i)? else { return Ok((0..ndim).collect()) };
        let axes = crate::tensor::axes(&list, ndim).map_err(|f| f.diag().label(self.span(i), ""))?;
        let mut axes = axes.to_vec();
        axes.sort_unstable();
        Ok(axes)
    }
}

fn extent(n: i64, span: Span) -> Result<usize, Diag> {
    usize::try_from(n).map_err(|_| crate::tensor::LayoutFault::NegativeExtent { extent: n }.diag().label(span, ""))
}
