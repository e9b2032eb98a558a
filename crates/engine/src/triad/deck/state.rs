//! The state of a search as a text: what is asked, the best deck, the boxes that are refuted and those that are open.
//!
//! ```text
//! game ff14
//! rules three-open
//! hand 3939g,8686,8417,7842,5178
//! card 404 5 9991 1                  number, stars, what is printed, copies; locked cards have a fifth word
//! restarts 8
//! best 404 269 117 87 93             by the lines of the cards, from 0
//! closed 12:2,14:3 2221022           2 cards of cluster 12, 3 of cluster 14; by game the half-points that they cannot pass
//! open 13:5 2222222
//! ```
//!
//! The clusters follow from the cards and rules. So the file is a proof: whoever builds the clusters again can check that the
//! boxes have all decks, and solve the games that refute each box (`verify`). The same file resumes a search.

use super::boxes::{Clusters, DeckBox};
use super::opponent::{Opponent, total};
use super::pool::{Picks, Pool};
#[cfg(feature = "files")]
use crate::error::Error;
#[cfg(feature = "files")]
use crate::store;
use crate::triad::cards::{Book, HandCard, KnownCard};
use crate::triad::error::TriadError;
use std::fmt::Write;
#[cfg(feature = "files")]
use std::path::Path;
use triad::{Card, Edition, HAND, Rules};

/// A box that is not refuted, with an upper bound for each game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Open {
    /// How much the sides of its cards differ in all.
    pub(super) spread: u32,
    pub(super) of: DeckBox,
    pub(super) bounds: Vec<u8>,
}

/// The box with the highest bound comes first, and of equal ones the one whose cards differ least.
impl Ord for Open {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |open: &Self| (total(&open.bounds), std::cmp::Reverse(open.spread));
        key(self).cmp(&key(other)).then_with(|| self.of.cmp(&other.of))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Where a search stands.
#[derive(Clone, Default, Debug)]
pub struct State {
    pub(super) picks: Picks,
    pub(super) restarts: u64,
    pub(super) open: Vec<Open>,
    pub(super) closed: Vec<(DeckBox, Vec<u8>)>,
}

/// The lines that say what is asked.
fn question(opponent: &Opponent, pool: &Pool) -> String {
    let mut text = format!("game {}\nrules {}\n", pool.edition(), opponent.rules());
    for hand in opponent.hands() {
        let cards: Vec<String> = hand.iter().map(Card::to_string).collect();
        let _ = writeln!(text, "hand {}", cards.join(","));
    }
    for (at, card) in pool.cards().iter().enumerate() {
        let (id, grade) = card.known.as_ref().map_or((-1, 0), |known| (i32::from(known.id), known.grade));
        let locked = pool.locked().iter().filter(|other| usize::from(**other) == at).count();
        let copies = pool.copies(at as u16);
        let _ = write!(text, "card {id} {grade} {} {copies}", card.card);
        let _ = if locked > 0 { writeln!(text, " {locked}") } else { writeln!(text) };
    }
    text
}

/// The sealed file of a state.
#[cfg(feature = "files")]
const KIND: store::Kind = store::Kind { name: *b"nf-decks", words: "proof of a deck", version: 1 };

impl State {
    /// Reads a file that [`save`](Self::save) wrote, with its question.
    ///
    /// # Errors
    /// If the file is missing, damaged or of another kind.
    #[cfg(feature = "files")]
    pub fn load(path: &Path) -> Result<(Self, Opponent, Pool), Error> {
        let bytes = std::fs::read(path).map_err(|source| store::StoreError::io(path, source))?;
        let body = store::open(path, KIND, &bytes, true)?;
        let in_file = |error| TriadError::File { origin: path.display().to_string(), line: 0, error: Box::new(error) };
        let text = std::str::from_utf8(body).map_err(|_| in_file(TriadError::NotUtf8))?;
        Ok(Self::read(text).map_err(in_file)?)
    }

    /// Writes the state to a file, whole or not at all.
    ///
    /// # Errors
    /// Those of the system.
    #[cfg(feature = "files")]
    pub fn save(&self, path: &Path, opponent: &Opponent, pool: &Pool) -> Result<(), Error> {
        let text = self.write(opponent, pool);
        Ok(store::write_whole(path, KIND, |out| out.write_all(text.as_bytes()))?)
    }

    /// The state as a text.
    #[must_use]
    pub fn write(&self, opponent: &Opponent, pool: &Pool) -> String {
        let mut text = question(opponent, pool);
        let numbers = self.picks.map(|card| card.to_string());
        let _ = write!(text, "restarts {}\nbest {}\n", self.restarts, numbers.join(" "));
        let mut line = |word: &str, of: &DeckBox, bounds: &[u8]| {
            let groups: Vec<String> = of.0.iter().map(|(cluster, count)| format!("{cluster}:{count}")).collect();
            let bounds: String = bounds.iter().map(|bound| char::from(b'0' + bound)).collect();
            let _ = writeln!(text, "{word} {} {bounds}", groups.join(","));
        };
        self.closed.iter().for_each(|(of, bounds)| line("closed", of, bounds));
        self.open.iter().for_each(|open| line("open", &open.of, &open.bounds));
        text
    }

    /// Reads a text that [`write`](Self::write) made, with its question.
    ///
    /// # Errors
    /// The line that is wrong.
    pub fn read(text: &str) -> Result<(Self, Opponent, Pool), TriadError> {
        let mut state = Self::default();
        let (mut edition, mut rules, mut hands) = (None, None, Vec::new());
        let mut cards: Vec<(HandCard, u8, usize)> = Vec::new();
        let mut has_best = false;
        for (at, line) in text.lines().enumerate() {
            let wrong = || TriadError::StateLine { line: at + 1 };
            let (word, rest) = line.split_once(' ').ok_or_else(wrong)?;
            match word {
                "game" => edition = Some(Edition::from_name(rest).ok_or_else(wrong)?),
                "rules" => rules = Some(Rules::read(rest, edition.ok_or_else(wrong)?).map_err(|_| wrong())?),
                "hand" => hands.push(read_hand(rest, edition.ok_or_else(wrong)?).ok_or_else(wrong)?),
                "card" => cards.push(read_card(rest, edition.ok_or_else(wrong)?).ok_or_else(wrong)?),
                "restarts" => state.restarts = rest.parse().map_err(|_| wrong())?,
                "best" => {
                    let picks: Option<Vec<u16>> = rest.split(' ').map(|card| card.parse().ok()).collect();
                    let picks = picks.filter(|picks| picks.iter().all(|card| usize::from(*card) < cards.len()));
                    state.picks = picks.and_then(|picks| picks.try_into().ok()).ok_or_else(wrong)?;
                    has_best = true;
                }
                "closed" => state.closed.push(read_box(rest).ok_or_else(wrong)?),
                "open" => {
                    let (of, bounds) = read_box(rest).ok_or_else(wrong)?;
                    state.open.push(Open { spread: 0, of, bounds });
                }
                _ => return Err(wrong()),
            }
        }
        let cut = || TriadError::StateLine { line: text.lines().count() + 1 };
        let (edition, rules) = (edition.ok_or_else(cut)?, rules.ok_or_else(cut)?);
        let opponent = Opponent::new(rules, hands)?;
        let pool = Pool::of_parts(edition, cards)?;
        if !has_best || !pool.is_legal(&state.picks) {
            return Err(TriadError::StateDeck);
        }
        let clusters = Clusters::new(&pool, &opponent);
        state.check_boxes(&opponent, &clusters)?;
        for open in &mut state.open {
            open.spread = clusters.spread(&open.of);
        }
        Ok((state, opponent, pool))
    }

    /// Checks that a state that was read is one of this question.
    pub(super) fn check(self, opponent: &Opponent, pool: &Pool, clusters: &Clusters) -> Result<Self, TriadError> {
        if !pool.is_legal(&self.picks) {
            return Err(TriadError::StateDeck);
        }
        self.check_boxes(opponent, clusters)?;
        Ok(self)
    }

    fn check_boxes(&self, opponent: &Opponent, clusters: &Clusters) -> Result<(), TriadError> {
        let boxes = self.closed.iter().map(|(of, bounds)| (of, bounds));
        let mut boxes = boxes.chain(self.open.iter().map(|open| (&open.of, &open.bounds)));
        let is_good = |(of, bounds): (&DeckBox, &Vec<u8>)| {
            let is_cluster =
                |(cluster, count): &(u32, u8)| (*cluster as usize) < clusters.len() && (1..=HAND as u8).contains(count);
            bounds.len() == opponent.games().len() && of.0.iter().all(is_cluster)
        };
        if boxes.all(is_good) { Ok(()) } else { Err(TriadError::StateBox) }
    }

    /// Whether two questions are the same, so that a state of one is a state of the other.
    #[must_use]
    pub fn is_same_question(one: (&Opponent, &Pool), other: (&Opponent, &Pool)) -> bool {
        question(one.0, one.1) == question(other.0, other.1)
    }
}

fn read_hand(text: &str, edition: Edition) -> Option<[Card; HAND]> {
    let cards: Option<Vec<Card>> = text.split(',').map(|card| Card::read(card, edition).ok()).collect();
    cards?.try_into().ok()
}

/// A card, its copies and how many of them are locked. The name is that of the built-in list, if the card is still the same.
fn read_card(text: &str, edition: Edition) -> Option<(HandCard, u8, usize)> {
    let words: Vec<&str> = text.split(' ').collect();
    let &[id, grade, printed, copies] = words.first_chunk()?;
    let locked = words.get(4);
    let (id, grade): (i32, u8) = (id.parse().ok()?, grade.parse().ok()?);
    let card = Card::read(printed, edition).ok()?;
    let copies: u8 = copies.parse().ok().filter(|copies| (1..=HAND as u8).contains(copies))?;
    let locked =
        locked.map_or(Some(0), |locked| locked.parse().ok().filter(|locked| *locked <= usize::from(copies)))?;
    let known = (id >= 0).then(|| {
        let id = id as u16;
        let listed = Book::built_in(edition).by_id(id).filter(|known| known.card == card && known.grade == grade);
        listed.cloned().unwrap_or_else(|| KnownCard { id, name: format!("#{id}"), grade, card, power: 0 })
    });
    Some((HandCard { known, card }, copies, locked))
}

fn read_box(text: &str) -> Option<(DeckBox, Vec<u8>)> {
    let (groups, bounds) = text.split_once(' ')?;
    let group = |group: &str| {
        let (cluster, count) = group.split_once(':')?;
        Some((cluster.parse().ok()?, count.parse().ok()?))
    };
    // A box without free places has no groups.
    let groups: Option<Vec<(u32, u8)>> = groups.split(',').filter(|text| !text.is_empty()).map(group).collect();
    let bound = |digit: u8| (b'0'..=b'2').contains(&digit).then(|| digit - b'0');
    Some((DeckBox(groups?), bounds.bytes().map(bound).collect::<Option<_>>()?))
}
