//! **Algorithms that know no game.**
//!
//! **This room** holds the searches, written against the traits of `grid`.
//! **It may not know** any game, any file, or how a result is shown.
//! **Go next** to `engine` for the games that use these searches.
