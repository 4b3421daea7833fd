use super::string_ops as ops;
use crate::base::Diag;

/// An argument of a string method.
#[derive(Clone, PartialEq, Debug)]
pub enum StrArg<'a> {
    None,
    Bool(bool),
    Int(i64),
    Str(&'a str),
    /// A list or tuple of strings.
    Strs(Vec<&'a str>),
}

/// What a string method gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrResult {
    Bool(bool),
    Int(i64),
    Str(String),
    List(Vec<String>),
    Tuple(Vec<String>),
}

/// One method of strings. Positions and lengths count code points.
pub struct StrMethod {
    pub name: &'static str,
    /// Parameters and defaults, the string itself left out: `split(sep=None, maxsplit=-1)`.
    pub sig: &'static str,
    pub help: &'static str,
    run: fn(&str, &Bound) -> Result<StrResult, Diag>,
}

/// Results beyond so many bytes are a fault.
pub(super) const MOST_BYTES: usize = 64 << 20;
/// Lists beyond so many parts are a fault.
pub(super) const MOST_PARTS: usize = 1 << 22;

macro_rules! methods {
    ($($name:literal $params:literal $help:literal $run:expr;)*) => {
        &[$(StrMethod { name: $name, sig: concat!($name, $params), help: $help, run: $run }),*]
    };
}

/// All methods of strings, in alphabetical order.
pub const STR_METHODS: &[StrMethod] = methods! {
    "capitalize" "()" "The first letter in title case, the others in lower case." |s, _| Ok(ops::capitalize(s));
    "center" "(width, fillchar=\" \")" "The string in the middle of `width` characters." ops::center;
    "count" "(sub, start=0, end=None)" "How often `sub` occurs without overlaps." ops::count;
    "endswith" "(suffix, start=0, end=None)" "Whether the string ends with `suffix` or one of a tuple of them." ops::ends_with;
    "expandtabs" "(tabsize=8)" "Blanks instead of tabs, up to the next multiple of `tabsize`." ops::expand_tabs;
    "find" "(sub, start=0, end=None)" "The first position of `sub`; -1 where there is none." ops::find;
    "index" "(sub, start=0, end=None)" "The first position of `sub`; an error where there is none." ops::index;
    "isalnum" "()" "Whether all are letters or digits, and there is one." |s, _| ops::all(s, ops::is_alnum);
    "isalpha" "()" "Whether all are letters, and there is one." |s, _| ops::all(s, char::is_alphabetic);
    "isascii" "()" "Whether all are ASCII." |s, _| Ok(StrResult::Bool(s.is_ascii()));
    "isdecimal" "()" "Whether all are decimal digits, and there is one." |s, _| ops::all(s, super::chars::is_decimal);
    "isdigit" "()" "Whether all are digits, superscripts too, and there is one." |s, _| ops::all(s, super::chars::is_digit);
    "islower" "()" "Whether no letter is in upper case, and one is in lower case." |s, _| ops::is_lower(s);
    "isspace" "()" "Whether all are white space, and there is one." |s, _| ops::all(s, super::chars::is_space);
    "istitle" "()" "Whether each word starts in upper case and goes on in lower case." |s, _| ops::is_title(s);
    "isupper" "()" "Whether no letter is in lower case, and one is in upper case." |s, _| ops::is_upper(s);
    "join" "(parts)" "The strings of a list, this one between them." ops::join;
    "ljust" "(width, fillchar=\" \")" "The string at the left of `width` characters." ops::ljust;
    "lower" "()" "In lower case." |s, _| ops::limited(s.to_lowercase());
    "lstrip" "(chars=None)" "Without white space, or any of `chars`, at the start." |s, a| ops::strip(s, a, true, false);
    "partition" "(sep)" "What stands before the first `sep`, `sep`, what stands behind it." ops::partition;
    "removeprefix" "(prefix)" "Without `prefix` at the start." |s, a| Ok(StrResult::Str(s.strip_prefix(a.text(0)?).unwrap_or(s).into()));
    "removesuffix" "(suffix)" "Without `suffix` at the end." |s, a| Ok(StrResult::Str(s.strip_suffix(a.text(0)?).unwrap_or(s).into()));
    "replace" "(old, new, count=-1)" "`new` instead of `old`, the first `count` times." ops::replace;
    "rfind" "(sub, start=0, end=None)" "The last position of `sub`; -1 where there is none." ops::rfind;
    "rindex" "(sub, start=0, end=None)" "The last position of `sub`; an error where there is none." ops::rindex;
    "rjust" "(width, fillchar=\" \")" "The string at the right of `width` characters." ops::rjust;
    "rpartition" "(sep)" "What stands before the last `sep`, `sep`, what stands behind it." ops::rpartition;
    "rsplit" "(sep=None, maxsplit=-1)" "The parts between `sep` or white space, cut from the end." ops::rsplit;
    "rstrip" "(chars=None)" "Without white space, or any of `chars`, at the end." |s, a| ops::strip(s, a, false, true);
    "split" "(sep=None, maxsplit=-1)" "The parts between `sep` or white space." ops::split;
    "splitlines" "(keepends=False)" "The lines." ops::split_lines;
    "startswith" "(prefix, start=0, end=None)" "Whether the string starts with `prefix` or one of a tuple of them." ops::starts_with;
    "strip" "(chars=None)" "Without white space, or any of `chars`, at both ends." |s, a| ops::strip(s, a, true, true);
    "swapcase" "()" "Upper case for lower case and the reverse." |s, _| ops::swap_case(s);
    "title" "()" "Each word in title case." |s, _| ops::title(s);
    "upper" "()" "In upper case." |s, _| ops::limited(s.to_uppercase());
    "zfill" "(width)" "Zeros between the sign and the rest, up to `width` characters." ops::zfill;
};

/// The method of that name.
pub fn str_method(name: &str) -> Option<&'static StrMethod> {
    STR_METHODS.iter().find(|m| m.name == name)
}

impl StrMethod {
    /// Calls the method on `text`. Faults carry no place: E0104 to E0108 for the arguments, E0508 for values that do
    /// not fit (`index` without a match, an empty separator), E0702 for results too large.
    pub fn call(&self, text: &str, args: &[StrArg], named: &[(&str, StrArg)]) -> Result<StrResult, Diag> {
        let bound = self.bind(args, named)?;
        (self.run)(text, &bound)
    }

    /// Names of the parameters; those that may be left out have a default.
    fn params(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let inner = self.sig[self.name.len()..].trim_start_matches('(').trim_end_matches(')');
        let name = |part: &'static str| (part.split('=').next().unwrap_or(part), part.contains('='));
        inner.split(", ").filter(|part| !part.is_empty()).map(name)
    }

    fn bind<'a>(&self, args: &[StrArg<'a>], named: &[(&str, StrArg<'a>)]) -> Result<Bound<'a>, Diag> {
        let fail = |code, message: String| Err(Diag::new(code, message).hint(self.sig));
        let params: Vec<(&'static str, bool)> = self.params().collect();
        if args.len() > params.len() {
            let message = format!("`{}` takes at most {} arguments, not {}", self.name, params.len(), args.len());
            return fail("E0105", message);
        }
        let mut values: Vec<Option<StrArg>> = args.iter().cloned().map(Some).collect();
        values.resize(params.len(), None);
        for (name, value) in named {
            match params.iter().position(|(param, _)| param == name) {
                None => return fail("E0106", format!("`{}` has no parameter `{name}`", self.name)),
                Some(at) if values[at].is_some() => {
                    return fail("E0107", format!("`{}` gets `{name}` twice", self.name));
                }
                Some(at) => values[at] = Some(value.clone()),
            }
        }
        let missing = params.iter().zip(&values).find(|((_, optional), value)| !optional && value.is_none());
        match missing {
            Some(((name, _), _)) => fail("E0104", format!("`{}` needs the argument `{name}`", self.name)),
            None => Ok(Bound { name: self.name, params, values }),
        }
    }
}

/// Arguments in the order of the parameters; None stands for a default.
pub(super) struct Bound<'a> {
    pub name: &'static str,
    params: Vec<(&'static str, bool)>,
    values: Vec<Option<StrArg<'a>>>,
}

impl<'a> Bound<'a> {
    pub fn get(&self, at: usize) -> Option<&StrArg<'a>> {
        self.values.get(at)?.as_ref().filter(|v| **v != StrArg::None)
    }

    pub fn wrong<T>(&self, at: usize, wanted: &str) -> Result<T, Diag> {
        let param = self.params.get(at).map_or("", |p| p.0);
        Err(Diag::new("E0108", format!("`{}`: `{param}` is to be {wanted}", self.name)))
    }

    pub fn text(&self, at: usize) -> Result<&'a str, Diag> {
        match self.get(at) {
            Some(StrArg::Str(s)) => Ok(s),
            _ => self.wrong(at, "a string"),
        }
    }

    pub fn text_or_none(&self, at: usize) -> Result<Option<&'a str>, Diag> {
        self.get(at).map(|_| self.text(at)).transpose()
    }

    pub fn int(&self, at: usize, default: i64) -> Result<i64, Diag> {
        match self.get(at) {
            None => Ok(default),
            Some(StrArg::Int(i)) => Ok(*i),
            Some(StrArg::Bool(b)) => Ok((*b).into()),
            Some(_) => self.wrong(at, "an integer"),
        }
    }

    pub fn flag(&self, at: usize) -> Result<bool, Diag> {
        Ok(self.int(at, 0)? != 0)
    }
}
