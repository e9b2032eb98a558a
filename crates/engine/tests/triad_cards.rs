//! The built-in card lists equal the test data, byte by byte. `NINEFOLD_WRITE_CARDS=1` writes them from it.

#![allow(missing_docs, reason = "a test")]

use ninefold_engine::triad::cards::{Book, NpcBook};
use serde_json::Value;
use triad::Edition;

fn data(name: &str) -> Value {
    let path = format!("{}/../../oracle/data/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn sides(card: &Value) -> String {
    let sides = ["top", "right", "bottom", "left"].map(|side| format!("{:X}", number(&card[side])));
    sides.concat()
}

/// The file of that name, after the rows were compared with it or written into it below its head.
fn file_with(name: &str, rows: &[String]) -> String {
    let path = format!("{}/data/triad/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, body) = text.split_once("\n\n").unwrap();
    let columns = body.lines().next().unwrap();
    let wanted = format!("{head}\n\n{columns}\n{}\n", rows.join("\n"));
    if std::env::var_os("NINEFOLD_WRITE_CARDS").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    } else {
        assert!(text == wanted, "{name} differs from the test data");
    }
    wanted
}

#[test]
fn the_cards_of_ff8_are_those_of_the_test_data() {
    let data = data("triad_ff8_cards.json");
    let row = |card: &Value| {
        let name = quoted(card["name"].as_str().unwrap());
        let element = card["element"].as_str().unwrap_or_default();
        let level = number(&card["level"]);
        format!("{},{name},{level},{},{element},{}", card["id"], sides(card), card["ai_power"])
    };
    let rows: Vec<String> = data["cards"].as_array().unwrap().iter().map(row).collect();
    assert_eq!(rows.len(), 110);
    assert_eq!(file_with("ff8_cards.csv", &rows), Book::built_in(Edition::Ff8).write());
}

#[test]
fn the_cards_of_ff14_are_those_of_the_test_data() {
    let data = data("triad_ff14_cards.json");
    let mut cards = data["cards"].as_array().unwrap().clone();
    cards.sort_by_key(|card| number(&card["id"]));
    let row = |card: &Value| {
        let name = quoted(card["name"].as_str().unwrap());
        // The game's own word for the type is Society; the data adds the older one in brackets.
        let kind = card["type"].as_str().unwrap_or_default().split(' ').next().unwrap();
        format!("{},{name},{},{},{kind}", card["id"], card["stars"], sides(card))
    };
    let rows: Vec<String> = cards.iter().map(row).collect();
    assert_eq!(rows.len(), 464);
    assert_eq!(file_with("ff14_cards.csv", &rows), Book::built_in(Edition::Ff14).write());
}

#[test]
fn the_opponents_are_those_of_the_test_data() {
    let data = data("triad_ff14_npcs.json");
    let list = |value: &Value| {
        let items = value.as_array().unwrap().iter();
        let items = items.map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned));
        items.collect::<Vec<_>>().join(";")
    };
    let row = |npc: &Value| {
        let name = quoted(npc["name"].as_str().unwrap());
        let [fixed, variable, rules, rewards] = ["fixed", "variable", "rules", "rewards"].map(|key| list(&npc[key]));
        let [x, y] = [0, 1].map(|at| npc["map_xy"][at].as_str().unwrap());
        format!("{},{name},{fixed},{variable},{rules},{rewards},{x},{y}", npc["id"])
    };
    let rows: Vec<String> = data["npcs"].as_array().unwrap().iter().map(row).collect();
    assert_eq!(rows.len(), 128);
    assert_eq!(file_with("ff14_npcs.csv", &rows), NpcBook::built_in().write());
}

#[test]
fn an_opponent_has_at_most_ten_hands() {
    let mut by_count = std::collections::BTreeMap::new();
    for npc in NpcBook::built_in().npcs() {
        let hands = npc.hands();
        assert_eq!(hands.len(), npc.hand_count(), "{}", npc.name);
        assert!(hands.iter().all(|hand| hand.starts_with(&npc.fixed)));
        *by_count.entry(hands.len()).or_insert(0) += 1;
    }
    // 1, 3, 6 and 10 hands: 3 opponents are fixed, and none has more than ten.
    assert_eq!((by_count[&1], by_count[&3], by_count[&6], by_count[&10]), (3, 25, 32, 50));
    assert_eq!(by_count.keys().max(), Some(&10));
}

#[test]
fn a_damaged_list_of_opponents_is_refused_with_its_line() {
    let good = NpcBook::built_in().write();
    for (from, to, line, what) in [
        ("ninefold-npcs 1", "ninefold-cards 1", 1, "not such a file"),
        ("game: ff14", "game: ff8", 2, "game: ff14"),
        ("51;24;37", "51;24;999", 8, "no card of ff14 has the number 999"),
        ("51;24;37", "", 8, "0 fixed and 4 variable"),
        ("51;24;37", "51;24;37;38;39;40", 8, "6 fixed and 4 variable"),
        ("Three Open;Order", "Three Open;Ordre", 8, "Ordre: no rule has that name"),
        ("Three Open;Order", "Three Open;All Open", 8, "contradict"),
        ("2,Baderon", "1,Baderon", 9, "there already"),
    ] {
        let fault = NpcBook::read(&good.replacen(from, to, 1), "file", Book::built_in(Edition::Ff14)).unwrap_err();
        let message = fault.to_string();
        assert!(message.starts_with(&format!("file, line {line}: ")) && message.contains(what), "{message}");
    }
}

#[test]
fn every_card_is_found_by_name_number_and_sides() {
    for edition in Edition::ALL {
        let book = Book::built_in(edition);
        for known in book.cards() {
            for text in [known.name.clone(), known.name.to_uppercase(), format!("#{}", known.id)] {
                assert_eq!(book.card(&text).unwrap().known.as_ref(), Some(known), "{text}");
            }
            assert_eq!(book.card(&known.card.to_string()).unwrap().card, known.card);
        }
    }
}

#[test]
fn one_slip_in_a_name_still_suggests_it() {
    for edition in Edition::ALL {
        let book = Book::built_in(edition);
        for known in book.cards().iter().filter(|card| card.name.len() >= 5) {
            let mut slipped: Vec<char> = known.name.chars().collect();
            slipped.remove(slipped.len() / 2);
            let slipped: String = slipped.into_iter().collect();
            let is_there = book.by_name(&slipped).is_some() || book.nearest_names(&slipped).contains(&known.name);
            assert!(is_there, "{slipped} does not suggest {}", known.name);
        }
    }
}

#[test]
fn a_damaged_list_is_refused_with_its_line() {
    let good = Book::built_in(Edition::Ff8).write();
    let line_of = |part: &str| 1 + good.lines().position(|line| line.contains(part)).unwrap();
    for (from, to, line, what) in [
        ("ninefold-cards 1", "ninefold-cards 9", 1, "version 9"),
        ("game: ff8", "game: ff7", 2, "game: ff8"),
        (",Shiva,", ",Ifrit,", line_of(",Ifrit,").max(line_of(",Shiva,")), "already a card called Ifrit"),
        ("1,Funguar,", "0,Funguar,", 9, "the number 0 is already that of Geezard"),
        ("1,Funguar,1,5113", "1,Funguar,1,51B3", 9, "character 3"),
        ("1,Funguar,1,5113", "1,Funguar,11,5113", 9, "level is \"11\": expected a number from 1 to 10"),
        ("Thunder", "Thunderr", line_of("Thunder"), "expected nothing or Fire"),
        ("rows: 110", "rows: 111", good.lines().count(), "ends after 110 rows; its head says 111"),
    ] {
        let damaged = good.replacen(from, to, 1);
        assert_ne!(damaged, good, "{from}");
        let fault = Book::read(&damaged, "file").unwrap_err();
        let message = fault.to_string();
        assert!(message.starts_with(&format!("file, line {line}: ")) && message.contains(what), "{message}");
    }
    for length in (0..good.len()).step_by(17).chain(good.len() - 40..good.len()) {
        assert!(Book::read(&good[..length], "file").is_err(), "cut at {length}");
    }
}

#[test]
fn a_list_without_patch_and_source_can_be_written_and_read_again() {
    let cards = "ninefold-cards 1\ngame: ff8\n\nid,name,sides\n1,One,8A32\n";
    let book = Book::read(cards, "cards").unwrap();
    assert_eq!(Book::read(&book.write(), "cards").unwrap().cards(), book.cards());
    let npcs = "ninefold-npcs 1\ngame: ff14\n\nid,name,fixed,variable\n1,Jonas,1;2;3;4;5,\n";
    let read = |text: &str| NpcBook::read(text, "npcs", Book::built_in(Edition::Ff14)).unwrap();
    assert_eq!(read(&read(npcs).write()).npcs(), read(npcs).npcs());
}
