//! Answers a question of the Cephalopods contest, then counts the sequences exactly.
//! `cargo run --release --package ninefold --example cephalopods`

use ninefold::{Control, cephalopods};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board: cephalopods::Board = "051000401".parse()?;
    let sum = cephalopods::path_sum(board, 20);
    println!("path sum of {board} at depth 20: {sum}");
    let exact = cephalopods::exact::count(board, 20, 0, &Control::new())?;
    println!("{} sequences, {} different final boards", exact.games, exact.final_boards);
    assert_eq!(sum, 738_691_369);
    Ok(())
}
