//! The generated descriptions are those of the Rust types. `cargo xtask describe` writes them.

#![cfg(feature = "schema")]
#![allow(missing_docs, reason = "a test")]

mod common;

use common::run;

#[test]
fn the_generated_descriptions_are_up_to_date() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let ended = run(&["describe", "--check", "--folder", root], "");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}
