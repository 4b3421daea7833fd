use crate::base::codes::FAMILIES;
use crate::help;

/// `tsk explain E0203`: what the code means and what to do about it.
pub fn explain(code: &str) -> i32 {
    match help::code(code) {
        Some((code, title, text)) => {
            super::print(&format!("{code}: {title}\n\n{text}\n"));
            0
        }
        None => {
            eprintln!("tsk knows no code `{code}`; codes look like E0203. The families:");
            for (family, title) in FAMILIES {
                eprintln!("  {family}xx  {title}");
            }
            1
        }
    }
}
