//! Reads the files of the project, and strips comments and strings from Rust code.

use crate::process::{Outcome, root};
use std::fs;
use std::path::{Path, PathBuf};

/// A text file of the project.
pub(crate) struct Source {
    /// The path from the root folder, separated by `/`.
    pub(crate) path: String,
    /// The content.
    pub(crate) text: String,
}

impl Source {
    /// The file extension.
    pub(crate) fn extension(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

/// Folders and files that are not sources of the project.
const SKIPPED: [&str; 3] = [".git", "target", "node_modules"];

/// Every text file of the project, sorted by path.
pub(crate) fn all() -> Outcome<Vec<Source>> {
    let top = root();
    let mut folders = vec![top.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        let listing = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in listing.flatten().map(|entry| entry.path()) {
            let skipped = path.file_name().is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped));
            if path.is_dir() && !skipped {
                folders.push(path);
            } else if path.is_file() && !skipped {
                sources.extend(read(&top, &path));
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

/// `None` for a file that is not text.
fn read(top: &Path, path: &PathBuf) -> Option<Source> {
    let name = path.strip_prefix(top).ok()?.to_string_lossy().replace('\\', "/");
    Some(Source { path: name, text: fs::read_to_string(path).ok()? })
}

/// Replaces comments, strings and characters by spaces. Line numbers stay the same.
pub(crate) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let raw = raw_string(rest);
        let length = if raw > 0 {
            raw
        } else if word > 0 {
            code.push_str(&rest[..word]);
            rest = &rest[word..];
            continue;
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' && is_character(rest) {
            quoted(rest, '\'')
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        code.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[length..];
    }
    code
}

/// Whether a quote starts a character literal and not a lifetime.
fn is_character(text: &str) -> bool {
    let mut next = text.chars().skip(1);
    next.next() == Some('\\') || next.next() == Some('\'')
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the raw string at the start of the text; 0 if there is none.
fn raw_string(text: &str) -> usize {
    let Some(opening) = text.strip_prefix("br").or(text.strip_prefix("cr")).or(text.strip_prefix('r')) else {
        return 0;
    };
    let marks = opening.len() - opening.trim_start_matches('#').len();
    let Some(inside) = opening[marks..].strip_prefix('"') else { return 0 };
    let end = format!("\"{}", "#".repeat(marks));
    let before = text.len() - inside.len();
    inside.find(&end).map_or(text.len(), |at| before + at + end.len())
}

/// Whether `code` contains `word` as a whole word.
pub(crate) fn has_word(code: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        !code[..at].chars().next_back().is_some_and(inside)
            && !code[at + word.len()..].chars().next().is_some_and(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_no_code() {
        let text = r###"let a = "unsafe \" unsafe"; // unsafe
/* unsafe /* unsafe */ unsafe */ let b = r#"unsafe " unsafe"#; let c = 'u'; let d = '\'';
fn f<'unsafe_life>(x: &'static str) -> char { '"' } unsafe { g("ü") }"###;
        let code = code(text);
        assert_eq!(code.matches("unsafe").count(), 2, "{code}");
        assert!(code.contains("unsafe { g("));
        assert_eq!(code.lines().count(), text.lines().count());
        assert!(code.contains("let d =") && code.contains("&'static str"));
    }

    #[test]
    fn words_end_where_names_end() {
        assert!(has_word("unsafe { }", "unsafe"));
        assert!(has_word("use core::arch::x86_64;", "core::arch"));
        assert!(!has_word("#![deny(unsafe_code)]", "unsafe"));
        assert!(!has_word("score::arch", "core::arch"));
    }
}
