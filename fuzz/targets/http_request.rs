#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ninefold_fuzz::questions::http_request(data));
