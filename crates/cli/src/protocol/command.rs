//! Parses a line of the protocol into a plain value, before it gets a meaning.
//!
//! Lines with an unknown first word are ignored, and so are unknown words within `go`. Only a known word with a wrong
//! value (`go depth many`) is a fault. A number out of range is not: a driver that subtracts its overhead from a short
//! time sends a negative one, and it waits for an answer.

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// `ugi`, or `uci` from drivers of that protocol: the word that ends the introduction.
    Introduce(&'static str),
    /// `isready`
    IsReady,
    /// `uginewgame`
    NewGame,
    /// `setoption name NAME [value VALUE]`
    SetOption {
        /// As written; case does not matter.
        name: String,
        /// Empty if there is none.
        value: String,
    },
    /// `position startpos|fen TEXT [moves MOVE ...]`
    Position(PositionText),
    /// `moves MOVE ...`: further moves from the current position.
    Moves(Vec<String>),
    /// `go ...`
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`: the opponent has made the expected move, and the clock runs.
    PonderHit,
    /// `query WHAT`
    Query(String),
    /// `d`
    Show,
    /// `quit`
    Quit,
    /// Anything else.
    Unknown,
}

/// A position and the moves played from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PositionText {
    /// The position as text; the start of the game if `None`.
    pub(crate) text: Option<String>,
    /// Moves from there.
    pub(crate) moves: Vec<String>,
}

/// The arguments of `go`. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Go {
    pub(super) movetime: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    /// Time left for the first and the second player; may be negative.
    pub(super) clocks: [Option<i64>; 2],
    pub(super) increments: [i64; 2],
    pub(super) movestogo: Option<u32>,
    pub(super) infinite: bool,
    /// Search without limits until `ponderhit`.
    pub(super) ponder: bool,
    pub(super) solve: bool,
    /// The moves to choose from; empty for all legal moves.
    pub(super) search_moves: Vec<String>,
    pub(super) perft: Option<u32>,
}

/// Parses a line. The error is a one-line message.
pub(super) fn read(line: &str) -> Result<Command, String> {
    let mut words = line.split_whitespace();
    Ok(match words.next().unwrap_or_default() {
        "ugi" => Command::Introduce("ugiok"),
        "uci" => Command::Introduce("uciok"),
        "isready" => Command::IsReady,
        "uginewgame" | "ucinewgame" => Command::NewGame,
        "setoption" => option(words)?,
        "position" => Command::Position(place(words)?),
        "moves" => Command::Moves(words.map(str::to_owned).collect()),
        "go" => Command::Go(go(words)?),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "query" => Command::Query(words.next().unwrap_or_default().to_owned()),
        "d" => Command::Show,
        "quit" => Command::Quit,
        _ => Command::Unknown,
    })
}

/// Parses `name NAME value VALUE`; both may have several words.
fn option<'a>(words: impl Iterator<Item = &'a str>) -> Result<Command, String> {
    let words: Vec<&str> = words.collect();
    let Some((&"name", words)) = words.split_first() else {
        return Err("setoption: expected `name NAME value VALUE`".to_owned());
    };
    let end = words.iter().position(|word| *word == "value").unwrap_or(words.len());
    let value = words.get(end + 1..).unwrap_or_default().join(" ");
    Ok(Command::SetOption { name: words[..end].join(" "), value })
}

/// Parses `startpos` or `fen TEXT`, then `moves ...`. The text of a position has spaces, so it ends only at `moves`.
pub(crate) fn place<'a>(words: impl Iterator<Item = &'a str>) -> Result<PositionText, String> {
    let words: Vec<&str> = words.collect();
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words.get(end + 1..).unwrap_or_default().iter().map(|&mv| mv.to_owned()).collect();
    match words[..end].split_first() {
        Some((&"startpos", _)) => Ok(PositionText { text: None, moves }),
        Some((&"fen", text)) if !text.is_empty() => Ok(PositionText { text: Some(text.join(" ")), moves }),
        _ => Err("position: expected `startpos` or `fen` and a position".to_owned()),
    }
}

/// The words of the clocks: the first player's and the second's, as in UGI, UCI and by the marks of the players.
const CLOCKS: [[&str; 2]; 3] = [["p1time", "p2time"], ["wtime", "btime"], ["xtime", "otime"]];
const INCREMENTS: [[&str; 2]; 3] = [["p1inc", "p2inc"], ["winc", "binc"], ["xinc", "oinc"]];
const OTHERS: [&str; 9] =
    ["infinite", "ponder", "solve", "movetime", "nodes", "depth", "perft", "movestogo", "searchmoves"];

/// Whose clock a word names.
fn player_of(names: &[[&str; 2]; 3], word: &str) -> Option<usize> {
    names.iter().find_map(|pair| pair.iter().position(|name| *name == word))
}

fn is_go_word(word: &str) -> bool {
    OTHERS.contains(&word) || player_of(&CLOCKS, word).or_else(|| player_of(&INCREMENTS, word)).is_some()
}

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Result<Go, String> {
    let (mut go, mut words) = (Go::default(), words.peekable());
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "solve" => go.solve = true,
            "movetime" => go.movetime = Some(number(word, words.next())?),
            "nodes" => go.nodes = Some(number(word, words.next())?),
            "depth" => go.depth = Some(number(word, words.next())?),
            "perft" => go.perft = Some(number(word, words.next())?),
            "movestogo" => go.movestogo = Some(number(word, words.next())?),
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !is_go_word(word)) {
                    go.search_moves.push(mv.to_owned());
                }
            }
            _ => {
                if let Some(player) = player_of(&CLOCKS, word) {
                    go.clocks[player] = Some(number(word, words.next())?);
                } else if let Some(player) = player_of(&INCREMENTS, word) {
                    go.increments[player] = number(word, words.next())?;
                }
            }
        }
    }
    Ok(go)
}

/// Reads a whole number. One that is out of range becomes the nearest that is in range.
fn number<T: TryFrom<i128> + Bounds>(name: &str, word: Option<&str>) -> Result<T, String> {
    let word = word.unwrap_or_default();
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let wrong = || format!("go: {name} takes a whole number, not `{word}`");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wrong());
    }
    // Digits alone fail only by their number.
    let value: i128 = word.parse().unwrap_or(if word.starts_with('-') { i128::MIN } else { i128::MAX });
    T::try_from(value.clamp(T::LEAST, T::MOST)).map_err(|_| wrong())
}

/// The range of a type of numbers.
trait Bounds {
    const LEAST: i128;
    const MOST: i128;
}

impl Bounds for u32 {
    const LEAST: i128 = 0;
    const MOST: i128 = Self::MAX as i128;
}

impl Bounds for u64 {
    const LEAST: i128 = 0;
    const MOST: i128 = Self::MAX as i128;
}

impl Bounds for i64 {
    const LEAST: i128 = Self::MIN as i128;
    const MOST: i128 = Self::MAX as i128;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        read(line).unwrap()
    }

    #[test]
    fn positions_keep_their_spaces_and_lose_their_moves() {
        let place = |text: Option<&str>, moves: &[&str]| {
            let moves = moves.iter().map(|mv| (*mv).to_owned()).collect();
            Command::Position(PositionText { text: text.map(str::to_owned), moves })
        };
        assert_eq!(parsed("position startpos"), place(None, &[]));
        assert_eq!(parsed("  position  startpos moves e5 d4 "), place(None, &["e5", "d4"]));
        let fen = "9/9/9/9/4x4/9/9/9/9 O 1 e5";
        assert_eq!(parsed(&format!("position fen {fen}")), place(Some(fen), &[]));
        assert_eq!(parsed(&format!("position fen {fen} moves d6")), place(Some(fen), &["d6"]));
        for wrong in ["position", "position fen", "position fen moves e5", "position e5", "position moves"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn go_takes_its_numbers_and_passes_over_the_rest() {
        let go = Go { movetime: Some(50), depth: Some(3), ..Go::default() };
        assert_eq!(parsed("go quickly movetime 50 mate depth 3"), Command::Go(go));
        let clocks = Go { clocks: [Some(-20), Some(900)], increments: [5, 0], ..Go::default() };
        for line in
            ["go p1time -20 p2time 900 p1inc 5", "go wtime -20 btime 900 winc 5", "go otime 900 xtime -20 xinc 5"]
        {
            assert_eq!(parsed(line), Command::Go(clocks.clone()), "{line}");
        }
        assert_eq!(parsed("go"), Command::Go(Go::default()));
        let words = ["e5", "d4"].map(str::to_owned).to_vec();
        let some = Go { search_moves: words, nodes: Some(9), ponder: true, ..Go::default() };
        assert_eq!(parsed("go searchmoves e5 d4 nodes 9 ponder"), Command::Go(some));
        for wrong in ["go depth", "go depth x", "go nodes -", "go nodes 1.5", "go movetime 1e9", "go wtime ten"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_number_out_of_range_is_the_nearest_in_range() {
        let least = Go { movetime: Some(0), nodes: Some(0), depth: Some(0), ..Go::default() };
        assert_eq!(
            parsed("go movetime -5 nodes -1 depth -99999999999999999999999999999999999999999"),
            Command::Go(least)
        );
        let most = Go { nodes: Some(u64::MAX), depth: Some(u32::MAX), clocks: [Some(i64::MAX), None], ..Go::default() };
        assert_eq!(
            parsed("go nodes 18446744073709551616 depth 4294967296 p1time 9223372036854775808"),
            Command::Go(most)
        );
    }

    #[test]
    fn options_have_names_and_values_of_several_words() {
        let option = |name: &str, value: &str| Command::SetOption { name: name.to_owned(), value: value.to_owned() };
        assert_eq!(parsed("setoption name Hash value 64"), option("Hash", "64"));
        assert_eq!(parsed("setoption name Clear Hash"), option("Clear Hash", ""));
        assert_eq!(parsed("setoption name Rules value same, plus"), option("Rules", "same, plus"));
        assert!(read("setoption Hash 64").is_err());
    }

    #[test]
    fn a_line_that_begins_with_an_unknown_word_says_nothing() {
        for line in ["", "   ", "hello", "hello quit", "QUIT", "UCI", "\u{0}"] {
            assert_eq!(parsed(line), Command::Unknown, "{line:?}");
        }
    }
}
