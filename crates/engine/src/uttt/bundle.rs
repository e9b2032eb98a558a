//! A paste-ready bot for CodinGame's arena: rules, network and best-first tree search in one source file.
//!
//! The file computes what [`NetworkJudge`](super::network::NetworkJudge) computes with the same numbers: the tests hold every
//! value against it. The constants of the search are [`TUNING`]. Price: 74,600 characters for the network, 24,300 for the code.

use super::best_first::TUNING;
use super::network::compact::Compact;
use crate::source_file::{character, filled};

pub use crate::source_file::LIMIT;

const TEMPLATE: &str = include_str!("bundle/bot.rs.txt");

/// The source of the bot with this network.
#[must_use]
pub fn bundle(network: &Compact) -> String {
    let constants = [
        ("MIX", format!("{:?}", TUNING.mix)),
        ("EXPLORATION", format!("{:?}", TUNING.exploration)),
        ("FREEING", format!("{:?}", TUNING.freeing)),
        ("TRUST", format!("{:?}", TUNING.trust)),
        ("ROOT_SHARE", TUNING.root_share.to_string()),
        ("DATA", format!("\"{}\"", packed(&network.bytes()))),
    ];
    filled(TEMPLATE, &constants)
}

/// Bytes as text, 15 bits a character, the highest bits first.
fn packed(bytes: &[u8]) -> String {
    let (mut text, mut bits, mut count) = (String::new(), 0_u32, 0);
    for &byte in bytes {
        bits = bits << 8 | u32::from(byte);
        count += 8;
        if count >= 15 {
            count -= 15;
            text.push(character(bits >> count));
            bits &= (1 << count) - 1;
        }
    }
    if count > 0 {
        text.push(character(bits << (15 - count)));
    }
    text
}
