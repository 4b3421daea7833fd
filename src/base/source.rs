use std::sync::Arc;

/// Which text a span lies in; an index into the session's [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SourceId(pub u32);

/// A half-open range of bytes in one source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    pub source: SourceId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { source, start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that holds both; `self` where they lie in different sources.
    pub fn to(self, other: Span) -> Span {
        if self.source != other.source {
            return self;
        }
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One text: a script, an `-e` text, one REPL entry, or the prelude.
#[derive(Debug)]
pub struct Source {
    /// What errors call it, e.g. `model.tsk`, `<stdin>`, `<repl:3>`.
    pub name: String,
    pub text: Arc<str>,
    /// Texts of the library itself (the prelude): errors inside are reported at the caller.
    pub internal: bool,
}

/// All texts of a session. Sources are never removed, so that old lines stay quotable.
#[derive(Debug, Default)]
pub struct SourceMap {
    sources: Vec<Arc<Source>>,
}

impl SourceMap {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>, internal: bool) -> SourceId {
        self.sources.push(Arc::new(Source { name: name.into(), text: text.into(), internal }));
        SourceId((self.sources.len() - 1) as u32)
    }

    pub fn get(&self, id: SourceId) -> Option<&Arc<Source>> {
        self.sources.get(id.0 as usize)
    }

    /// The text under a span; empty where the span does not fit its source.
    pub fn snippet(&self, span: Span) -> &str {
        self.get(span.source).and_then(|s| s.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }
}
