//! Deals two hands of Triple Triad and solves the game.
//! `cargo run --release --package ninefold --example triad`

use ninefold::grid::Game;
use ninefold::{Control, triad};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let edition = triad::Edition::Ff8;
    let a = triad::hand(edition, "Squall,Ifrit,Shiva,Geezard,Bite Bug")?;
    let b = triad::hand(edition, "Quistis,Zell,Red Bat,Blobra,Gayla")?;
    let deal = triad::Deal::new(&triad::Setup::new(triad::Rules::read("same,plus", edition)?, a, b))?;
    let found = triad::solve(&deal, &deal.start(), &Control::new());
    println!("the first player: {:?} by {:?} cards", found.value.outcome, found.value.margin);
    let best: Vec<String> = found.optimal().map(|mv| mv.to_string()).collect();
    println!("{} best first moves (card@cell): {}", best.len(), best.join(" "));
    assert!(found.complete);
    Ok(())
}
