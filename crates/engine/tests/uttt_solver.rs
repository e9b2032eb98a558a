//! The solver against the published endgames and against brute force on the naive model.

use grid::simd::Isa;
use grid::{Game, Notation, Rng, Versus};
#[cfg(feature = "files")]
use ninefold_engine::uttt::certificate;
use ninefold_engine::uttt::{Rules, Solver, signature};
use ninefold_engine::{Analysis, Certainty, Control, Error, Outcome, Stop, Value};
use oracle::uttt_endgame::Endgame;
use oracle::{uttt as naive, uttt_proof};
#[cfg(feature = "files")]
use std::time::Duration;
use uttt::{Accept, CodinGame, Move, Open, Position, Rule, Standard, Uttt};

fn solver(rules: Rules) -> Solver {
    Solver::new(rules, 64 << 20).unwrap()
}

fn free() -> Control<'static> {
    Control::new()
}

fn outcome(letter: &str) -> Outcome {
    match letter {
        "W" => Outcome::Win,
        "D" => Outcome::Draw,
        "L" => Outcome::Loss,
        other => panic!("{other} is no value"),
    }
}

/// The best moves as text.
fn optimal(solution: &Analysis<Move>) -> Vec<String> {
    solution.optimal().map(|mv| mv.to_string()).collect()
}

/// The outcome, which must be certain.
fn solved(value: Result<Value, Error>) -> Outcome {
    let value = value.unwrap();
    assert!(value.certainty.is_certain());
    value.outcome.unwrap()
}

/// Value and optimal moves.
type Expected = (Outcome, Vec<String>);

/// Position and what is expected, under the standard rule and under CodinGame's.
fn endgames() -> Vec<(String, [Expected; 2])> {
    let lines = include_str!("../../../oracle/data/uttt_endgames.txt").lines().filter(|line| !line.starts_with('#'));
    let answer = |v: &str, moves: &str| (outcome(v), moves.split(',').map(str::to_owned).collect());
    lines
        .map(|line| {
            let columns: Vec<_> = line.split(' ').collect();
            (columns[0].to_owned(), [answer(columns[1], columns[2]), answer(columns[3], columns[4])])
        })
        .collect()
}

#[test]
fn all_endgames_of_the_suite_under_both_rules() {
    let endgames = endgames();
    assert_eq!(endgames.len(), 300);
    let mut changed = 0;
    for (column, rules) in [Rules::Standard, Rules::CodinGame].into_iter().enumerate() {
        let mut solver = solver(rules);
        for (text, answers) in &endgames {
            let position = rules.read(text, Accept::Reachable).unwrap();
            let solution = solver.solve(&position, &free());
            assert!(solution.complete);
            assert_eq!(solution.value.outcome, Some(answers[column].0), "{text}");
            assert_eq!(optimal(&solution), answers[column].1, "{text}");
            changed += usize::from(column == 0 && answers[0].0 != answers[1].0);
        }
    }
    assert_eq!(changed, 72, "the two rules differ where the suite says");
}

/// The value of the position and of its moves by trying everything on the naive rules.
fn brute_force<R: Rule>(position: &Position) -> Endgame {
    let game = naive::Uttt(match Rules::named(R::NAME).unwrap() {
        Rules::Standard => naive::Rule::Standard,
        Rules::CodinGame => naive::Rule::CodinGame,
        Rules::Open => naive::Rule::Open,
    });
    Endgame::new(game, game.read_position(&format!("{position:?}")).unwrap())
}

/// A position of random play with 4 to `most` squares that may still be marked.
fn random_endgame<R: Rule>(rng: &mut Rng, most: u32) -> Position {
    let game = Uttt::<R>::GAME;
    loop {
        let mut position = game.start();
        let target = 4 + rng.below(most - 3);
        while let Some(mv) = rng.pick(game.moves(&position)) {
            position = game.play_unchecked(&position, mv);
            if position.empties::<R>() <= target && !game.is_over(&position) {
                return position;
            }
        }
    }
}

fn endgames_against_brute_force<R: Rule>(count: u64) {
    let mut values = [0; 3];
    let rules = Rules::named(R::NAME).unwrap();
    let mut solver = solver(rules);
    for seed in 0..count {
        let position = random_endgame::<R>(&mut Rng::new(grid::mix(seed ^ 0xb007)), 14);
        let mut endgame = brute_force::<R>(&position);
        let best = endgame.value();
        let shown = format!("{} seed {seed}: {position:?}", R::NAME);
        // Now and then every move, which must agree with the best moves.
        let every_move = seed % 4 == 0;
        let solution =
            if every_move { solver.analyse_moves(&position, &free()) } else { solver.solve(&position, &free()) };
        assert_eq!((solution.value.outcome, solution.complete), (Some(Outcome::of(best)), true), "{shown}");
        let letter = |number: usize| (b'a' + number as u8) as char;
        let mut moves = endgame.moves();
        if every_move {
            // Stable, as the solver sorts.
            moves.sort_by_key(|&(_, value)| -value);
        } else {
            moves.retain(|&(_, value)| value == best);
        }
        let text = |(board, square): (usize, usize)| format!("{}{}", letter(board), letter(square));
        let expected: Vec<_> = moves.into_iter().map(|(mv, value)| (text(mv), Some(Outcome::of(value)))).collect();
        let found: Vec<_> = solution.lines.iter().map(|line| (line.mv.to_string(), line.value.outcome)).collect();
        assert_eq!(found, expected, "{shown}");
        values[(best + 1) as usize] += 1;
    }
    assert!(values.iter().all(|&seen| seen > count / 20), "all three values occur: {values:?}");
}

/// Endgames for each rule.
const ENDGAMES: u64 = 10_000;

#[test]
fn random_endgames_agree_with_brute_force_standard() {
    endgames_against_brute_force::<Standard>(ENDGAMES);
}

#[test]
fn random_endgames_agree_with_brute_force_codingame() {
    endgames_against_brute_force::<CodinGame>(ENDGAMES);
}

#[test]
fn random_endgames_agree_with_brute_force_open() {
    endgames_against_brute_force::<Open>(ENDGAMES);
}

/// A middle game of 41 empties that takes some hundred thousand positions.
fn hard() -> String {
    "X;..@OOXO..;...X.X.XO/O....OX.O/..O.X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X.XX.X..".to_owned()
}

#[cfg(feature = "files")]
#[test]
fn limits_end_a_search_and_a_saved_state_goes_on() {
    let folder = std::env::temp_dir().join(format!("ninefold-uttt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("state");
    let text = hard();
    let position: Position = Rules::Standard.read(&text, Accept::Reachable).unwrap();
    let whole = solver(Rules::Standard).solve(&position, &free());
    assert!(whole.complete && whole.nodes > 1_000, "{whole:?}");

    let mut first = solver(Rules::Standard);
    let stopped = first.solve(&position, &Control::new().node_limit(whole.nodes / 2));
    assert!(!stopped.complete && stopped.nodes == whole.nodes / 2, "{stopped:?}");
    first.save(&path).unwrap();

    let mut second = solver(Rules::Standard);
    second.resume(&path).unwrap();
    let resumed = second.solve(&position, &free());
    assert_eq!((resumed.value.outcome, optimal(&resumed)), (whole.value.outcome, optimal(&whole)));
    assert!(resumed.nodes < whole.nodes * 4 / 5, "{} of {}", resumed.nodes, whole.nodes);
    let error = |solution: &Analysis<Move>| match solution.value.certainty {
        Certainty::Hashed { error } => error,
        other => panic!("{other:?}"),
    };
    // The chance of an error counts the nodes of both runs, and a resumed table uses all its lines.
    assert!(error(&resumed) > error(&whole) && error(&resumed) < 1e-5, "{resumed:?}");

    let other = solver(Rules::Open).resume(&path).unwrap_err().to_string();
    assert!(other.contains("open rule"), "{other}");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let damaged = solver(Rules::Standard).resume(&path).unwrap_err().to_string();
    assert!(damaged.contains("checksum"), "{damaged}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Hard positions with their values.
fn hard_suite() -> Vec<(Position, Outcome)> {
    let lines = include_str!("../../../oracle/data/uttt_hard.txt").lines().filter(|line| !line.starts_with('#'));
    let parse = |line: &str| {
        let (text, letter) = line.split_once(' ')?;
        Some((Rules::Standard.read(text, Accept::Reachable).ok()?, outcome(letter)))
    };
    lines.map(|line| parse(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

/// Saving in the middle stops the threads, writes and goes on; what is written serves another solver.
#[cfg(feature = "files")]
#[test]
fn a_long_search_saves_itself_now_and_then() {
    let folder = std::env::temp_dir().join(format!("ninefold-uttt-autosave-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("state");
    let (position, value) = hard_suite().into_iter().nth(4).unwrap();
    let mut first = Solver::new(Rules::Standard, 16 << 20).unwrap();
    first.save_every(&path, Duration::from_millis(150));
    let control = Control::new().threads(2);
    assert_eq!(solved(first.value(&position, &control)), value);
    let mut second = solver(Rules::Standard);
    second.resume(&path).unwrap();
    let again = Control::new();
    assert_eq!(solved(second.value(&position, &again)), value);
    assert!(again.nodes() < control.nodes(), "{} of {}", again.nodes(), control.nodes());
    // A place that cannot be written to does not end the search.
    let mut third = solver(Rules::Standard);
    third.save_every(&folder.join("no such folder").join("state"), Duration::from_millis(150));
    assert_eq!(solved(third.value(&position, &free())), value);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_certificate_that_does_not_fit_is_refused() {
    let (text, _) = &endgames()[0];
    let position = Rules::Standard.read(text, Accept::Reachable).unwrap();
    let mut small = Solver::new(Rules::Standard, 640).unwrap();
    let refused = small.certify(&position, &free()).unwrap_err();
    assert!(matches!(refused, Error::CertificateTooLarge { positions: 10 }), "{refused}");
    assert_eq!(refused.field(), "limits.memory_mib");
    assert!(refused.to_string().contains("more than 10 positions"));

    // On disk it fits, and is the same as one made with enough memory.
    let folder = std::env::temp_dir().join(format!("ninefold-certificate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (few, many) = (folder.join("few"), folder.join("many"));
    small.certify_file(&position, &few, &free()).unwrap();
    solver(Rules::Standard).certify_file(&position, &many, &free()).unwrap();
    for path in [&few, &many] {
        let bytes = std::fs::read(path).unwrap();
        let body = certificate::open(path, &bytes).unwrap();
        assert_eq!(uttt_proof::verify(body).map(|verified| verified.value), Ok(0));
    }
    let refused = small.certify_file(&position, &folder.join("no folder").join("file"), &free()).unwrap_err();
    assert!(matches!(refused, Error::File(_)), "{refused}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "no temporary file is left");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Threads start only for proofs of more than 65,535 nodes. The two questions about the value of each of these positions
/// together take more than twice that, so one of them starts threads.
#[test]
fn threads_give_the_same_answers() {
    let suite = hard_suite();
    for (rules, number) in [(Rules::Standard, 4), (Rules::Standard, 6), (Rules::CodinGame, 6)] {
        let (position, _) = suite[number];
        let (mut single, mut shared) = (solver(rules), solver(rules));
        let (one, two) = (Control::new(), Control::new().threads(2));
        let outcome = solved(single.value(&position, &one));
        assert!(one.nodes() > 2 * 65_535, "{} nodes start no thread: {rules:?} {number}", one.nodes());
        assert_eq!(solved(shared.value(&position, &two)), outcome, "{rules:?} {number}");
        let (one, two) = (single.solve(&position, &one), shared.solve(&position, &two));
        assert_eq!((one.complete, two.complete), (true, true));
        assert_eq!(optimal(&one), optimal(&two), "{rules:?} {number}");
    }
}

/// Two threads at long proofs: at two questions, then both at the one that is left, and one move each.
#[test]
fn threads_prove_what_the_checker_accepts() {
    for (position, _) in hard_suite().into_iter().filter(|(_, outcome)| *outcome == Outcome::Loss) {
        let two = Control::new().threads(2);
        let mut threads = Solver::new(Rules::Standard, 128 << 20).unwrap();
        assert_eq!(solved(threads.value(&position, &two)), Outcome::Loss, "{position:?}");
        // The position after a move is won: every move that wins, by two threads and by one.
        let reply = Uttt::<Standard>::GAME.play_unchecked(&position, position.moves::<Standard>().next().unwrap());
        let (two, one) = (threads.solve(&reply, &two), solver(Rules::Standard).solve(&reply, &free()));
        assert_eq!(two.value.outcome, Some(Outcome::Win), "{position:?}");
        assert_eq!(optimal(&two), optimal(&one), "{position:?}");
        let certificate = threads.certify(&position, &free()).unwrap();
        assert_eq!(uttt_proof::verify(&certificate.body).map(|verified| verified.value), Ok(-1), "{position:?}");
    }
}

#[test]
fn a_line_never_gives_anything_away() {
    let mut solver = solver(Rules::Standard);
    for (text, answers) in endgames().iter().step_by(30) {
        let mut position = Rules::Standard.read(text, Accept::Reachable).unwrap();
        let line = solver.line(&position, &free()).unwrap();
        let game = uttt::Uttt::<uttt::Standard>::default();
        let mover = position.mover().sign();
        for mv in line {
            position = game.play(&position, mv).unwrap();
        }
        let result = game.result(&position).unwrap() * mover;
        assert_eq!(Outcome::of(result), answers[0].0, "{text}");
    }
}

/// Certificates of endgames are accepted by the checker, with the value of the suite.
#[test]
fn certificates_convince_the_checker() {
    for (column, rules) in [Rules::Standard, Rules::CodinGame].into_iter().enumerate() {
        let mut solver = solver(rules);
        for (text, answers) in endgames().iter().step_by(6) {
            let position = rules.read(text, Accept::Reachable).unwrap();
            let certificate = solver.certify(&position, &free()).unwrap();
            let verified = uttt_proof::verify(&certificate.body).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
            let expected = answers[column].0;
            assert_eq!((Outcome::of(verified.value), certificate.outcome), (expected, expected), "{text}");
            assert_eq!(&verified.position, text);
        }
    }
    let mut solver = solver(Rules::Open);
    for seed in 0..50 {
        let position = random_endgame::<Open>(&mut Rng::new(seed), 14);
        let value = brute_force::<Open>(&position).value();
        let certificate = solver.certify(&position, &free()).unwrap();
        assert_eq!(uttt_proof::verify(&certificate.body).map(|verified| verified.value), Ok(value), "{position:?}");
    }
}

/// A table of one cache line forgets nearly everything: the proof is found again and is still right.
#[test]
fn a_tiny_table_is_slow_and_not_wrong() {
    let mut solver = Solver::new(Rules::Standard, 64).unwrap();
    for seed in 0..100 {
        let position = random_endgame::<Standard>(&mut Rng::new(seed), 12);
        let value = brute_force::<Standard>(&position).value();
        assert_eq!(solved(solver.value(&position, &free())), Outcome::of(value), "{position:?}");
        let line = solver.line(&position, &free()).unwrap();
        let end = line.iter().fold(position, |position, &mv| Uttt::<Standard>::GAME.play(&position, mv).unwrap());
        let result = Uttt::<Standard>::GAME.result(&end).unwrap() * position.mover().sign();
        assert_eq!(result, value, "{position:?} {line:?}");
    }
}

/// With a table that forgets, the principal variation and the certificate prove positions again: that counts against the
/// limit as well.
#[test]
fn lines_and_certificates_keep_to_the_limit() {
    let position = Rules::Standard.read(&hard(), Accept::Reachable).unwrap();
    let mut solver = Solver::new(Rules::Standard, 1 << 16).unwrap();
    solver.value(&position, &free()).unwrap();
    for nodes in [0, 1, 100] {
        let control = Control::new().node_limit(nodes);
        assert!(matches!(solver.line(&position, &control), Err(Error::Stopped(Stop::Nodes))), "{nodes}");
        let control = Control::new().node_limit(nodes);
        assert!(matches!(solver.certify(&position, &control), Err(Error::Stopped(Stop::Nodes))), "{nodes}");
        assert!(control.nodes() <= nodes);
    }
}

/// What masks decide is proved without the table; what the table says rests on its hash.
#[test]
fn certainty_says_whether_the_table_was_used() {
    let mut solver = solver(Rules::Standard);
    let (mut proved, mut hashed) = (0, 0);
    for seed in 0..300 {
        let position = random_endgame::<Standard>(&mut Rng::new(seed), 30);
        let control = Control::new();
        let value = solver.value(&position, &control).unwrap();
        match value.certainty {
            Certainty::Proved => {
                assert_eq!(control.nodes(), 0, "{position:?}");
                proved += 1;
            }
            Certainty::Hashed { error } => {
                assert!(error > 0.0 && error < 1e-6, "{error}");
                hashed += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(proved > 20 && hashed > 20, "{proved} {hashed}");
}

/// Every byte of a certificate means something: with any byte changed and the seal renewed, it is refused, or it is another
/// certificate that is written in exactly these bytes. Cut short, it proves nothing.
#[test]
fn a_changed_certificate_is_refused_or_is_another_one() {
    let (text, answers) = &endgames()[0];
    let position = Rules::Standard.read(text, Accept::Reachable).unwrap();
    let body = solver(Rules::Standard).certify(&position, &free()).unwrap().body;
    assert_eq!(answers[0].0, Outcome::Draw);
    assert_eq!(uttt_proof::Proof::read(&body).unwrap().write(), body);
    let head = body.windows(6).position(|bytes| bytes == b"moves\n").unwrap() + 6;
    let (mut refused, mut tried) = (0, 0);
    for at in 0..body.len() {
        assert!(uttt_proof::verify(&body[..at]).is_err(), "cut at {at}");
        // Every value in the text; some in the moves, which are checked one by one.
        let changes: Vec<u8> = if at < head { (1..=255).collect() } else { vec![1, 2, 16, 128] };
        for change in changes {
            let mut damaged = body.clone();
            damaged[at] ^= change;
            tried += 1;
            match uttt_proof::verify(&damaged) {
                Err(refusal) => {
                    refused += 1;
                    assert!(refusal.at <= body.len());
                    assert!(!refusal.to_string().contains(|symbol: char| symbol.is_control()), "{refusal:?}");
                }
                // Another move of the strategy may do as well, and another position may be a draw, too.
                Ok(verified) => {
                    assert!(verified.value == 0 || verified.position != *text, "byte {at}");
                    assert_eq!(uttt_proof::Proof::read(&damaged).unwrap().write(), damaged, "byte {at}");
                }
            }
        }
    }
    assert!(refused > tried / 2, "{refused} of {tried}");
}

/// The text of a certificate can be written in one way only, and it claims what its value needs and no more.
#[test]
fn a_certificate_has_one_form() {
    let (text, _) = &endgames()[0];
    let position = Rules::Standard.read(text, Accept::Reachable).unwrap();
    let body = solver(Rules::Standard).certify(&position, &free()).unwrap().body;
    let head = body.windows(6).position(|bytes| bytes == b"moves\n").unwrap();
    let (head, moves) = (std::str::from_utf8(&body[..head]).unwrap(), &body[head..]);
    let refused = |head: &str| uttt_proof::verify(&[head.as_bytes(), moves].concat()).unwrap_err();
    let claims: Vec<&str> = head.lines().skip(2).collect();
    for other in [
        head.replacen(';', "\u{1b}", 1),
        head.replacen('/', "\u{7}", 1),
        head.replace("draw ", "draw +"),
        head.replace("draw ", "draw 0"),
        head.replace("position X", "position x").replace("position O", "position o"),
        head.replacen('@', ".", 1).replacen('.', "@", 1),
        format!("{head}claim X draw 0\n"),
        head.replace(claims[0], claims[1]),
        head.replace('\n', "\r\n"),
    ] {
        if other != head {
            let refusal = refused(&other);
            assert!(!refusal.to_string().contains(|symbol: char| symbol.is_control()), "{refusal:?}");
        }
    }
}

/// The table grows with the search: a call that is short takes little memory, however much it may take.
#[cfg(target_os = "linux")]
#[test]
fn a_short_call_does_not_touch_a_large_table() {
    let resident = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
    };
    let before = resident();
    let mut solver = Solver::new(Rules::Standard, 4 << 30).unwrap();
    let control = Control::new().node_limit(200_000);
    assert!(!solver.solve(&Position::START, &control).complete);
    let taken = resident() - before;
    assert!(taken < 512, "{taken} MiB for 200,000 nodes");
}

#[test]
fn the_signature_is_the_same_on_every_instruction_set() {
    let counts: Vec<_> = Isa::available().map(signature).collect();
    assert!(counts[0] > 10_000 && counts.iter().all(|&count| count == counts[0]), "{counts:?}");
}
