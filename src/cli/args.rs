use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A tensor expression language: NumPy's fingers, lazy plans, views that never copy.
#[derive(Parser, Debug)]
#[command(name = "tsk", version, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
#[command(after_help = "Without FILE: a prompt on a terminal, the text of standard input otherwise.\n\
                        `tsk help` lists topics and functions, `tsk help NAME` tells about one.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// The script to run; `-` is standard input
    pub file: Option<PathBuf>,

    /// What the script sees as `args`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,

    /// Run this text instead of a file
    #[arg(short = 'e', long = "eval", value_name = "TEXT", allow_hyphen_values = true)]
    pub eval: Option<String>,

    /// Run each statement of standard input as soon as its line completes it, and go on after errors
    #[arg(long, global = true)]
    pub interactive: bool,

    /// How values and errors are written
    #[arg(long, value_enum, default_value = "text", global = true)]
    pub format: Format,

    /// Threads to compute with (default: all)
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Limit of memory for values, e.g. 500M, 8G (default: 80 % of the machine's or its control group's)
    #[arg(long, value_name = "BYTES", global = true, value_parser = crate::base::parse_size)]
    pub max_memory: Option<u64>,

    /// Seed of the random numbers (default: 0)
    #[arg(long, value_name = "N", global = true)]
    pub seed: Option<u64>,

    /// The float type of literals and of functions without a dtype (default: f32)
    #[arg(long, value_enum, value_name = "DTYPE", global = true)]
    pub default_dtype: Option<FloatType>,

    /// When to colour (default: auto)
    #[arg(long, value_enum, global = true)]
    pub color: Option<Color>,

    /// Report E08 where an operation would fall back to another device than the one asked for. The cpu, the only
    /// device of this build, never falls back; a device that is not there is E0801 with and without this option
    #[arg(long, global = true)]
    pub strict: bool,

    /// Tell on standard error how long each statement took and what it moved
    #[arg(long, global = true)]
    pub time: bool,

    /// Read files instead of mapping them
    #[arg(long, global = true)]
    pub no_mmap: bool,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Scripts: names, shapes and dtypes that do not fit, every branch once, nothing runs. Data files: NaN, inf,
    /// missing or stale shards, unaligned tensors, doubled names, damaged data
    #[command(after_help = "Examples:\n  \
        tsk check model.tsk\n  \
        tsk check weights.gguf other.safetensors        exit status 1 where something is wrong\n  \
        tsk check --json model.safetensors.index.json")]
    Check {
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        style: StyleArgs,
    },
    /// What data files hold: tensors, folded where names differ in numbers only, dtypes, metadata, what is notable
    #[command(after_help = "Examples:\n  \
        tsk info model.gguf                 the same as: tsk model.gguf\n  \
        tsk info --all a.npz b.safetensors  every tensor on a line of its own\n  \
        tsk info --scan model.gguf          looks for NaN, inf and all zeros too (small files always do)\n  \
        tsk info --json model.gguf          one object a file, on one line")]
    Info {
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Every tensor on a line of its own
        #[arg(long)]
        all: bool,
        /// Read all data: NaN, inf and tensors of zeros are notable
        #[arg(long)]
        scan: bool,
        #[command(flatten)]
        style: StyleArgs,
    },
    /// Statistics of each tensor: min, max, mean, sd (of the finite values), zeros, NaN, inf, a histogram
    #[command(
        after_help = "The histogram has one block for each power of two: the most negative values at the left end, the most\n\
        positive at the right, everything smaller than 1/256 of the edge in the middle.\n\n\
        Examples:\n  \
        tsk stat model.gguf\n  \
        tsk stat model.gguf 'blk.*.attn_q.weight'\n  \
        tsk stat --no-hist --json big.safetensors       one object a tensor, as soon as it is known"
    )]
    Stat {
        file: PathBuf,
        /// Only tensors whose names match: `*` any run, `?` one character, `[ab]` one of a set
        glob: Option<String>,
        /// Without the histogram, which takes as long as all the rest
        #[arg(long)]
        no_hist: bool,
        #[command(flatten)]
        style: StyleArgs,
    },
    /// How two data files of any formats differ, tensor by tensor; exit status 1 where they do. Of one file: text for git
    #[command(
        after_help = "Tensors of one name are compared by value, whatever their dtypes; lone tensors need no names. Two values\n\
        are equal where |a - b| <= atol + rtol * |b|; NaN equals NaN. max rel is the largest |a - b| / |b| where b\n\
        is not 0.\n\n\
        Examples:\n  \
        tsk diff model-f32.safetensors model-q8_0.gguf\n  \
        tsk diff --rtol 1e-3 --match '*.weight' a.npz b.npz\n  \
        tsk diff --json a.npy b.npy                     one object a tensor, then a summary\n\n\
        With git: `tsk diff FILE` prints one line a tensor, so that git can show what changed:\n  \
        git config diff.tsk.textconv 'tsk diff'\n  \
        echo '*.safetensors diff=tsk' >> .gitattributes"
    )]
    Diff {
        #[arg(value_name = "A")]
        a: PathBuf,
        #[arg(value_name = "B")]
        b: Option<PathBuf>,
        /// Only tensors whose names match: `*` any run, `?` one character, `[ab]` one of a set
        #[arg(long = "match", value_name = "GLOB")]
        glob: Option<String>,
        /// Difference that is allowed
        #[arg(long, default_value_t = 0.0, value_name = "X", value_parser = parse_tolerance)]
        atol: f64,
        /// Part of |b| that is allowed
        #[arg(long, default_value_t = 0.0, value_name = "X", value_parser = parse_tolerance)]
        rtol: f64,
        /// Tensors that do not differ too
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        style: StyleArgs,
    },
    /// Write a data file anew: in the format of OUT's end, with other dtypes and names. Streams: memory stays small
    #[command(
        after_help = "--dtype changes floats (packed ones too); integers, bools and complex numbers stay. To a packed format go tensors\n\
        of two axes or more whose rows are whole blocks; others stay. Metadata is kept where the format has a place.\n\n\
        Examples:\n  \
        tsk convert model.safetensors model.gguf --dtype q8_0\n  \
        tsk convert model.gguf model.safetensors --dtype bf16 --shard-size 2G\n  \
        tsk convert weights.npz layer3.npz --match 'layer.3.*' --rename 'layer.3.*=*'\n  \
        tsk convert picture.png picture.npy"
    )]
    Convert {
        #[arg(value_name = "IN")]
        from: PathBuf,
        #[arg(value_name = "OUT")]
        to: PathBuf,
        /// The dtype or packed format to write: f32, f16, bf16, q8_0, q4_k …
        #[arg(long, value_name = "DTYPE")]
        dtype: Option<String>,
        /// Write only tensors whose names match: `*` any run, `?` one character, `[ab]` one of a set
        #[arg(long = "match", value_name = "GLOB")]
        glob: Option<String>,
        /// Rename: each `*` of NEW stands for what the same `*` of OLD took; several in order
        #[arg(long = "rename", value_name = "OLD=NEW")]
        renames: Vec<String>,
        /// Cut into files of at most this much data, e.g. 5G (.safetensors with an index, .gguf)
        #[arg(long, value_name = "BYTES", value_parser = crate::base::parse_size)]
        shard_size: Option<u64>,
        #[command(flatten)]
        style: StyleArgs,
    },
    /// Show the plan of a script's (or text's) last expression
    Plan {
        file: Option<PathBuf>,
        #[arg(short = 'e', long = "eval", value_name = "TEXT", allow_hyphen_values = true)]
        expr: Option<String>,
    },
    /// Time an expression: median, spread, GB/s, GFLOP/s, kernels, copies, share of this machine's memory bandwidth
    Bench {
        #[arg(allow_hyphen_values = true)]
        expr: String,
        /// Run this text once before, untimed
        #[arg(short = 'e', long, value_name = "TEXT", allow_hyphen_values = true)]
        setup: Option<String>,
        /// Seconds of timed runs (seven runs at least)
        #[arg(long = "seconds", visible_alias = "for", value_name = "S", default_value_t = 1.0, value_parser = parse_seconds)]
        time: f64,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Tell more about an error code
    #[command(after_help = "Examples:\n  tsk explain E0203\n  tsk help E02        the codes of a family")]
    Explain { code: String },
    /// Tell about a topic, a function, an operator, a dtype, an error code; without NAME list what there is
    #[command(after_help = "Examples:\n  \
        tsk help softmax\n  \
        tsk help views and copies\n  \
        tsk help '@'                        operators and keywords: '//', 'for', '|>'\n  \
        tsk help .mT                        attributes; q4_k, bf16: types; E0203: errors\n  \
        tsk help np.concatenate             what it is called here; torch.cat, nn.LayerNorm\n  \
        tsk help --json sort                one object, examples with what they show")]
    Help {
        #[arg(value_name = "NAME")]
        name: Vec<String>,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Where the configuration is kept, and what it may hold
    ///
    /// Example: tsk config --show
    Config {
        /// Each value in force, with what set it
        #[arg(long)]
        show: bool,
    },
}

/// How a command on data files answers.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct StyleArgs {
    /// One JSON object a line
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,
    /// Tables in Markdown
    #[arg(long)]
    pub markdown: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Text,
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatType {
    F16,
    Bf16,
    F32,
    F64,
}

/// Seconds, more than none and at most an hour.
fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|s: &f64| (0.0..=3600.0).contains(s));
    seconds.ok_or_else(|| "expected seconds between 0 and 3600".to_owned())
}

fn parse_tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 => Ok(x),
        _ => Err("expected a number from 0 on, e.g. 1e-6".to_owned()),
    }
}
