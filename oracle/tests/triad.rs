//! Checks the naive model of Triple Triad against recorded placements and games.

use ninefold_oracle::triad::{Board, Card, Cause, Placed, Rules};
use serde_json::Value;

fn read(name: &str) -> Value {
    let path = format!("{}/data/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn rules(game: &Value) -> Rules {
    let none = if game["game"] == "ff8" { Rules::FF8 } else { Rules::FF14 };
    game["rules"].as_array().unwrap().iter().fold(none, |rules, name| rules.with(name.as_str().unwrap()))
}

fn card(card: &Value) -> Card {
    let sides = card["sides"].as_array().unwrap();
    let kind = match &card["type"] {
        Value::String(name) => {
            ["None", "Society", "Primal", "Scion", "Garlean"].iter().position(|n| n == name).unwrap()
        }
        number => number.as_u64().unwrap_or(0) as usize,
    };
    Card {
        sides: std::array::from_fn(|side| sides[side].as_i64().unwrap() as i32),
        element: card["element"].as_u64().unwrap_or(0) as u8,
        kind,
    }
}

fn elements(list: &Value) -> [u8; 9] {
    list.as_array().map_or([0; 9], |list| std::array::from_fn(|cell| list[cell].as_u64().unwrap() as u8))
}

fn owner(text: &Value) -> char {
    text.as_str().unwrap().to_ascii_lowercase().chars().next().unwrap()
}

#[test]
fn every_placement_takes_what_is_recorded_and_by_the_rule_recorded() {
    let file = read("triad_placements.json");
    let vectors = file["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 130);
    for vector in vectors {
        let mut board = Board { rules: rules(vector), elements: elements(&vector["elements"]), cells: [None; 9] };
        for (cell, placed) in vector["board"].as_array().unwrap().iter().enumerate() {
            if !placed.is_null() {
                board.cells[cell] = Some(Placed { card: card(placed), owner: owner(&placed["owner"]) });
            }
        }
        let mv = &vector["move"];
        let taken = board.place(mv["cell"].as_u64().unwrap() as usize, card(mv), owner(&mv["owner"]));
        for (cause, name) in
            [(Cause::Same, "same"), (Cause::Plus, "plus"), (Cause::Basic, "basic"), (Cause::Combo, "combo")]
        {
            let mut cells: Vec<u64> = taken.iter().filter(|flip| flip.1 == cause).map(|flip| flip.0 as u64).collect();
            let mut wanted: Vec<u64> =
                vector["by_rule"][name].as_array().unwrap().iter().map(|cell| cell.as_u64().unwrap()).collect();
            cells.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(cells, wanted, "{} by {name}", vector["id"]);
        }
    }
}

#[test]
fn every_recorded_game_goes_the_same_way() {
    let file = read("triad_replays.json");
    let games = file["games"].as_array().unwrap();
    assert_eq!(games.len(), 1000);
    for (number, game) in games.iter().enumerate() {
        let mut board = Board { rules: rules(game), elements: elements(&game["cell_elements"]), cells: [None; 9] };
        let after = game["owners_after_each_move"].as_array().unwrap();
        for (mv, wanted) in game["moves"].as_array().unwrap().iter().zip(after) {
            let player = owner(&mv["player"]);
            let hand = &game[if player == 'a' { "hand_a" } else { "hand_b" }];
            let played = card(&hand[mv["card"].as_u64().unwrap() as usize]);
            board.place(mv["cell"].as_u64().unwrap() as usize, played, player);
            assert_eq!(board.owners().to_uppercase(), wanted.as_str().unwrap(), "game {number}");
        }
    }
}
