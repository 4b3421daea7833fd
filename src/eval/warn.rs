//! Likely accidents, told once each.

use super::Eval;
use crate::base::{Diag, Span};
use crate::lang::ast::BinaryOp;
use crate::run::LargeCopy;
use crate::value::{Spanned, Value};

impl Eval<'_> {
    /// Tells a warning unless one of its kind was told, or nobody wants to know.
    pub(super) fn warn_once(&mut self, diag: Diag) {
        if self.state.options.warnings && !self.state.checking && self.state.warned.insert(diag.code) {
            self.sink.warn(
                &diag.hint("said once; `:set warnings off` or TSK_WARNINGS=off says nothing"),
                &self.state.sources,
            );
        }
    }

    /// `(N,)` with `(N, 1)` makes `(N, N)`, where N values were probably meant.
    pub(super) fn warn_outgrown(&mut self, op: BinaryOp, a: &Spanned, b: &Spanned) {
        let (Value::Tensor(x), Value::Tensor(y)) = (&a.value, &b.value) else { return };
        let grows = |row: &[usize], column: &[usize]| matches!((row, column), ([n], [m, 1]) if n == m && *n > 1);
        if op == BinaryOp::MatMul || !(grows(x.shape(), y.shape()) || grows(y.shape(), x.shape())) {
            return;
        }
        // A new axis written right here is meant.
        let meant = |span: Span| {
            let text = self.state.sources.snippet(span);
            ["None", "newaxis", "unsqueeze", "expand_dims", "keepdim"].iter().any(|word| text.contains(word))
        };
        if self.caller.is_some() || meant(a.span) || meant(b.span) {
            return;
        }
        let n = x.size();
        let diag = Diag::new("W0201", format!("both sides grow: [{n}] with [{n}, 1] gives [{n}, {n}]"))
            .label(a.span, x.describe())
            .label(b.span, y.describe())
            .note("elementwise both need the same shape; an outer product is clearer with `None` in the index");
        self.warn_once(diag);
    }

    pub(super) fn warn_large(&mut self, copies: &[LargeCopy]) {
        for copy in copies {
            let diag = Diag::new("W0702", format!("{} are copied here", crate::base::size(copy.bytes)))
                .label(self.place(copy.span), "")
                .note(format!("because {}", copy.reason.text()));
            self.warn_once(diag);
        }
    }
}
