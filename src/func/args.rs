use crate::base::Span;
use crate::value::Value;

/// One bound argument. `given` is false where the default stands.
#[derive(Clone)]
pub struct Arg {
    pub value: Value,
    pub span: Span,
    pub given: bool,
}

/// Arguments in the order of the signature's parameters; those of `*rest` follow in `rest`.
pub struct Args {
    pub func: &'static str,
    pub names: &'static [String],
    pub args: Vec<Arg>,
    pub rest: Vec<Arg>,
}
