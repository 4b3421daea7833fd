use super::Span;

/// A place in a source with what stands there, e.g. `f32[32, 256]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// One fault as data. `draw` gives it ink, the JSON output its fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diag {
    /// `E0203` and its kin; the families are listed in [`crate::op::codes`].
    pub code: &'static str,
    pub message: String,
    /// The first label is the primary place.
    pub labels: Vec<Label>,
    /// What to do about it, one line.
    pub hint: Option<String>,
    /// Further facts, one line each (`axis -1: 256 against 512`).
    pub notes: Vec<String>,
    /// The two numbers that rule each other out (extents, element counts, an index and its extent), where two do.
    /// Checking with unknown extents asks whether they do whatever the extents are. Boxed to keep the `Err` side of every result small.
    pub conflict: Option<Box<[u64; 2]>>,
}

impl Diag {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Diag { code, message: message.into(), labels: Vec::new(), hint: None, notes: Vec::new(), conflict: None }
    }

    /// The user pressed Ctrl-C.
    pub fn interrupted() -> Self {
        Diag::new("E0701", "interrupted")
    }

    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint = Some(text.into());
        self
    }

    pub fn between(mut self, a: impl TryInto<u64>, b: impl TryInto<u64>) -> Self {
        self.conflict = a.try_into().ok().zip(b.try_into().ok()).map(|(a, b)| Box::new([a, b]));
        self
    }

    /// Adds the place where none is known yet: lower layers state facts, upper layers add where.
    pub fn at(mut self, span: Span) -> Self {
        if self.labels.is_empty() {
            self.labels.push(Label { span, text: String::new() });
        }
        self
    }
}
