//! `tsk`: everything is in the library.

fn main() {
    std::process::exit(tsk::cli::main());
}
