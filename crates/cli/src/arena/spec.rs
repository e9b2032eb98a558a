//! A player specification on the command line.
//!
//! ```text
//! builtin:search=mcts,level=9         this program's own engine, with its options
//! builtin:search=bestfirst,network=N  the same with the network of the file N
//! ugi:COMMAND ARGUMENTS               a program that speaks the Universal Game Interface
//! ugi,Hash=64:COMMAND ARGUMENTS       the same, with options set at the start
//! codingame:COMMAND ARGUMENTS         a bot of CodinGame's Ultimate Tic-Tac-Toe
//! ```

use api::GameName;

/// A player specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spec {
    /// The original text.
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) options: Vec<(String, String)>,
}

impl Spec {
    /// The name of the network that a built-in player has instead of the one of the program.
    pub(super) fn network(&self) -> Option<&str> {
        let named = self.options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case("network"));
        named.filter(|_| matches!(self.kind, Kind::Builtin(_))).map(|(_, value)| value.as_str())
    }
}

/// The kind of player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The game, if the specification names one.
    Builtin(Option<GameName>),
    /// The program and its arguments.
    Ugi(Vec<String>),
    /// The program and its arguments.
    Codingame(Vec<String>),
}

const FORMS: &str = "a player is builtin[:NAME=VALUE,...], ugi[,NAME=VALUE...]:COMMAND or codingame:COMMAND";

/// Reads a specification.
pub(crate) fn read(text: &str) -> Result<Spec, String> {
    let (head, rest) = text.split_once(':').unwrap_or((text, ""));
    let mut parts = head.split(',').map(str::trim);
    let kind = parts.next().unwrap_or_default();
    let mut options = parts.map(crate::protocol::assignment).collect::<Result<Vec<_>, _>>()?;
    let command = || {
        let words = command(rest)?;
        if words.is_empty() { Err(format!("`{text}` names no program: {FORMS}")) } else { Ok(words) }
    };
    let kind = match kind {
        "builtin" => {
            let mut game = None;
            for part in rest.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                match GameName::named(part) {
                    Some(named) => game = Some(named),
                    None => options.push(crate::protocol::assignment(part)?),
                }
            }
            Kind::Builtin(game)
        }
        "ugi" => Kind::Ugi(command()?),
        "codingame" if options.is_empty() => Kind::Codingame(command()?),
        "codingame" => return Err("a CodinGame bot has no options".to_owned()),
        _ => return Err(FORMS.to_owned()),
    };
    Ok(Spec { text: text.to_owned(), kind, options })
}

/// Splits at spaces; text in single or double quotes stays together.
fn command(text: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut inside) = (None, false);
    for symbol in text.chars() {
        match quote {
            Some(mark) if symbol == mark => quote = None,
            None if symbol == '"' || symbol == '\'' => {
                quote = Some(symbol);
                if !inside {
                    words.push(String::new());
                }
                inside = true;
            }
            None if symbol.is_whitespace() => inside = false,
            _ => {
                if !inside {
                    words.push(String::new());
                }
                inside = true;
                words.last_mut().expect("just pushed").push(symbol);
            }
        }
    }
    if quote.is_some() { Err(format!("a quote is not closed in `{text}`")) } else { Ok(words) }
}

/// Reads `NAME=NUMBER,...` with these names, in any order; a name that is left out gives `None`.
pub(super) fn numbers<const N: usize>(text: &str, names: [&str; N]) -> Result<[Option<f64>; N], String> {
    let mut values = [None; N];
    for part in text.split(',') {
        let (name, value) = crate::protocol::assignment(part)?;
        let at = names.iter().position(|known| *known == name);
        let at = at.ok_or_else(|| format!("`{name}` is not one of {}", names.join(", ")))?;
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| format!("`{value}` is not a number for {name}"))?;
        if values[at].replace(number).is_some() {
            return Err(format!("{name} is given twice"));
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let spec = read("builtin:uttt,search=mcts,level=10").unwrap();
        assert_eq!(spec.kind, Kind::Builtin(Some(GameName::Uttt)));
        assert_eq!(spec.options[1], ("level".to_owned(), "10".to_owned()));
        assert_eq!(spec.network(), None);
        assert_eq!(read("builtin").unwrap().kind, Kind::Builtin(None));
        assert_eq!(read("builtin:search=bestfirst,Network=my net.bin").unwrap().network(), Some("my net.bin"));
        assert_eq!(read("ugi,network=a:b").unwrap().network(), None, "an option of that program");
        let spec = read("ugi,Hash=64:my engine --deep 'a b' \"c:d\"e").unwrap();
        let words = ["my", "engine", "--deep", "a b", "c:de"].map(str::to_owned).to_vec();
        assert_eq!((spec.kind, spec.options.len()), (Kind::Ugi(words), 1));
        assert_eq!(read("codingame:bot ''").unwrap().kind, Kind::Codingame(vec!["bot".to_owned(), String::new()]));
        for wrong in ["", "engine", "ugi", "ugi:", "ugi: ", "codingame,a=b:c", "builtin:chess", "ugi,x:c", "ugi:a 'b"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
