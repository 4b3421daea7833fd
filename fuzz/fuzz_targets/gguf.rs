#![no_main]

#[path = "../layers.rs"]
mod layers;
pub use layers::*;

libfuzzer_sys::fuzz_target!(|data: &[u8]| layers::read_everything("gguf", data));
