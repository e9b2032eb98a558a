//! The form of every data file of ours: one line that says what it is and in which version, a head of `key: value`
//! lines, an empty line, the names of the columns, and rows of comma-separated values.
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
//! A value with a comma or a quote in it stands in quotes. `rows` may be left out; where it stands, a file cut short is
//! noticed. A reader
//! of forty lines does, because a fault must be told by its line and a field never spans two.

use std::fmt;
use std::path::Path;

/// Why a file is refused: where, and what is wrong there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFault {
    /// The name of the file.
    pub origin: String,
    /// The line, counted from 1; 0 if the fault is of the file as a whole.
    pub line: usize,
    /// Whether the file could not be read at all, so that nothing is known of what is in it.
    pub unread: bool,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for FileFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(out, "{}: {}", self.origin, self.what),
            line => write!(out, "{}, line {line}: {}", self.origin, self.what),
        }
    }
}

impl std::error::Error for FileFault {}

/// One row of values, by the columns of its sheet.
pub(super) struct Row {
    pub(super) line: usize,
    values: Vec<String>,
}

/// A file cut into its parts; what the values mean is for others.
pub(super) struct Sheet {
    origin: String,
    head: Vec<(String, String)>,
    columns: Vec<String>,
    pub(super) rows: Vec<Row>,
    last_line: usize,
}

impl Sheet {
    /// Reads a text of that kind and version 1, with columns out of `allowed`.
    pub(super) fn read(text: &str, origin: &str, kind: &str, allowed: &[&str]) -> Result<Self, FileFault> {
        let fault = |line: usize, what: String| FileFault { origin: origin.to_owned(), line, unread: false, what };
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end()));
        let title = lines.next().map_or("", |(_, title)| title);
        match title.split_once(' ') {
            Some((found, "1")) if found == kind => {}
            Some((found, version)) if found == kind => {
                return Err(fault(1, format!("version {version} of the format; this program reads version 1")));
            }
            _ => return Err(fault(1, format!("expected \"{kind} 1\": this is not such a file"))),
        }
        let mut head = Vec::new();
        for (line, text) in lines.by_ref().take_while(|(_, text)| !text.is_empty()) {
            let (key, value) = text.split_once(": ").ok_or_else(|| {
                fault(line, "expected \"key: value\", or an empty line before the columns".to_owned())
            })?;
            head.push((key.to_owned(), value.to_owned()));
        }
        let mut sheet = Self { origin: origin.to_owned(), head, columns: Vec::new(), rows: Vec::new(), last_line: 0 };
        for (line, text) in lines {
            sheet.last_line = line;
            if text.is_empty() {
                continue;
            }
            let values = fields(text).map_err(|what| fault(line, what.to_owned()))?;
            if sheet.columns.is_empty() {
                if let Some(name) = values.iter().find(|name| !allowed.contains(&name.as_str())) {
                    return Err(fault(
                        line,
                        format!("no column is called \"{name}\": expected {}", allowed.join(", ")),
                    ));
                }
                if let Some(name) =
                    values.iter().enumerate().find_map(|(at, name)| values[..at].contains(name).then_some(name))
                {
                    return Err(fault(line, format!("the column {name} stands here twice")));
                }
                sheet.columns = values;
            } else if values.len() == sheet.columns.len() {
                sheet.rows.push(Row { line, values });
            } else {
                let (found, wanted) = (values.len(), sheet.columns.len());
                return Err(fault(line, format!("{found} values where the columns are {wanted}")));
            }
        }
        if let Some(rows) = sheet.head("rows") {
            if rows.parse() != Ok(sheet.rows.len()) {
                let found = sheet.rows.len();
                return Err(fault(sheet.last_line, format!("the file ends after {found} rows; its head says {rows}")));
            }
            if !text.ends_with('\n') {
                return Err(fault(sheet.last_line, "the file ends within this line".to_owned()));
            }
        }
        Ok(sheet)
    }

    /// The value of a key of the head.
    pub(super) fn head(&self, key: &str) -> Option<&str> {
        self.head.iter().find(|entry| entry.0 == key).map(|entry| entry.1.as_str())
    }

    /// A value of a row; nothing if the file has no such column.
    pub(super) fn value<'a>(&self, row: &'a Row, column: &str) -> &'a str {
        let at = self.columns.iter().position(|name| name == column);
        at.map_or("", |at| row.values[at].as_str())
    }

    /// A number of a row within bounds; `default` where nothing stands, if there is one.
    pub(super) fn number(
        &self,
        row: &Row,
        column: &str,
        bounds: std::ops::RangeInclusive<u16>,
        default: Option<u16>,
    ) -> Result<u16, FileFault> {
        let text = self.value(row, column);
        let number = if text.is_empty() { default } else { text.parse().ok() };
        number.filter(|number| bounds.contains(number) || text.is_empty()).ok_or_else(|| {
            let (low, high) = (bounds.start(), bounds.end());
            self.fault(row.line, format!("{column} is \"{text}\": expected a number from {low} to {high}"))
        })
    }

    /// A fault of this file.
    pub(super) fn fault(&self, line: usize, what: String) -> FileFault {
        FileFault { origin: self.origin.clone(), line, unread: false, what }
    }
}

/// The values of a line.
fn fields(line: &str) -> Result<Vec<String>, &'static str> {
    let mut values = Vec::new();
    let mut rest = line;
    loop {
        if let Some(mut inside) = rest.strip_prefix('"') {
            let mut value = String::new();
            loop {
                let (before, after) = inside.split_once('"').ok_or("a quote is not closed")?;
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
            rest = inside.strip_prefix(',').ok_or("expected a comma after the closing quote")?;
        } else if let Some((value, after)) = rest.split_once(',') {
            values.push(value.trim().to_owned());
            rest = after;
        } else {
            values.push(rest.trim().to_owned());
            return Ok(values);
        }
    }
}

/// A value as it must stand in a row.
pub(super) fn quoted(value: &str) -> String {
    if value.contains([',', '"']) { format!("\"{}\"", value.replace('"', "\"\"")) } else { value.to_owned() }
}

/// The text of a file, or why it cannot be had.
pub(super) fn text_of(path: &Path) -> Result<String, FileFault> {
    let origin = path.display().to_string();
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(FileFault { origin, line: 0, unread: true, what: error.to_string() }),
    };
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count();
        FileFault { origin, line, unread: false, what: "this is not text in UTF-8".to_owned() }
    })
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
        assert_eq!(fields("\"open"), Err("a quote is not closed"));
        assert_eq!(fields("\"a\"b"), Err("expected a comma after the closing quote"));
    }

    #[test]
    fn a_fault_is_told_by_its_line() {
        let good = "kind 1\ngame: ff8\nrows: 2\n\nid,name\n1,One\n2,Two\n";
        let read = |text: &str| Sheet::read(text, "here", "kind", &["id", "name"]).map(|sheet| sheet.rows.len());
        assert_eq!(read(good), Ok(2));
        assert_eq!(read(&good.replace('\n', "\r\n")), Ok(2));
        for (damaged, line, what) in [
            ("", 1, "not such a file"),
            ("kind 2\n", 1, "version 2"),
            ("kind 1\ngame\n", 2, "key: value"),
            (&good.replace("id,name", "id,nome"), 5, "no column"),
            (&good.replace("id,name", "id,id"), 5, "twice"),
            (&good.replace("1,One", "1"), 6, "1 values where the columns are 2"),
            (&good.replace("2,Two\n", ""), 6, "ends after 1 rows"),
        ] {
            let fault = read(damaged).unwrap_err();
            assert_eq!(fault.line, line, "{fault}");
            assert!(fault.to_string().contains(what), "{fault}");
        }
    }
}
