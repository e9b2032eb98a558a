//! The table by itself: what is stored comes back, what gives way is worth least, threads never see another key's record.

use grid::{ExactKey, Facts, Game, Rng};
use ninefold_search::table::{Exact, Hashed, Keying, RECORD_BITS, Record, Table};

/// Positions that are nothing but a number; the hash is as bad as a hash may be.
#[derive(Clone, Copy)]
struct Numbers;

impl Game for Numbers {
    type Position = u64;
    type Move = ();
    type Moves = std::iter::Empty<()>;
    const FACTS: Facts = Facts { name: "numbers", longest_game: 0, most_moves: 0 };

    fn start(&self) -> u64 {
        0
    }

    fn moves(&self, _: &u64) -> Self::Moves {
        std::iter::empty()
    }

    fn play_unchecked(&self, position: &u64, (): ()) -> u64 {
        *position
    }

    fn hash(&self, position: &u64) -> u64 {
        *position
    }
}

impl ExactKey for Numbers {
    const KEY_BITS: u32 = 64;

    fn key(&self, position: &u64) -> u64 {
        *position
    }
}

/// All 48 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Full(u64);

impl Record for Full {
    fn pack(self) -> u64 {
        self.0
    }

    fn unpack(word: u64) -> Self {
        Full(word)
    }
}

/// The record a position must have: the threads may write nothing else under that key.
fn due(position: u64, version: u64) -> Full {
    Full((grid::mix(position) & !7 | version & 7) & ((1 << RECORD_BITS) - 1))
}

#[test]
fn what_is_stored_comes_back_until_it_gives_way() {
    let table = Table::<Exact, Full>::with_bytes(64).unwrap();
    assert_eq!(table.entries(), 4);
    let key = |position| Exact::key(&Numbers, &position);
    for position in 0..4 {
        table.store(key(position), 10 + position as u8, due(position, 0));
    }
    for position in 0..4 {
        assert_eq!(table.probe(key(position)), Some((due(position, 0), 10 + position as u8)));
    }
    // The same key is overwritten in place, whatever it is worth.
    table.store(key(2), 1, due(2, 1));
    assert_eq!(table.probe(key(2)), Some((due(2, 1), 1)));
    // The entry of least worth gives way.
    table.store(key(9), 5, due(9, 0));
    assert_eq!(table.probe(key(2)), None);
    assert_eq!([0, 1, 3, 9].map(|position| table.probe(key(position)).is_some()), [true; 4]);
    // What a former search left gives way before a worse entry of this one.
    table.next_search();
    table.store(key(9), 0, due(9, 1));
    table.store(key(20), 0, due(20, 0));
    assert_eq!(table.probe(key(0)), None);
    assert!(table.probe(key(9)).is_some() && table.probe(key(20)).is_some());
}

#[test]
fn an_empty_table_knows_nothing_not_even_about_key_word_zero() {
    let mut table = Table::<Hashed, Full>::with_bytes(1 << 12).unwrap();
    let key = |position| Hashed::key(&Numbers, &position);
    assert_eq!(table.probe(key(0)), None);
    table.store(key(0), 0, Full(0));
    assert_eq!(table.probe(key(0)), Some((Full(0), 0)));
    table.clear();
    assert_eq!(table.probe(key(0)), None);
}

#[test]
fn ages_go_round_without_an_entry_that_looks_empty() {
    let table = Table::<Exact, Full>::with_bytes(64).unwrap();
    let key = Exact::key(&Numbers, &1);
    for _ in 0..600 {
        table.store(key, 0, Full(0));
        assert_eq!(table.probe(key), Some((Full(0), 0)));
        table.next_search();
    }
}

#[test]
fn a_table_larger_than_memory_is_an_error() {
    assert!(Table::<Exact, Full>::with_mib(usize::MAX).is_err());
    let error = Table::<Exact, Full>::with_bytes(usize::MAX / 2).unwrap_err();
    assert_eq!(error.to_string(), format!("no memory for {} bytes", usize::MAX / 2));
    assert!(Table::<Exact, Full>::with_bytes(usize::MAX).is_err());
}

#[test]
fn a_large_table_costs_nothing_until_it_is_used() {
    // Touching every page of it would take longer than all other tests of this file.
    let table = Table::<Exact, Full>::with_mib(1024).unwrap();
    let key = Exact::key(&Numbers, &77);
    table.store(key, 3, Full(5));
    assert_eq!(table.probe(key), Some((Full(5), 3)));
}

/// Threads that write and read few keys in fewer entries, as fast as they can: every hit must be a record of that key.
fn hammer<K: Keying<Numbers>>(table: &Table<K, Full>) {
    let hits: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                scope.spawn(move || {
                    let mut rng = Rng::new(thread);
                    let mut hits = 0;
                    for round in 0..400_000_u64 {
                        let position = u64::from(rng.below(24));
                        let key = K::key(&Numbers, &position);
                        if round % 2 == 0 {
                            table.store(key, rng.below(256) as u8, due(position, rng.next_word()));
                        } else if let Some((record, _)) = table.probe(key) {
                            assert_eq!(record, due(position, record.0), "a record of another key");
                            hits += 1;
                        }
                    }
                    hits
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread saw a wrong record")).sum()
    });
    assert!(hits > 10_000, "the threads met nothing: {hits} hits");
}

#[test]
fn threads_never_see_a_record_of_another_key() {
    hammer::<Exact>(&Table::with_bytes(64).unwrap());
    hammer::<Exact>(&Table::with_bytes(3 * 64).unwrap());
    hammer::<Hashed>(&Table::with_bytes(64).unwrap());
}
