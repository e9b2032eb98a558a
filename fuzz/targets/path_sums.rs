#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ninefold_fuzz::engines::path_sums(data));
