//! **The rules of one game**: `uttt`. Position, moves, setup, notation, tables, kernels.
//!
//! **This room** says what is legal and what it leads to, as fast as it can be said.
//! **It may not know** a search, a thread, a clock, a file or another game.
//! **Go next** to `engine` for how it is played well, to `oracle` for the naive model it is held to.
