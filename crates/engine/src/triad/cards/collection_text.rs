//! The forms in which a collection can be written: lines, a table, JSON and TOML.
//!
//! JSON and TOML share one small reader, because only lists and tables of cards are allowed and every error must name its
//! line.

use super::book::Book;
use super::collection::MOST_COPIES;
use super::hand::HandCard;
use super::sheet::{fields, in_file};
use crate::triad::error::TriadError;

/// A card of the text, with the count if one is given.
pub(super) struct Entry {
    pub(super) line: usize,
    pub(super) card: HandCard,
    pub(super) count: Option<u32>,
}

/// The cards of a text that came from `origin`.
pub(super) fn entries(text: &str, origin: &str, book: &Book) -> Result<Vec<Entry>, TriadError> {
    // Programs of Windows put a mark of the encoding before the text.
    let text = text.trim_start_matches('\u{feff}');
    let at = |line: usize| move |error| in_file(origin, line, error);
    let is_comment = |line: &str| line.starts_with('#') && !line[1..].starts_with(|next: char| next.is_ascii_digit());
    let mut lines = text.lines().map(str::trim).enumerate().map(|(at, line)| (at + 1, line));
    let first = lines.clone().find(|(_, line)| !line.is_empty() && !is_comment(line));
    let Some((number, first)) = first else { return Ok(Vec::new()) };
    if first.starts_with(['[', '{']) || first.split_once('=').is_some_and(|(key, _)| is_key(key)) {
        return Reader::new(text).read(book).map_err(|(line, error)| at(line)(error));
    }
    if let Some(table) = Table::of(first) {
        let rows = lines.filter(|(line, text)| *line > number && !text.is_empty());
        return rows.map(|(line, text)| table.entry(line, text, book).map_err(at(line))).collect();
    }
    let is_card =
        |(_, line): &(usize, &str)| !line.is_empty() && !is_comment(line) && *line != "card" && *line != "card,count";
    lines.by_ref().filter(is_card).map(|(line, text)| listed(line, text, book).map_err(at(line))).collect()
}

/// A card of a list: a name or number, and perhaps a count after the last comma.
fn listed(line: usize, text: &str, book: &Book) -> Result<Entry, TriadError> {
    // A name may have a comma of its own, so only a number after the last one is a count.
    let (name, count) = match text.rsplit_once(',') {
        Some((name, count)) if count.trim().bytes().all(|byte| byte.is_ascii_digit()) => {
            let count = count.trim().parse().ok().filter(|count| (1..=MOST_COPIES).contains(count));
            (name, Some(count.ok_or(TriadError::Count { most: MOST_COPIES })?))
        }
        _ => (text, None),
    };
    let card = card(name.trim().trim_matches('"'), book).map_err(|reason| match text.rsplit_once(',') {
        Some((name, count)) if card(name.trim().trim_matches('"'), book).is_ok() => {
            TriadError::NotACount { text: count.trim().to_owned(), most: MOST_COPIES }
        }
        _ => reason,
    })?;
    Ok(Entry { line, card, count })
}

/// A card by name, `#12`, or a number of at most three digits. Four digits are sides.
fn card(text: &str, book: &Book) -> Result<HandCard, TriadError> {
    let is_number = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if is_number => book.numbered(number),
        _ => book.card(text),
    }
}

/// A count: a number, or whether the card is owned.
fn count(text: &str) -> Result<u32, TriadError> {
    match text.trim().to_lowercase().as_str() {
        "" | "no" | "false" | "n" => Ok(0),
        "yes" | "true" | "y" | "x" => Ok(1),
        number => {
            let count = number.parse().ok().filter(|count| *count <= MOST_COPIES);
            count.ok_or_else(|| TriadError::NotACount { text: text.to_owned(), most: MOST_COPIES })
        }
    }
}

/// A table with a line of column names.
struct Table {
    separator: char,
    columns: usize,
    name: Option<usize>,
    number: Option<usize>,
    count: Option<usize>,
}

const NAMES: [&str; 3] = ["card", "name", "card name"];
const NUMBERS: [&str; 5] = ["id", "number", "no", "no.", "#"];
const COUNTS: [&str; 6] = ["count", "owned", "copies", "quantity", "amount", "have"];

impl Table {
    /// The table that begins with this line; none if it is not a line of column names. `card` and `card,count` begin a list,
    /// in which a name may have commas without quotes.
    fn of(line: &str) -> Option<Self> {
        let separator = [',', ';', '\t'].into_iter().max_by_key(|separator| line.matches(*separator).count())?;
        let columns: Vec<String> = split(line, separator).ok()?.iter().map(|name| name.trim().to_lowercase()).collect();
        let find = |known: &[&str]| columns.iter().position(|name| known.contains(&name.as_str()));
        let table = Self {
            separator,
            columns: columns.len(),
            name: find(&NAMES),
            number: find(&NUMBERS),
            count: find(&COUNTS),
        };
        let is_list = columns == ["card"] || columns == ["card", "count"];
        ((table.name.is_some() || table.number.is_some()) && !is_list).then_some(table)
    }

    fn entry(&self, line: usize, text: &str, book: &Book) -> Result<Entry, TriadError> {
        let values = split(text, self.separator)?;
        if values.len() != self.columns {
            return Err(TriadError::ValueCount { found: values.len(), wanted: self.columns });
        }
        let card = match (self.name, self.number) {
            (Some(name), _) => card(values[name].trim(), book)?,
            (None, number) => {
                let text = number.map_or("", |at| values[at].trim());
                text.trim_start_matches('#').parse().map_or_else(|_| book.card(text), |id| book.numbered(id))?
            }
        };
        Ok(Entry { line, card, count: self.count.map(|at| count(&values[at])).transpose()? })
    }
}

fn split(text: &str, separator: char) -> Result<Vec<String>, TriadError> {
    // The reader of fields knows commas. Where they do not separate, they belong to a name.
    if separator == ',' {
        fields(text)
    } else {
        Ok(text.split(separator).map(|value| value.trim_matches('"').to_owned()).collect())
    }
}

/// Whether the text before `=` is a key of TOML.
fn is_key(text: &str) -> bool {
    let text = text.trim();
    let is_quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    is_quoted || !text.is_empty() && text.chars().all(|symbol| symbol.is_alphanumeric() || "-_'. ".contains(symbol))
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    /// In quotes.
    Text(String),
    /// A bare key or a number.
    Word(String),
    Sign(char),
}

impl Token {
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => format!("\"{text}\""),
            Self::Word(word) => word.clone(),
            Self::Sign(sign) => sign.to_string(),
        }
    }
}

/// Reads lists and tables of cards in JSON or TOML.
struct Reader {
    tokens: Vec<(usize, Token)>,
    at: usize,
}

type Wrong = (usize, TriadError);

impl Reader {
    fn new(text: &str) -> Self {
        let mut tokens = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let mut rest = line.trim_start();
            while let Some(first) = rest.chars().next() {
                let (token, length) = match first {
                    '#' => break,
                    '"' | '\'' => {
                        let length = rest[1..].find(first).map_or(rest.len(), |end| end + 2);
                        (Token::Text(rest[..length].trim_matches(first).to_owned()), length)
                    }
                    '[' | ']' | '{' | '}' | ':' | '=' | ',' => (Token::Sign(first), 1),
                    _ => {
                        let length = rest.find(|next: char| "[]{}:=,\"#".contains(next)).unwrap_or(rest.len());
                        (Token::Word(rest[..length].trim().to_owned()), length)
                    }
                };
                tokens.push((at + 1, token));
                rest = rest[length..].trim_start();
            }
        }
        Self { tokens, at: 0 }
    }

    fn read(mut self, book: &Book) -> Result<Vec<Entry>, Wrong> {
        let mut found = Vec::new();
        match self.peek() {
            Some(Token::Sign('{')) => self.table(book, &mut found, true, true)?,
            Some(Token::Sign('[')) if self.is_list() => self.list(book, &mut found)?,
            _ => self.table(book, &mut found, false, true)?,
        }
        match self.tokens.get(self.at) {
            Some((line, token)) => Err((*line, wrong("the end of the collection", token))),
            None => Ok(found),
        }
    }

    /// Whether the bracket begins a list and not a heading of TOML, which is one bare word on a line of its own.
    fn is_list(&self) -> bool {
        let next = |ahead: usize| self.tokens.get(self.at + ahead).map(|(line, token)| (*line, token));
        match (next(0), next(1), next(2)) {
            (Some((line, _)), Some((_, Token::Word(word))), Some((end, Token::Sign(']')))) => {
                line != end || word.bytes().all(|byte| byte.is_ascii_digit())
            }
            _ => true,
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn next(&mut self) -> Result<(usize, Token), Wrong> {
        let last = self.tokens.last().map_or(1, |(line, _)| *line);
        let next = self.tokens.get(self.at).cloned().ok_or((last, TriadError::CollectionEnd))?;
        self.at += 1;
        Ok(next)
    }

    fn expect(&mut self, signs: &[char], expected: &'static str) -> Result<char, Wrong> {
        match self.next()? {
            (_, Token::Sign(sign)) if signs.contains(&sign) => Ok(sign),
            (line, token) => Err((line, wrong(expected, &token))),
        }
    }

    /// `[ card, card, ... ]`
    fn list(&mut self, book: &Book, found: &mut Vec<Entry>) -> Result<(), Wrong> {
        self.expect(&['['], "[")?;
        loop {
            match self.next()? {
                (_, Token::Sign(']')) => return Ok(()),
                (line, Token::Text(text) | Token::Word(text)) => {
                    let card = card(&text, book).map_err(|error| (line, error))?;
                    found.push(Entry { line, card, count: None });
                    if self.expect(&[',', ']'], "a comma or ]")? == ']' {
                        return Ok(());
                    }
                }
                (line, token) => return Err((line, wrong("a card", &token))),
            }
        }
    }

    /// Pairs of a card and a count, or of any name and a list or table: in braces, or the lines of TOML.
    fn table(&mut self, book: &Book, found: &mut Vec<Entry>, in_braces: bool, is_outer: bool) -> Result<(), Wrong> {
        if in_braces {
            self.expect(&['{'], "{")?;
        }
        loop {
            if self.peek().is_none() && !in_braces {
                return Ok(());
            }
            let (line, key) = match self.next()? {
                (_, Token::Sign('}')) if in_braces => return Ok(()),
                (_, Token::Sign('[')) if !in_braces => {
                    self.next()?;
                    self.expect(&[']'], "]")?;
                    continue;
                }
                (line, Token::Text(key) | Token::Word(key)) => (line, key),
                (line, token) => return Err((line, wrong("a card", &token))),
            };
            self.expect(&[':', '='], ": or =")?;
            match self.peek() {
                Some(Token::Sign('[')) => self.list(book, found)?,
                Some(Token::Sign('{')) if is_outer => self.table(book, found, true, false)?,
                _ => {
                    let (at, token) = self.next()?;
                    let (Token::Text(text) | Token::Word(text)) = &token else {
                        return Err((at, wrong("a count", &token)));
                    };
                    let count = count(text).map_err(|error| (at, error))?;
                    let card = card(&key, book).map_err(|error| (line, error))?;
                    found.push(Entry { line, card, count: Some(count) });
                }
            }
            if in_braces && self.expect(&[',', '}'], "a comma or }")? == '}' {
                return Ok(());
            }
        }
    }
}

fn wrong(expected: &'static str, found: &Token) -> TriadError {
    TriadError::CollectionText { expected, found: found.shown() }
}
