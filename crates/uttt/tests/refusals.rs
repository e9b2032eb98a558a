//! A bad text is rejected at the wrong character, and an unreachable but playable position needs `Accept::Playable`.

use ninefold_uttt::{Accept, Open, Position, Rule, Standard};

const EMPTY: &str = ".........";

fn read<R: Rule>(text: &str) -> Result<Position, usize> {
    Position::read::<R>(text, Accept::Reachable).map_err(|error| error.at)
}

fn lenient<R: Rule>(text: &str) -> Result<Position, usize> {
    Position::read::<R>(text, Accept::Playable).map_err(|error| error.at)
}

/// A compact text: the head, then the given boards; all others are empty.
fn compact(head: &str, boards: &[(usize, &str)]) -> String {
    let locals: Vec<_> =
        (0..9).map(|b| boards.iter().find(|(board, _)| *board == b).map_or(EMPTY, |(_, text)| *text)).collect();
    format!("{head};{}", locals.join("/"))
}

#[test]
fn malformed_texts_point_at_the_fault() {
    let good = compact("X;.........", &[]);
    assert!(read::<Standard>(&good).is_ok());
    assert_eq!(read::<Standard>(""), Err(0));
    assert_eq!(read::<Standard>("Z;........."), Err(0));
    assert_eq!(read::<Standard>("X;...?....."), Err(5));
    assert_eq!(read::<Standard>("X;...."), Err(6));
    assert_eq!(read::<Standard>(&good[..50]), Err(50));
    assert_eq!(read::<Standard>(&format!("{good}.")), Err(101));
    assert_eq!(read::<Standard>(&good.replace('/', "|")), Err(21));
    assert_eq!(read::<Standard>("X;@@.......;........."), Err(3));
    assert_eq!(read::<Standard>(&compact("X;.........", &[(1, "....é...")])), Err(26));
    assert_eq!(read::<Standard>("9/9/9 X 0 -"), Err(5));
    assert_eq!(read::<Standard>("9/9/9/9/9/9/9/9/91 X 0 -"), Err(17));
    assert_eq!(read::<Standard>("9/9/9/9/9/9/9/9/9/9 X 0 -"), Err(17));
    assert_eq!(read::<Standard>("9/9/9/9/4z4/9/9/9/9 X 0 -"), Err(9));
    assert_eq!(read::<Standard>("9/9/9/9/9/9/9/9/9"), Err(17));
    assert_eq!(read::<Standard>("9/9/9/9/9/9/9/9/9 Y 0 -"), Err(18));
    assert_eq!(read::<Standard>("9/9/9/9/9/9/9/9/9 X z -"), Err(20));
    assert_eq!(read::<Standard>("9/9/9/9/4x4/9/9/9/9 O 1 ee"), Err(25));
    assert_eq!(read::<Standard>("9/9/9/9/4x4/9/9/9/9 O 1 j1"), Err(24));
    assert_eq!(read::<Standard>("9/9/9/9/4x4/9/9/9/9 O 1 a1"), Err(24)); // no stone is there
    // The fault is at the start of a character, not within one.
    assert_eq!(read::<Standard>("9/9/9/9/4x4/9/9/9/9 O 1 e5 ........é."), Err(37));
    assert!(read::<Standard>("9/9/9/9/4x4/9/9/9/9 O 1 e5").is_ok());
}

#[test]
fn the_ply_of_a_fen_is_the_number_of_stones() {
    for ply in ["2", "10", "999999999"] {
        let text = format!("9/9/9/9/4x4/9/9/9/9 O {ply} e5");
        assert_eq!(read::<Standard>(&text), Err(22), "{text}");
        assert!(lenient::<Standard>(&text).is_ok(), "{text}");
    }
    assert!(read::<Standard>("9/9/9/9/4x4/9/9/9/9 O 0 e5").is_ok(), "not counted");
    let error = Position::read::<Standard>("9/9/9/9/9/9/9/9/9 X 7 -", Accept::Reachable).unwrap_err();
    assert!(error.expected.contains("number of stones"), "{error}");
}

#[test]
fn a_refused_move_points_at_its_wrong_character() {
    // O must play in the centre board, where X has the centre square.
    let position = Position::START.play("e5").unwrap();
    let at = |text: &str| position.play(text).unwrap_err().at;
    // In two letters, the board is the first and the square the second.
    assert_eq!((at("ae"), at("ee"), at("ez"), at("zz")), (0, 1, 1, 0));
    // In file and rank, a wrong file is the first character, a wrong rank the second.
    assert_eq!((at("a5"), at("e9"), at("e5"), at("e0"), at("e55")), (0, 1, 0, 1, 2));
}

#[test]
fn contradictions_are_refused_in_any_case() {
    let line = (0, "XXX......");
    let others = (1, "OO.......");
    let cases = [
        (compact("O;.........", &[line, others]), 2),     // a line without a winner
        (compact("O;O........", &[line, others]), 2),     // won by the wrong side
        (compact("O;..X......", &[others]), 4),           // won without a line
        (compact("X;#........", &[]), 2),                 // drawn but empty
        (compact("X;.........", &[(3, "XOXXOOOXX")]), 5), // full but not drawn
        (compact("O;x........", &[line, others]), 2),     // forced but closed
        (compact("O;XXX@.....", &[line, (1, "XXX......"), (2, "XXX......")]), 5), // forced but over
    ];
    for (text, at) in cases {
        assert_eq!(lenient::<Standard>(&text), Err(at), "{text}");
        assert_eq!(read::<Standard>(&text), Err(at), "{text}");
    }
    let both: Vec<_> = (0..9).map(|b| (b, ["XXX......", "OOO......", EMPTY][b / 3])).collect();
    assert_eq!(lenient::<Standard>(&compact("X;XXXOOO...", &both)), Err(5));
}

#[test]
fn what_cannot_arise_but_can_be_played_is_taken_on_request_only() {
    let cases = [
        (compact("X;.........", &[(4, "XXOO.X...")]), 0), // too many X for X to move
        (compact("O;.........", &[(4, "O........")]), 0), // too many O
        (compact("O;.@.......", &[(4, "X........")]), 3), // the only X sends to a
        (compact("O;.........", &[(4, "X........")]), 2), // the only X does not free the move
        (compact("O;X........", &[(0, "XXXOOO..."), (1, "X........")]), 2), // two lines in a closed board
    ];
    for (text, at) in cases {
        assert_eq!(read::<Standard>(&text), Err(at), "{text}");
        assert!(lenient::<Standard>(&text).is_ok(), "{text}");
    }
}

#[test]
fn the_open_rule_tells_who_was_first() {
    let text = compact("X;x........", &[(0, "XXXOOO..."), (1, "X........"), (2, "O...O....")]);
    assert_eq!(read::<Open>(&text), Err(0), "counts");
    let text = compact("X;x........", &[(0, "XXXOOO..."), (1, "XX......."), (2, "O...O....")]);
    let position = read::<Open>(&text).unwrap();
    let mut fen = String::new();
    position.write_fen(&mut fen).unwrap();
    assert!(fen.ends_with(" X........"), "{fen}");
    assert_eq!(read::<Open>(&fen), Ok(position));
    let cut = fen.trim_end_matches(" X........");
    assert_eq!(read::<Open>(cut), Err(cut.len()));
    assert_eq!(read::<Open>(&text.replace("X;x", "X;@")), Err(2));
}
