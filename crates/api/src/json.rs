//! JSON that a user wrote: every fault in plain words, with its place.
//!
//! Serde describes a fault by the Rust types it reads into: `invalid type: map, expected u32`. [`json_fault`] translates
//! that once for the files, the records and the bodies of the server.

use crate::fault::Fault;
use engine::triad::cards::nearest;
use serde::de::DeserializeOwned;

/// Reads a JSON text.
///
/// # Errors
/// If it is not JSON or has another form. The message gives line and column.
pub fn read_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(text).map_err(|error| Fault::question("", json_fault(&error)))
}

/// The suggestion for a misspelt name: empty, or `; did you mean ...?`.
#[must_use]
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = nearest(name, known.iter().copied(), 1);
    near.first().map_or_else(String::new, |at| format!("; did you mean `{}`?", known[*at]))
}

/// What is wrong with a JSON text, with its place if that is known.
///
/// ```
/// use ninefold_api::{Limits, json_fault};
/// let error = serde_json::from_str::<Limits>(r#"{"node": 7}"#).unwrap_err();
/// let message = json_fault(&error);
/// assert!(message.starts_with("line 1, column "), "{message}");
/// assert!(message.contains("there is no field `node`; did you mean `nodes`?"), "{message}");
/// ```
#[must_use]
pub fn json_fault(error: &serde_json::Error) -> String {
    let message = error.to_string();
    if error.line() == 0 {
        return plain(&message);
    }
    let (line, column) = (error.line(), error.column());
    let place = format!(" at line {line} column {column}");
    format!("line {line}, column {column}: {}", plain(message.strip_suffix(&place).unwrap_or(&message)))
}

/// A message of serde in plain words.
fn plain(message: &str) -> String {
    if let Some((name, expected)) = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once("`, ")) {
        let known = quoted(expected);
        let list =
            if known.is_empty() { "it has no fields".to_owned() } else { format!("expected {}", known.join(", ")) };
        return match did_you_mean(name, known) {
            near if near.is_empty() => format!("there is no field `{name}`: {list}"),
            near => format!("there is no field `{name}`{near} ({list})"),
        };
    }
    if let Some((name, expected)) = message.strip_prefix("unknown variant `").and_then(|rest| rest.split_once("`, ")) {
        let known = quoted(expected);
        return format!("`{name}` is not one of {}{}", known.join(", "), did_you_mean(name, known));
    }
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("the field {name} is missing");
    }
    if let Some(name) = message.strip_prefix("duplicate field ") {
        return format!("the field {name} is given twice");
    }
    if let Some((found, expected)) = message.split_once(", expected ") {
        let found = ["invalid type: ", "invalid value: ", "invalid "].iter().find_map(|kind| found.strip_prefix(kind));
        if let Some(found) = found {
            let expected = described(expected);
            // Serde also reads a list of the values of an object, if it has the right length.
            let found =
                if expected.starts_with("an object") && found.starts_with("length") { "sequence" } else { found };
            return format!("expected {expected}, not {}", given(found));
        }
    }
    let known = SYNTAX.iter().find(|(theirs, _)| message.starts_with(theirs));
    known.map_or_else(|| message.to_owned(), |(_, ours)| (*ours).to_owned())
}

/// The messages of the JSON reader about the text itself.
const SYNTAX: [(&str, &str); 9] = [
    ("EOF while parsing", "the JSON text ends too early"),
    ("expected value", "this is not JSON: expected a value such as {...}, [...], \"text\" or a number"),
    ("expected ident", "this is not JSON: expected true, false or null"),
    ("trailing characters", "expected the end: the JSON value is complete before this"),
    ("trailing comma", "a comma must be followed by another value"),
    ("key must be a string", "the name of a field must be in double quotes"),
    ("control character", "a text must not contain control characters; write them as \\n, \\t or \\u0000"),
    ("recursion limit exceeded", "the brackets are nested too deep"),
    ("number out of range", "the number is too large"),
];

/// The names between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// What serde expected, in the words of JSON.
fn described(expected: &str) -> String {
    let words = match expected {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 to 18446744073709551615",
        "i32" | "i64" => "a whole number",
        "f64" | "f32" => "a number",
        "a sequence" => "a list: [...]",
        "a boolean" => "true or false",
        "a string" | "a borrowed string" => "a text in double quotes",
        "a character" => "one letter in double quotes",
        "a map" => "an object: {...}",
        "unit" => "null",
        other if other.starts_with("struct ") || other.starts_with("internally tagged") => "an object: {...}",
        other if other.starts_with("enum ") => "one of its names, in double quotes",
        other => {
            return match other.strip_prefix("an array of length ").or_else(|| other.strip_prefix("a tuple of size ")) {
                Some(length) => format!("a list of {length} values"),
                None => other.to_owned(),
            };
        }
    };
    words.to_owned()
}

/// What serde found, in the words of JSON.
fn given(found: &str) -> String {
    let words = match found {
        "map" => "an object",
        "sequence" => "a list",
        other => {
            let value =
                ["integer ", "floating point ", "boolean ", "string "].iter().find_map(|kind| other.strip_prefix(kind));
            return match (value, other.strip_prefix("length ")) {
                (Some(value), _) => value.trim_matches('`').to_owned(),
                (None, Some(length)) => length.to_owned(),
                (None, None) => other.to_owned(),
            };
        }
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use crate::triad::DealQuestion;
    use crate::{Options, SolveQuestion};

    fn fault<T: serde::de::DeserializeOwned>(text: &str) -> String {
        super::read_json::<T>(text.as_bytes()).err().map_or_else(|| panic!("{text} is read"), |fault| fault.message)
    }

    #[test]
    fn a_misspelt_field_is_answered_with_the_field() {
        let message = fault::<DealQuestion>(r#"{"hand_a": [], "hand_b": [], "rule": []}"#);
        assert!(message.starts_with("line 1, column "), "{message}");
        assert!(message.contains("there is no field `rule`; did you mean `rules`? (expected edition, "), "{message}");
        assert!(fault::<Options>(r#"{"Rule": "open"}"#).contains("did you mean `rule`?"));
        assert!(fault::<SolveQuestion>(r#"{"limits": {"timems": 4}}"#).contains("did you mean `time_ms`?"));
        let far = fault::<Options>(r#"{"xyzzy": 1}"#);
        assert!(far.contains("there is no field `xyzzy`: expected rule, search, ") && !far.contains("did you mean"));
    }

    #[test]
    fn no_fault_speaks_of_rust() {
        let deals = [
            "",
            "{",
            "[",
            "nul",
            "{}",
            "[]",
            "7",
            "\"x\"",
            "{\"hand_a\": 7}",
            "{\"hand_a\": [], \"hand_a\": []}",
            "{\"hand_a\": [true]}",
            "{\"hand_a\": [{\"sides\": [1, 2]}]}",
            "{\"moves\": [[]]}",
            "{\"moves\": [{\"player\": \"a\", \"card\": 1, \"cell\": -1}]}",
            "{\"moves\": [{\"player\": \"a\", \"card\": 1, \"cell\": 1.5}]}",
            "{\"rules\": \"same\"}",
            "{\"rules\": [1]}",
            "{\"first\": 1e999}",
            "{\"first\": \"\u{1}\"}",
            "{first: 1}",
            "{\"first\": \"a\",}",
            "{} {}",
        ];
        let nested = "[".repeat(200);
        for text in deals.into_iter().chain([nested.as_str()]) {
            let message = fault::<DealQuestion>(text);
            assert!(message.starts_with("line "), "{text}: {message}");
            for word in ["struct", "u32", "variant", "sequence", "EOF", "invalid", "map", "missing field", "untagged"] {
                assert!(!message.contains(word), "{text}: {message}");
            }
        }
    }
}
