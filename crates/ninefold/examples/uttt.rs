//! Plays a few moves of Ultimate Tic-Tac-Toe, looks for the best reply, then proves an endgame.
//! `cargo run --release --package ninefold --example uttt`

use ninefold::{Control, uttt};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position = uttt::Position::START.play("e5")?.play("d4")?;
    println!("{position:?}");
    let found = uttt::analyse(&position, &Control::new().node_limit(20_000))?;
    for line in found.lines.iter().take(3) {
        println!("{}  score {:+.2}, {:?}", line.mv.algebraic(), line.value.score, line.value.certainty);
    }

    let text = "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";
    let found = uttt::solve(&text.parse()?, &Control::new())?;
    println!("{:?}, {:?}, after {} nodes", found.value.outcome, found.value.certainty, found.nodes);
    println!("best moves: {:?}", found.optimal().map(|mv| mv.to_string()).collect::<Vec<_>>());
    assert_eq!(found.value.outcome, Some(ninefold::Outcome::Draw));
    Ok(())
}
