//! A wrong text is refused at the wrong character.

use grid::{Game, Notation};
use ninefold_triad::{Deal, Edition, Rules, notation};

const HANDS: &str = "8A32,1234,5555,6666,7777 1111,2222,3333,4444,5555";

#[test]
fn a_wrong_rule_is_pointed_at() {
    let at = |text: &str| Rules::read(text, Edition::Ff8).unwrap_err().at;
    assert_eq!(at("nothing"), 0);
    assert_eq!(at("same,nothing"), 5);
    assert_eq!(at("same,plus,nothing"), 10);
}

#[test]
fn a_card_that_is_on_the_board_twice_is_pointed_at() {
    let line = |cells: &str, owners: &str| format!("ff8 - ......... {HANDS} {cells} {owners} a");
    assert!(notation::read(&line("3...7....", "a...b....")).is_ok());
    let text = line("3...3....", "a...b....");
    let fault = notation::read(&text).unwrap_err();
    assert_eq!((fault.at, fault.expected), (text.rfind('3').unwrap(), "each card once"));
}

#[test]
fn a_wrong_move_is_pointed_at() {
    let (setup, position) = notation::read(&format!("ff8 - ......... {HANDS} 3...7.... a...b.... a")).unwrap();
    let deal = Deal::new(&setup).unwrap();
    let at = |text: &str| deal.read_move(&position, text).map_err(|fault| fault.at);
    for (text, place) in [("0", 0), ("x@1", 0), ("3@1", 0), ("5@1", 0), ("0@9", 2), ("0@", 2), ("0@4", 2)] {
        assert_eq!(at(text), Err(place), "{text}");
    }
    assert!(at("0@1").is_ok_and(|mv| deal.is_legal(&position, mv)));
}
