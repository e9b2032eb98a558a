//! The help of each game: how it is won, and what the keys do.

use api::BoardView;

/// The rules in short.
pub(super) fn rules(board: &BoardView) -> &'static str {
    match board {
        BoardView::Uttt { .. } => {
            "Win three boards in a row. Your square sends the other player to the board in the same place; if that \
             board is closed, he may choose any open one."
        }
        BoardView::Triad { .. } => {
            "Place cards on the nine cells. A card captures a neighbour if its facing side is higher. Whoever owns more \
             cards when the board is full wins."
        }
        BoardView::Cephalopods { .. } => {
            "Place a die on an empty cell. Next to dice that show at most 6 together you may capture two or more of \
             them; the new die shows their sum. Otherwise it shows 1. A full board ends the game."
        }
    }
}

/// The keys and what they do.
pub(super) fn keys(board: &BoardView) -> Vec<(&'static str, &'static str)> {
    let of_game: &[(&str, &str)] = match board {
        BoardView::Uttt { .. } => &[("mouse", "click a square to play there")],
        BoardView::Triad { .. } => {
            &[("Tab, 1 to 5", "choose a card"), ("mouse", "click a card to choose it, a cell to play it there")]
        }
        BoardView::Cephalopods { .. } => {
            &[("Tab, 1 to 9", "choose a capture"), ("mouse", "click a cell to play there, again for the next capture")]
        }
    };
    let first: &[(&str, &str)] = &[("arrows, h j k l", "move the cursor"), ("Enter, space", "play the move")];
    let common: &[(&str, &str)] = &[
        ("u / r", "undo / redo"),
        ("i", "hint: the best move"),
        ("e", "evaluation of every legal move, on and off"),
        ("+ / -", "engine strength, 1 to 10"),
        ("s", "who is human: first, second, both, none"),
        ("n", "new game"),
        ("q, Ctrl-C", "save the game and quit"),
        ("Ctrl-Z", "suspend; `fg` returns"),
    ];
    [first, of_game, common].concat()
}
