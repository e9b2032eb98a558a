//! Tests of the full screen without a terminal: what it draws, and whole games played by keys and clicks.

use super::Strength;
use super::app::{App, Flow};
use super::session::Session;
use super::thinker::Thinker;
use super::{Aftermath, Dealt, Humans, Simple, Table, screen};
use crate::draw::{self, Spot};
use crate::failure::Failure;
use api::{GameName, Limits, Options, PositionQuestion, STRONGEST};
use grid::simd::Isa;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::time::{Duration, Instant};

fn session(game: GameName, settings: &[(&str, &str)]) -> Box<dyn api::Session> {
    let mut session = game.open(Isa::Scalar);
    let mut options = Options::default();
    settings.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    session.set_base(&options).unwrap();
    session
}

fn table(game: GameName, settings: &[(&str, &str)], position: Option<&str>) -> Simple {
    let title = format!("{game:?}");
    let position = position.map(str::to_owned);
    Simple { session: session(game, settings), title, position, how_to_move: "this is how" }
}

fn app_of(table: impl Table + 'static, engine: Box<dyn api::Session>, humans: Humans, strength: Strength) -> App {
    App::new(Session::new(Box::new(table), humans).unwrap(), Thinker::new(engine).unwrap(), strength)
}

/// Full strength, with a time limit if one is given.
fn strongest(time_ms: Option<u64>) -> Strength {
    let mut limits = Limits::default();
    (limits.time_ms, limits.memory_mib) = (time_ms, Some(16));
    Strength { limits, level: STRONGEST, seed: 1, book: false }
}

/// Small searches, so that a game takes milliseconds.
fn quick() -> Strength {
    let mut limits = Limits::default();
    (limits.time_ms, limits.nodes, limits.memory_mib) = (Some(10_000), Some(300), Some(16));
    Strength { limits, level: 3, seed: 1, book: false }
}

fn app(game: GameName, settings: &[(&str, &str)], position: Option<&str>, humans: Humans) -> App {
    app_of(table(game, settings, position), session(game, settings), humans, quick())
}

const UTTT: (GameName, &[(&str, &str)]) = (GameName::Uttt, &[]);
const TRIAD: (GameName, &[(&str, &str)]) = (GameName::Triad, &[("rules", "same,plus,elemental"), ("seed", "7")]);
const CEPHALOPODS: (GameName, &[(&str, &str)]) = (GameName::Cephalopods, &[]);
const WIDE: (GameName, &[(&str, &str)]) = (GameName::Cephalopods, &[("size", "2x4")]);

fn key(app: &mut App, code: KeyCode) -> Flow {
    app.update(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE))).unwrap()
}

fn press(app: &mut App, keys: &str) {
    for sign in keys.chars() {
        assert_eq!(key(app, KeyCode::Char(sign)), Flow::Stay);
    }
}

fn click(app: &mut App, x: u16, y: u16) {
    let kind = MouseEventKind::Down(MouseButton::Left);
    let mouse = MouseEvent { kind, column: x, row: y, modifiers: KeyModifiers::NONE };
    assert_eq!(app.update(&Event::Mouse(mouse)).unwrap(), Flow::Stay);
}

fn screen_of(app: &mut App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen::draw(app, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

fn holds(screen: &str, parts: &[&str]) {
    for part in parts {
        assert!(screen.contains(part), "no {part:?} in:\n{screen}");
    }
}

/// The place of a text on the last drawn screen.
fn place_of(app: &App, wanted: Spot) -> (u16, u16) {
    let board = app.places.board;
    let all = (0..board.height).flat_map(|y| (0..board.width).map(move |x| (x, y)));
    let mut found = all.filter(|(x, y)| draw::spot(app.session.view(), app.places.compact, *x, *y) == Some(wanted));
    let (x, y) = found.next().unwrap();
    (board.x + x, board.y + y)
}

#[test]
fn every_game_shows_its_start() {
    let mut uttt = app(UTTT.0, UTTT.1, None, Humans::First);
    holds(
        &screen_of(&mut uttt, 80, 24),
        &[
            "Uttt · you are X · level 3",
            "9│  ·   ·   ·  │",
            "5│  ·   ·   ·  │  ·  [·]  ·  │",
            "X to move in any open board",
            "so far",
            "? help  q quit",
        ],
    );
    let mut triad = app(TRIAD.0, TRIAD.1, None, Humans::Second);
    triad.settle();
    let shown = screen_of(&mut triad, 80, 24);
    holds(&shown, &["B owns", ", to move", "↑", "→", "↓", "←", "▸ 1 ", "1 A ", "played", "you are B"]);
    let mut cephalopods = app(CEPHALOPODS.0, CEPHALOPODS.1, Some("1.c.5.f..:B"), Humans::Both);
    holds(
        &screen_of(&mut cephalopods, 80, 24),
        &[
            "│A      │1      │B ●    │",
            "│1      │       │3     ●│",
            "│3      │A ●   ●│5      │",
            "B to move",
            "you play both",
        ],
    );
}

#[test]
fn evaluation_is_drawn_into_the_cells_and_says_how_sure_it_is() {
    let near_end =
        "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";
    let mut proved = app(UTTT.0, UTTT.1, Some(near_end), Humans::Both);
    proved.strength = strongest(Some(20_000));
    press(&mut proved, "e");
    proved.settle();
    let shown = screen_of(&mut proved, 80, 24);
    holds(
        &shown,
        &[
            "╔═════════════╗",
            " [D]  L   L  ",
            "best moves",
            "g1  drawn, solved",
            "O draws, solved",
            "drawn",
            "╲   ╱",
            "│ O │",
        ],
    );

    let mut judged = app(UTTT.0, UTTT.1, None, Humans::Both);
    press(&mut judged, " e");
    judged.settle();
    let shown = screen_of(&mut judged, 80, 24);
    holds(&shown, &["estimated", "numbers: estimated"]);
    press(&mut judged, "e");
    assert!(!screen_of(&mut judged, 80, 24).contains("estimated"), "off again");

    let mut triad = app(TRIAD.0, TRIAD.1, None, Humans::Both);
    triad.strength = strongest(None);
    for number in 0..4 {
        press(&mut triad, "e");
        triad.settle();
        let moves = triad.session.view().moves.clone();
        let shown = screen_of(&mut triad, 80, 24);
        holds(&shown, &["best moves", ", exact"]);
        press(&mut triad, "e");
        let mv = &moves[number % moves.len()];
        triad.session.play(&mv.mv).unwrap();
        press(&mut triad, "ur");
    }

    let mut dice = app(CEPHALOPODS.0, CEPHALOPODS.1, Some("6666.ff.f:A"), Humans::Both);
    press(&mut dice, "e");
    dice.settle();
    holds(&screen_of(&mut dice, 80, 24), &["exact", "A wins, exact", "   W   "]);
}

#[test]
fn help_lies_over_the_board_until_a_key() {
    for (game, settings) in [UTTT, TRIAD, CEPHALOPODS] {
        let mut app = app(game, settings, None, Humans::Both);
        press(&mut app, "?");
        let shown = screen_of(&mut app, 80, 24);
        holds(&shown, &["Help: any key goes back", "evaluation of every legal move", "suspend; `fg` returns"]);
        // Each game has its own rules and keys.
        let of_game = ["three boards in a row", "choose a card", "choose a capture"];
        let named = of_game.map(|part| shown.contains(part));
        let wanted = [GameName::Uttt, GameName::Triad, GameName::Cephalopods].map(|known| known == game);
        assert_eq!(named, wanted, "{shown}");
        let before = app.session.view().position.clone();
        assert_eq!(key(&mut app, KeyCode::Enter), Flow::Stay);
        assert_eq!(app.session.view().position, before, "the key only closes the help");
        assert!(!screen_of(&mut app, 80, 24).contains("Help:"));
        press(&mut app, "?");
        assert_eq!(key(&mut app, KeyCode::Char('q')), Flow::Quit);
    }
}

#[test]
fn a_small_terminal_says_what_is_needed() {
    for ((game, settings), needs) in
        [(UTTT, "needs 44 and 18"), (TRIAD, "needs 77 and 20"), (CEPHALOPODS, "needs 25 and 14")]
    {
        let mut app = app(game, settings, None, Humans::Both);
        let shown = screen_of(&mut app, 36, 9).replace('\n', " ");
        let words: Vec<&str> = shown.split_whitespace().collect();
        holds(&words.join(" "), &["36 columns and 9 lines", needs]);
        for (width, height) in [(1, 1), (20, 60), (200, 4), (77, 20), (80, 24), (44, 40), (250, 80)] {
            screen_of(&mut app, width, height);
        }
        // A click on an empty place does nothing.
        let before = app.session.view().position.clone();
        screen_of(&mut app, 10, 3);
        click(&mut app, 2, 2);
        assert_eq!(app.session.view().position, before);
    }
}

/// Moves the cursor to a cell, selects the card or capture of a move, and plays it.
fn play_by_keys(app: &mut App, mv: &api::MoveView) {
    let (_, columns) = draw::cells(app.session.view());
    let (vertical, horizontal) = (mv.cell / columns, mv.cell % columns);
    while app.cursor / columns != vertical {
        let code = if app.cursor / columns < vertical { KeyCode::Down } else { KeyCode::Char('k') };
        key(app, code);
    }
    while app.cursor % columns != horizontal {
        let code = if app.cursor % columns < horizontal { KeyCode::Right } else { KeyCode::Char('h') };
        key(app, code);
    }
    if let Some(card) = mv.card {
        press(app, &(card % 5 + 1).to_string());
    }
    key(app, KeyCode::Enter);
    while let Some(at) = app.choosing {
        let chosen = app.moves_at(mv.cell)[at].mv.clone();
        key(app, if chosen == mv.mv { KeyCode::Enter } else { KeyCode::Tab });
    }
}

#[test]
fn whole_games_are_played_by_keys_undone_and_redone() {
    for (game, settings) in [UTTT, TRIAD, CEPHALOPODS, WIDE] {
        for (seed, humans) in [(1, Humans::First), (2, Humans::Second), (3, Humans::Both)] {
            let mut rng = grid::Rng::new(seed);
            let mut app = app(game, settings, None, humans);
            app.settle();
            let mut mine = 0;
            while !app.session.is_over() {
                assert!(app.session.is_human(), "{game:?}");
                let before = app.session.view().position.clone();
                let mv = rng.pick(app.session.view().moves.clone().into_iter()).unwrap();
                play_by_keys(&mut app, &mv);
                let past = app.session.past();
                let made = past.iter().rev().filter_map(|entry| entry.played.as_ref()).next();
                assert_eq!(made.map(|(played, _)| played.mv.as_str()), Some(mv.mv.as_str()), "{before}");
                mine += 1;
                app.settle();
                screen_of(&mut app, 80, 24);
            }
            let shown = screen_of(&mut app, 80, 24);
            let result = app.session.view().status.clone();
            holds(&shown, &[result.as_str(), "n for a new game"]);
            let end = app.session.view().position.clone();
            for back in 0..mine {
                press(&mut app, "u");
                assert!(app.session.is_human(), "{game:?}: {back} back");
            }
            press(&mut app, "u");
            holds(&screen_of(&mut app, 80, 24), &["nothing to undo"]);
            for _ in 0..mine {
                press(&mut app, "r");
            }
            assert_eq!(app.session.view().position, end, "{game:?}");
            press(&mut app, "r");
            holds(&screen_of(&mut app, 80, 24), &["nothing to redo"]);
            press(&mut app, "n");
            app.settle();
            assert!(app.session.past().len() <= 2 && !app.session.is_over());
        }
    }
}

#[test]
fn the_engine_plays_itself_until_undo_and_continues_on_enter() {
    let mut app = app(UTTT.0, UTTT.1, None, Humans::Nobody);
    app.settle();
    assert!(app.session.is_over());
    let end = app.session.past().len();
    press(&mut app, "uu");
    assert_eq!(app.session.past().len(), end - 2);
    assert!(app.paused && !app.is_thinking(), "it would undo the undo");
    holds(&screen_of(&mut app, 80, 24), &["Enter: the engine continues"]);
    key(&mut app, KeyCode::Enter);
    app.settle();
    assert!(app.session.is_over());
}

#[test]
fn a_thinking_engine_never_holds_anybody_up() {
    let mut app = app(UTTT.0, UTTT.1, None, Humans::First);
    app.strength = strongest(Some(600_000));
    let start = Instant::now();
    press(&mut app, " ");
    assert!(app.is_thinking() && !app.session.is_human());
    holds(&screen_of(&mut app, 80, 24), &["thinking 0."]);
    press(&mut app, " ");
    assert_eq!(app.message, "it is the engine's turn");
    press(&mut app, "u");
    assert!(!app.is_thinking() && app.session.past().len() == 1);
    // Answers to the old question are dropped, and the next question is answered.
    app.strength = quick();
    press(&mut app, "l ");
    app.settle();
    assert_eq!(app.session.past().len(), 3);
    app.strength = strongest(Some(600_000));
    press(&mut app, "e");
    std::thread::sleep(Duration::from_millis(300));
    app.listen().unwrap();
    assert!(app.is_thinking());
    holds(&screen_of(&mut app, 80, 24), &["estimated", "thinking"]);
    assert_eq!(key(&mut app, KeyCode::Char('q')), Flow::Quit);
    let control_c = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    assert_eq!(app.update(&control_c).unwrap(), Flow::Interrupted);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn clicks_play_and_choose() {
    let mut uttt = app(UTTT.0, UTTT.1, None, Humans::Both);
    screen_of(&mut uttt, 80, 24);
    let (x, y) = place_of(&uttt, Spot::Cell(40));
    click(&mut uttt, x, y);
    assert_eq!(uttt.session.last().unwrap().mv, "ee");
    click(&mut uttt, x, y);
    assert_eq!(uttt.message, "that square is taken");
    click(&mut uttt, 3, 3);
    assert!(uttt.message.contains("double lines"), "{}", uttt.message);
    click(&mut uttt, 79, 23);
    assert_eq!(uttt.session.past().len(), 2);

    let mut triad = app(TRIAD.0, TRIAD.1, None, Humans::Both);
    screen_of(&mut triad, 80, 24);
    let (x, y) = place_of(&triad, Spot::Card(3));
    click(&mut triad, x, y);
    let (x, y) = place_of(&triad, Spot::Card(7));
    click(&mut triad, x, y);
    assert_eq!(triad.message, "that card is the other player's");
    let (x, y) = place_of(&triad, Spot::Cell(8));
    click(&mut triad, x, y);
    assert_eq!(triad.session.last().unwrap().mv, "3@8");

    let mut dice = app(CEPHALOPODS.0, CEPHALOPODS.1, Some("1a1..a.1.:A"), Humans::Both);
    screen_of(&mut dice, 80, 24);
    let (x, y) = place_of(&dice, Spot::Cell(4));
    click(&mut dice, x, y);
    assert_eq!(dice.choosing, Some(0));
    click(&mut dice, x, y);
    holds(&screen_of(&mut dice, 80, 24), &["which capture?", "  1 4x15", "▸ 2 4x17", "capture 2 of 4: 4x17"]);
    // If there is no room for the panel, the choice is still shown.
    holds(&screen_of(&mut dice, 40, 17), &["capture 2 of 4: 4x17  (Tab"]);
    screen_of(&mut dice, 80, 24);
    let choices = dice.places.choices;
    click(&mut dice, choices.x + 2, choices.y + 3);
    assert_eq!(dice.session.last().unwrap().mv, "4x157");
}

/// The original size of Cephalopods fits the usual terminal, and every cell can be clicked.
#[test]
fn five_by_five_dice_fit_80_by_24() {
    let five: (GameName, &[(&str, &str)]) = (GameName::Cephalopods, &[("size", "5x5")]);
    let mut app = app(five.0, five.1, None, Humans::Both);
    let shown = screen_of(&mut app, 80, 24);
    holds(&shown, &["│a1     │", "│e5     │", "A to move", "? help  q quit", "so far"]);
    let (x, y) = place_of(&app, Spot::Cell(24));
    click(&mut app, x, y);
    assert_eq!(app.session.last().unwrap().mv, "e5");
    let shown = screen_of(&mut app, 80, 24);
    holds(&shown, &["│A 1    │", "B to move"]);
    assert!(shown.lines().any(|line| line.matches('●').count() == 1), "{shown}");
    // A taller terminal has room for whole faces.
    holds(&screen_of(&mut app, 80, 25), &["│1      │"]);
    let values = |app: &mut App| {
        press(app, "e");
        app.settle();
        screen_of(app, 80, 24)
    };
    holds(&values(&mut app), &["best moves"]);
}

#[test]
fn the_title_is_whole_and_the_best_moves_are_in_order() {
    let mut long = table(TRIAD.0, TRIAD.1, None);
    long.title = format!("Triple Triad ff14 · {}", ["ascension, reverse, fallen ace"; 2].join(", "));
    let title = long.title.clone();
    let mut app = app_of(long, session(TRIAD.0, TRIAD.1), Humans::First, quick());
    assert!(title.len() > 60);
    let shown = screen_of(&mut app, 90, 24);
    holds(&shown, &[&title, "you are A · level 3"]);
    // Without a line to spare, who plays stays visible.
    let shown = screen_of(&mut app, 77, 20);
    holds(shown.lines().next().unwrap(), &["Triple Triad ff14", "… · you are A · level 3"]);

    let mut judged = self::app(UTTT.0, UTTT.1, None, Humans::Both);
    press(&mut judged, "e");
    judged.settle();
    let shown = screen_of(&mut judged, 80, 24);
    let values: Vec<i32> = shown
        .lines()
        .filter_map(|line| line.split_once(", estimated")?.0.rsplit(' ').next()?.parse().ok())
        .take(3)
        .collect();
    assert!(values.len() == 3 && values.is_sorted_by(|left, right| left >= right), "{shown}");
}

#[test]
fn a_hint_among_equal_moves_says_so() {
    let drawn = "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";
    let codingame: &[(&str, &str)] = &[("rule", "codingame")];
    for (game, settings, position, hint) in [
        (GameName::Uttt, UTTT.1, drawn, "hint: g1; O draws, solved"),
        (GameName::Uttt, codingame, drawn, "hint: all 4 moves lose, solved"),
        (GameName::Cephalopods, CEPHALOPODS.1, "6666.ff.f:A", "hint: all 2 moves win, exact"),
    ] {
        let mut app = app(game, settings, Some(position), Humans::Both);
        app.strength = strongest(Some(20_000));
        let cursor = app.cursor;
        press(&mut app, "i");
        app.settle();
        assert_eq!(app.message, hint);
        // If all moves are equal, none is marked.
        assert_eq!(app.marks().hint.is_none(), hint.contains("all"), "{hint}");
        assert!(app.cursor == cursor || !hint.contains("all"), "{hint}");
    }
}

#[test]
fn three_open_shows_three_cards() {
    let three: (GameName, &[(&str, &str)]) =
        (GameName::Triad, &[("edition", "ff14"), ("rules", "three-open"), ("seed", "3")]);
    let count = |app: &mut App| screen_of(app, 80, 24).matches("face down").count();
    for humans in [Humans::First, Humans::Second] {
        let mut app = app(three.0, three.1, None, humans);
        app.settle();
        let laid = |app: &App| match &app.session.view().board {
            api::BoardView::Triad { cards, .. } => cards.iter().map(|card| card.laid).collect::<Vec<_>>(),
            _ => unreachable!(),
        };
        let hidden = app.session.marks().hidden;
        assert_eq!(hidden.len(), 2);
        assert!(hidden.iter().all(|card| (*card >= 5) == (humans == Humans::First)), "the opponent's");
        let unseen = |app: &App| hidden.iter().filter(|card| !laid(app)[usize::from(**card)]).count();
        while !app.session.is_over() {
            assert_eq!(app.session.marks().hidden, hidden, "the same two cards for the whole game");
            assert_eq!(count(&mut app), unseen(&app));
            let mv = app.session.view().moves[0].clone();
            play_by_keys(&mut app, &mv);
            app.settle();
        }
    }
    assert_eq!(count(&mut app(three.0, three.1, None, Humans::Both)), 0);
    assert_eq!(count(&mut app(TRIAD.0, TRIAD.1, None, Humans::First)), 0);
}

/// A saved game has the same history, and a changed one is refused.
#[test]
fn a_saved_game_is_loaded_again() {
    for (game, settings) in [UTTT, TRIAD, CEPHALOPODS, WIDE] {
        let mut rng = grid::Rng::new(5);
        let mut app = app(game, settings, None, Humans::Both);
        for _ in 0..5 {
            let mv = rng.pick(app.session.view().moves.clone().into_iter()).unwrap();
            app.session.play(&mv.mv).unwrap();
        }
        let steps = app.session.steps();
        assert_eq!(steps.len(), 6);
        let load = |steps: &[_]| Session::load(Box::new(table(game, settings, None)), Humans::First, steps, &[]);
        let mut loaded = load(&steps).unwrap();
        assert_eq!(loaded.steps(), steps);
        assert_eq!(loaded.view(), app.session.view());
        assert!(loaded.undo(), "the history is there");
        let mut swapped = steps.clone();
        swapped[3].position = steps[2].position.clone();
        let mut gap = steps.clone();
        gap.remove(2);
        let mut unknown = steps.clone();
        unknown[1].mv = Some("nonsense".to_owned());
        let mut absent = steps.clone();
        absent[2].mv = None;
        for wrong in [&swapped, &gap, &unknown, &absent, &steps[1..].to_vec()] {
            assert!(matches!(load(wrong), Err(Failure::Usage(why)) if why.contains("of the saved game")), "{game:?}");
        }
    }
}

#[test]
fn hints_sides_and_levels() {
    let mut dice = app(CEPHALOPODS.0, CEPHALOPODS.1, Some("6666.ff.f:A"), Humans::First);
    press(&mut dice, "i");
    dice.settle();
    holds(&dice.message, &["hint: all 2 moves win, exact"]);
    press(&mut dice, "----------------");
    assert_eq!(dice.strength.level, 1);
    press(&mut dice, "+++++++++++++");
    assert_eq!((dice.strength.level, dice.message.as_str()), (10, "the engine plays at level 10 of 10"));
    press(&mut dice, "s");
    assert_eq!(dice.session.humans, Humans::Second);
    press(&mut dice, "ss");
    assert_eq!(dice.session.humans, Humans::Nobody);
    dice.settle();
    assert!(dice.session.is_over());
    press(&mut dice, "i");
    assert_eq!(dice.message, "hints are for your own moves");
    // The hint comes with a running evaluation.
    press(&mut dice, "snei");
    dice.settle();
    holds(&dice.message, &["hint: "]);
}

/// A game whose first result does not count.
struct Twice(Simple);

impl Table for Twice {
    fn session(&mut self) -> &mut dyn api::Session {
        self.0.session()
    }

    fn title(&self) -> String {
        self.0.title()
    }

    fn begin(&mut self) -> Result<Dealt, Failure> {
        self.0.begin()
    }

    fn after(&mut self, _position: &str, round: u32, _humans: Humans) -> Aftermath {
        let position = self.0.session().look(&PositionQuestion::default()).unwrap().position;
        let next = (round == 0).then(|| Dealt { position, notes: vec!["once more".to_owned()] });
        Aftermath { notes: vec![format!("round {round} is over")], next, choice: None }
    }

    fn how_to_move(&self) -> &'static str {
        ""
    }
}

#[test]
fn a_game_that_does_not_count_is_followed_by_another() {
    let table = Twice(table(WIDE.0, WIDE.1, None));
    let mut app = app_of(table, session(WIDE.0, WIDE.1), Humans::Nobody, quick());
    app.settle();
    holds(&screen_of(&mut app, 80, 40), &["round 0 is over", "Enter deals the next game"]);
    key(&mut app, KeyCode::Enter);
    app.settle();
    holds(&screen_of(&mut app, 80, 60), &["once more", "round 1 is over", "n for a new game"]);
    key(&mut app, KeyCode::Enter);
    holds(&app.message, &["the game is over"]);
    let end = app.session.view().position.clone();
    press(&mut app, &"u".repeat(500));
    assert_eq!(app.session.past().len(), 1, "back into the first game");
    press(&mut app, &"r".repeat(500));
    assert_eq!(app.session.view().position, end);
}

#[test]
fn options_read_game_as_edition() {
    let [edition, game]: [Options; 2] =
        ["edition", "game"].map(|name| serde_json::from_str(&format!("{{\"{name}\":\"ff14\"}}")).unwrap());
    assert_eq!((&edition, edition.edition.as_deref()), (&game, Some("ff14")));
}

#[test]
fn players_go_by_their_letters() {
    let read = |text: &str| Humans::read(text, ["X", "O"]).ok();
    assert_eq!(
        [read("x"), read("O"), read("both"), read("NONE")].map(Option::unwrap),
        [Humans::First, Humans::Second, Humans::Both, Humans::Nobody]
    );
    assert!(matches!(Humans::read("a", ["X", "O"]), Err(Failure::Usage(message)) if message.contains("\"a\"")));
}
