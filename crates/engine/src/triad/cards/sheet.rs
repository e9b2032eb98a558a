//! The format of the data files: a line with the kind and version, a head of `key: value` lines, an empty line, the names
//! of the columns, and rows of comma-separated values.
//!
//! ```text
//! ninefold-cards 1
//! game: ff8
//! rows: 2
//!
//! id,name,sides
//! 77,"Fat, Chocobo",2184
//! 78,Angelo,9637
//! ```
//!
//! A value that contains a comma or a quote is quoted. `rows` may be left out; with it, a truncated file is refused. The
//! reader is written here because every error must name its line, and a field never spans two lines.

use super::names::nearest;
use crate::triad::error::TriadError;
#[cfg(feature = "files")]
use std::path::Path;

/// One row of values, by the columns of its sheet.
pub(super) struct Row {
    pub(super) line: usize,
    values: Vec<String>,
}

/// A file split into its parts. What the values mean is up to the caller.
pub(super) struct Sheet {
    origin: String,
    head: Vec<(String, String)>,
    columns: Vec<String>,
    pub(super) rows: Vec<Row>,
    last_line: usize,
}

impl Sheet {
    /// Reads a text of that kind and version 1, with keys of the head out of `keys` and columns out of `allowed`.
    pub(super) fn read(
        text: &str,
        origin: &str,
        kind: &'static str,
        keys: &[&str],
        allowed: &[&str],
    ) -> Result<Self, TriadError> {
        let fault = |line: usize, error| in_file(origin, line, error);
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end()));
        let title = lines.next().map_or("", |(_, title)| title);
        match title.split_once(' ') {
            Some((found, "1")) if found == kind => {}
            Some((found, version)) if found == kind => {
                return Err(fault(1, TriadError::FileVersion { found: version.to_owned() }));
            }
            _ => return Err(fault(1, TriadError::FileKind { kind })),
        }
        let mut head: Vec<(String, String)> = Vec::new();
        for (line, text) in lines.by_ref().take_while(|(_, text)| !text.is_empty()) {
            // The space after the colon of an empty value was trimmed.
            let pair = text.split_once(": ").or_else(|| Some((text.strip_suffix(':')?, "")));
            let (key, value) = pair.ok_or_else(|| fault(line, TriadError::FileHead))?;
            if !keys.contains(&key) {
                let (name, nearest, known) = (key.to_owned(), similar(key, keys), keys.join(", "));
                return Err(fault(line, TriadError::UnknownKey { name, nearest, known }));
            }
            if head.iter().any(|(known, _)| known == key) {
                return Err(fault(line, TriadError::KeyTwice { name: key.to_owned() }));
            }
            head.push((key.to_owned(), value.to_owned()));
        }
        let mut sheet = Self { origin: origin.to_owned(), head, columns: Vec::new(), rows: Vec::new(), last_line: 0 };
        for (line, text) in lines {
            sheet.last_line = line;
            if text.is_empty() {
                continue;
            }
            let values = fields(text).map_err(|error| fault(line, error))?;
            if sheet.columns.is_empty() {
                if let Some(name) = values.iter().find(|name| !allowed.contains(&name.as_str())) {
                    let (name, nearest, allowed) = (name.clone(), similar(name, allowed), allowed.join(", "));
                    return Err(fault(line, TriadError::UnknownColumn { name, nearest, allowed }));
                }
                if let Some(name) =
                    values.iter().enumerate().find_map(|(at, name)| values[..at].contains(name).then_some(name))
                {
                    return Err(fault(line, TriadError::ColumnTwice { name: name.clone() }));
                }
                sheet.columns = values;
            } else if values.len() == sheet.columns.len() {
                sheet.rows.push(Row { line, values });
            } else {
                let (found, wanted) = (values.len(), sheet.columns.len());
                return Err(fault(line, TriadError::ValueCount { found, wanted }));
            }
        }
        if let Some(rows) = sheet.head("rows") {
            if rows.parse() != Ok(sheet.rows.len()) {
                let found = sheet.rows.len();
                return Err(fault(sheet.last_line, TriadError::RowCount { found, stated: rows.to_owned() }));
            }
            if !text.ends_with('\n') {
                return Err(fault(sheet.last_line, TriadError::CutLine));
            }
        }
        Ok(sheet)
    }

    /// The value of a key of the head.
    pub(super) fn head(&self, key: &str) -> Option<&str> {
        self.head.iter().find(|entry| entry.0 == key).map(|entry| entry.1.as_str())
    }

    /// A value of a row; empty if the file has no such column.
    pub(super) fn value<'a>(&self, row: &'a Row, column: &str) -> &'a str {
        let at = self.columns.iter().position(|name| name == column);
        at.map_or("", |at| row.values[at].as_str())
    }

    /// A number of a row within bounds; `default`, if there is one, where the value is empty.
    pub(super) fn number(
        &self,
        row: &Row,
        column: &'static str,
        bounds: std::ops::RangeInclusive<u16>,
        default: Option<u16>,
    ) -> Result<u16, TriadError> {
        let text = self.value(row, column);
        let number = if text.is_empty() { default } else { text.parse().ok() };
        number.filter(|number| bounds.contains(number) || text.is_empty()).ok_or_else(|| {
            let (low, high) = (*bounds.start(), *bounds.end());
            self.fault(row.line, TriadError::NumberOutside { column, text: text.to_owned(), low, high })
        })
    }

    /// An error in a line of this file.
    pub(super) fn fault(&self, line: usize, error: TriadError) -> TriadError {
        in_file(&self.origin, line, error)
    }
}

/// The known name that is most similar to a misspelt one, if there is one.
fn similar(name: &str, known: &[&str]) -> Vec<String> {
    nearest(name, known.iter().copied(), 1).into_iter().map(|at| known[at].to_owned()).collect()
}

/// An error in a line of a file; line 0 is the file as a whole.
pub(super) fn in_file(origin: &str, line: usize, error: TriadError) -> TriadError {
    TriadError::File { origin: origin.to_owned(), line, error: Box::new(error) }
}

/// The values of a line.
pub(super) fn fields(line: &str) -> Result<Vec<String>, TriadError> {
    let mut values = Vec::new();
    let mut rest = line;
    loop {
        if let Some(mut inside) = rest.strip_prefix('"') {
            let mut value = String::new();
            loop {
                let (before, after) = inside.split_once('"').ok_or(TriadError::OpenQuote)?;
                value.push_str(before);
                match after.strip_prefix('"') {
                    Some(more) => {
                        value.push('"');
                        inside = more;
                    }
                    None => {
                        inside = after;
                        break;
                    }
                }
            }
            values.push(value);
            if inside.is_empty() {
                return Ok(values);
            }
            rest = inside.strip_prefix(',').ok_or(TriadError::NoComma)?;
        } else if let Some((value, after)) = rest.split_once(',') {
            values.push(value.trim().to_owned());
            rest = after;
        } else {
            values.push(rest.trim().to_owned());
            return Ok(values);
        }
    }
}

/// A value as it is written in a row.
pub(super) fn quoted(value: &str) -> String {
    if value.contains([',', '"']) { format!("\"{}\"", value.replace('"', "\"\"")) } else { value.to_owned() }
}

/// The text of a file.
#[cfg(feature = "files")]
pub(super) fn text_of(path: &Path) -> Result<String, crate::Error> {
    let bytes = std::fs::read(path).map_err(|source| crate::store::StoreError::io(path, source))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count();
        in_file(&path.display().to_string(), line, TriadError::NotUtf8)
    })?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_and_quotes() {
        for values in [vec!["a", "b"], vec!["Fujin, Raijin", "9"], vec!["say \"no\", twice", ""], vec![""]] {
            let line = values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(",");
            assert_eq!(fields(&line).unwrap(), values);
        }
        assert_eq!(fields("\"open"), Err(TriadError::OpenQuote));
        assert_eq!(fields("\"a\"b"), Err(TriadError::NoComma));
    }

    #[test]
    fn an_error_names_its_line() {
        let good = "kind 1\ngame: ff8\nrows: 2\n\nid,name\n1,One\n2,Two\n";
        let read = |text: &str| {
            Sheet::read(text, "here", "kind", &["game", "rows"], &["id", "name"]).map(|sheet| sheet.rows.len())
        };
        assert_eq!(read(good), Ok(2));
        assert_eq!(read(&good.replace('\n', "\r\n")), Ok(2));
        for (damaged, line, what) in [
            ("", 1, "not such a file"),
            ("kind 2\n", 1, "version 2"),
            ("kind 1\ngame\n", 2, "key: value"),
            (
                &good.replace("rows", "row"),
                3,
                "no key of the head is called \"row\": expected game, rows; did you mean rows?",
            ),
            (&good.replace("rows: 2", "game: ff8"), 3, "game is given twice"),
            (
                &good.replace("id,name", "id,nome"),
                5,
                "no column is called \"nome\": expected id, name; did you mean name?",
            ),
            (&good.replace("id,name", "id,id"), 5, "twice"),
            (&good.replace("1,One", "1"), 6, "1 values where the columns are 2"),
            (&good.replace("2,Two\n", ""), 6, "ends after 1 rows"),
        ] {
            let message = read(damaged).unwrap_err().to_string();
            assert!(message.starts_with(&format!("here, line {line}: ")) && message.contains(what), "{message}");
        }
    }
}
