//! Settings: one row each, for the configuration file, the environment, `:set` and the command line.
//!
//! Later sources win: the row's default, `config.toml`, `TSK_…`, an option of the command line, `:set`.

use crate::base::{nearest, parse_size};
use crate::func::Options;
use crate::tensor::DType;
use std::path::PathBuf;

/// What a setting takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Switch,
    Choice(&'static [&'static str]),
    Count {
        least: u64,
        most: u64,
    },
    /// `auto`, or a count.
    AutoCount {
        least: u64,
        most: u64,
    },
    /// `auto`, or a number of bytes.
    AutoBytes,
}

pub struct Row {
    pub name: &'static str,
    pub kind: Kind,
    pub default: &'static str,
    pub help: &'static str,
    /// False: only a new session takes it up.
    pub live: bool,
}

const fn row(name: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Row {
    Row { name, kind, default, help, live: true }
}

impl Row {
    const fn at_start(mut self) -> Row {
        self.live = false;
        self
    }
}

const ANY: u64 = i64::MAX as u64;

/// All settings.
pub const ROWS: &[Row] = &[
    row("precision", Kind::Count { least: 0, most: 100 }, "8", "digits behind the point of displayed floats"),
    row("threshold", Kind::Count { least: 0, most: ANY }, "1000", "elements above which a display is shortened"),
    row("width", Kind::AutoCount { least: 20, most: 10_000 }, "auto", "columns of displayed arrays"),
    row("threads", Kind::AutoCount { least: 1, most: 1024 }, "auto", "threads to compute with"),
    row("max-memory", Kind::AutoBytes, "auto", "limit of memory for values, e.g. 500M, 8G"),
    row("device", Kind::Choice(&["cpu"]), "cpu", "where values are computed"),
    row("default-dtype", Kind::Choice(&["f16", "bf16", "f32", "f64"]), "f32", "the float type of literals"),
    row("seed", Kind::Count { least: 0, most: ANY }, "0", "seed of the random numbers"),
    row("color", Kind::Choice(&["auto", "always", "never"]), "auto", "when to colour").at_start(),
    row("stats", Kind::Switch, "off", "a line with min, max, mean, sd and NaN count under displayed tensors"),
    row("warnings", Kind::Switch, "on", "tell about likely accidents, each kind once"),
    row("pager", Kind::Switch, "off", "show what is longer than the screen in $PAGER"),
    row("progress", Kind::Switch, "on", "a bar on the terminal for work of more than half a second"),
    row("edit-mode", Kind::Choice(&["emacs", "vi"]), "emacs", "keys of the prompt"),
    row("history", Kind::Count { least: 0, most: 1_000_000 }, "10000", "entries kept in the history file").at_start(),
];

/// What set a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Default,
    File(PathBuf),
    Env(String),
    Flag,
    Set,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(path) => write!(f, "{}", path.display()),
            Origin::Env(name) => f.write_str(name),
            Origin::Flag => f.write_str("command line"),
            Origin::Set => f.write_str(":set"),
        }
    }
}

/// The values in force, in the order of [`ROWS`].
#[derive(Clone, Debug)]
pub struct Settings {
    values: Vec<(String, Origin)>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { values: ROWS.iter().map(|r| (r.default.to_owned(), Origin::Default)).collect() }
    }
}

/// The configuration folder: `$XDG_CONFIG_HOME/tsk`, else below the home folder.
pub fn folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    etcetera::choose_base_strategy().ok().map(|base| base.config_dir().join("tsk"))
}

/// `$TSK_CONFIG`, else `config.toml` in the configuration folder.
pub fn file() -> Option<PathBuf> {
    let named = std::env::var_os("TSK_CONFIG").filter(|v| !v.is_empty()).map(PathBuf::from);
    named.or_else(|| folder().map(|f| f.join("config.toml")))
}

/// `TSK_MAX_MEMORY` for `max-memory`.
pub fn variable(name: &str) -> String {
    format!("TSK_{}", name.replace('-', "_").to_uppercase())
}

impl Settings {
    /// Defaults, the configuration file and the environment, and what is wrong with them, a line each.
    pub fn load() -> (Settings, Vec<String>) {
        let (mut settings, mut faults) = (Settings::default(), Vec::new());
        if let Some(path) = file() {
            match std::fs::read_to_string(&path) {
                Ok(text) => settings.read_file(&text, &path, &mut faults),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => faults.push(format!("cannot read {}: {error}", path.display())),
            }
        }
        for row in ROWS {
            let name = variable(row.name);
            if let Some(text) = std::env::var_os(&name) {
                let set = settings.set(row.name, &text.to_string_lossy(), Origin::Env(name.clone()));
                faults.extend(set.err().map(|e| format!("{name}: {e}")));
            }
        }
        (settings, faults)
    }

    fn read_file(&mut self, text: &str, path: &std::path::Path, faults: &mut Vec<String>) {
        let table: toml::Table = match toml::from_str(text) {
            Ok(table) => table,
            Err(error) => {
                let line = error.span().map_or(1, |s| 1 + text[..s.start.min(text.len())].matches('\n').count());
                return faults.push(format!("{}:{line}: {}", path.display(), error.message()));
            }
        };
        for (key, value) in table {
            let text = match &value {
                toml::Value::String(s) => s.clone(),
                toml::Value::Boolean(b) => if *b { "on" } else { "off" }.to_owned(),
                toml::Value::Integer(i) => i.to_string(),
                toml::Value::Float(x) => x.to_string(),
                other => format!("a {}", other.type_str()),
            };
            let set = self.set(&key, &text, Origin::File(path.to_owned()));
            faults.extend(set.err().map(|e| format!("{}: {e}", path.display())));
        }
    }

    /// Sets a value.
    ///
    /// # Errors
    /// An unknown name, or what the setting takes instead.
    pub fn set(&mut self, name: &str, text: &str, origin: Origin) -> Result<&'static Row, String> {
        let name = name.replace('_', "-");
        let Some(i) = ROWS.iter().position(|r| r.name == name) else {
            let near = nearest(&name, ROWS.iter().map(|r| r.name));
            let hint = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            return Err(format!("there is no setting `{name}`{hint}"));
        };
        let value = checked(ROWS[i].kind, text.trim()).map_err(|e| format!("`{name}` takes {e}, not `{text}`"))?;
        self.values[i] = (value, origin);
        Ok(&ROWS[i])
    }

    /// Name, value and what set it.
    pub fn all(&self) -> impl Iterator<Item = (&'static Row, &str, &Origin)> {
        ROWS.iter().zip(&self.values).map(|(row, (value, origin))| (row, value.as_str(), origin))
    }

    /// The value of a setting; empty where there is none of that name.
    pub fn get(&self, name: &str) -> &str {
        self.all().find(|(row, ..)| row.name == name).map_or("", |(_, value, _)| value)
    }

    pub fn is_on(&self, name: &str) -> bool {
        self.get(name) == "on"
    }

    /// A count; None for `auto`.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.get(name).parse().ok()
    }

    /// A number of bytes; None for `auto`.
    pub fn bytes(&self, name: &str) -> Option<u64> {
        parse_size(self.get(name)).ok()
    }

    /// Columns of shown values; `auto` is the terminal's.
    pub fn line_width(&self, auto: usize) -> usize {
        self.count("width").and_then(|n| usize::try_from(n).ok()).unwrap_or(auto)
    }

    /// Hands the values that functions read to a session's options. `width` and `memory` stand for `auto`.
    pub fn apply(&self, options: &mut Options, width: usize, memory: u64) {
        let count = |name| self.count(name).and_then(|n| usize::try_from(n).ok());
        options.precision = count("precision").unwrap_or(options.precision);
        options.threshold = count("threshold").unwrap_or(options.threshold);
        options.line_width = self.line_width(width);
        options.max_memory = self.bytes("max-memory").unwrap_or(memory);
        options.default_float = DType::from_name(self.get("default-dtype")).unwrap_or(options.default_float);
        options.stats = self.is_on("stats");
        options.warnings = self.is_on("warnings");
    }
}

/// The value as it is kept, or what would be taken.
fn checked(kind: Kind, text: &str) -> Result<String, String> {
    let count = |least: u64, most: u64, auto: &str| {
        let range =
            if most == ANY { format!("a number from {least}") } else { format!("a number from {least} to {most}") };
        let n = text.replace('_', "").parse::<u64>().ok().filter(|n| (least..=most).contains(n));
        n.map(|n| n.to_string()).ok_or(format!("{auto}{range}"))
    };
    match kind {
        Kind::Switch => match text {
            "on" | "true" | "True" | "yes" | "1" => Ok("on".into()),
            "off" | "false" | "False" | "no" | "0" => Ok("off".into()),
            _ => Err("`on` or `off`".into()),
        },
        Kind::Choice(words) => match words.iter().find(|w| **w == text) {
            Some(word) => Ok((*word).to_owned()),
            None => Err(words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(" or ")),
        },
        Kind::Count { least, most } => count(least, most, ""),
        Kind::AutoCount { .. } | Kind::AutoBytes if text == "auto" => Ok(text.to_owned()),
        Kind::AutoCount { least, most } => count(least, most, "`auto` or "),
        Kind::AutoBytes => {
            parse_size(text).map(|_| text.to_owned()).map_err(|_| "`auto` or bytes such as 500M or 8G".to_owned())
        }
    }
}

impl Kind {
    /// Words to complete with.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Kind::Switch => &["on", "off"],
            Kind::Choice(words) => words,
            Kind::Count { .. } => &[],
            Kind::AutoCount { .. } | Kind::AutoBytes => &["auto"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_default_is_a_value_of_its_setting() {
        for row in ROWS {
            assert_eq!(checked(row.kind, row.default).as_deref(), Ok(row.default), "{}", row.name);
        }
    }

    #[test]
    fn files_set_values_and_complain_about_the_rest() {
        let (mut settings, mut faults) = (Settings::default(), Vec::new());
        let text = "precision = 4\nstats = true\nmax_memory = \"2G\"\nprecison = 3\nedit-mode = \"vim\"\n";
        settings.read_file(text, Path::new("c.toml"), &mut faults);
        assert_eq!((settings.count("precision"), settings.is_on("stats")), (Some(4), true));
        assert_eq!(settings.bytes("max-memory"), Some(2_000_000_000));
        faults.sort();
        assert_eq!(
            faults,
            [
                "c.toml: `edit-mode` takes `emacs` or `vi`, not `vim`",
                "c.toml: there is no setting `precison`; did you mean `precision`?",
            ]
        );
        let origin = settings.all().find(|(r, ..)| r.name == "stats").map(|(_, _, o)| o.clone());
        assert_eq!(origin, Some(Origin::File("c.toml".into())));
        faults.clear();
        settings.read_file("a = 1\nb = = 2\n", Path::new("c.toml"), &mut faults);
        assert!(faults.len() == 1 && faults[0].starts_with("c.toml:2: "), "{faults:?}");
    }

    #[test]
    fn values_reach_the_options() {
        let (mut settings, mut options) = (Settings::default(), Options::default());
        settings.apply(&mut options, 60, 1000);
        assert_eq!((options.line_width, options.max_memory, options.precision), (60, 1000, 8));
        assert!(settings.set("width", "120", Origin::Set).is_ok());
        assert!(settings.set("default_dtype", "f64", Origin::Set).is_ok());
        settings.apply(&mut options, 60, 1000);
        assert_eq!((options.line_width, options.default_float), (120, DType::F64));
        assert_eq!(
            settings.set("width", "7", Origin::Set).err().as_deref(),
            Some("`width` takes `auto` or a number from 20 to 10000, not `7`")
        );
    }
}
