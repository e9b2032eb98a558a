//! The gradient against finite differences; a run that is interrupted; a small run from games to a network that knows more.

use engine::uttt::network::compact::Compact;
use engine::uttt::network::{Network, Weights};
use grid::Rng;
use ninefold_learn::LearnError;
use ninefold_learn::model::{Sample, Workspace, cross_entropy};
use ninefold_learn::selfplay::{self, Teacher};
use ninefold_learn::shard::{self, Record};
use ninefold_learn::train::{Plan, Shape, Training};
use search::Control;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ninefold-learn-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Records of a few games by the hand-made engine.
fn records(name: &str, games: u32) -> Vec<Record> {
    let folder = folder(name);
    let plan = selfplay::Plan {
        folder: folder.clone(),
        shards: 2,
        games,
        visits: 20,
        harvest: 0,
        seed: 3,
        teacher: Teacher::HandMade,
    };
    let played = selfplay::run(&plan, &Control::new().threads(2)).unwrap();
    assert!(played.shards == 2 && played.kept == 0);
    let files = shard::list(&folder).unwrap();
    let list: Vec<Record> = files.iter().flat_map(|path| shard::read(path).unwrap()).collect();
    assert_eq!(list.len() as u64, played.records);
    // A second run finds everything there. A shard that is made again, on another number of threads, is the same.
    assert_eq!(selfplay::run(&plan, &Control::new()).unwrap().kept, 2);
    std::fs::remove_file(&files[1]).unwrap();
    selfplay::run(&plan, &Control::new()).unwrap();
    let again: Vec<Record> = files.iter().flat_map(|path| shard::read(path).unwrap()).collect();
    assert_eq!(list, again, "a shard depends on the seed and its number alone");
    std::fs::remove_dir_all(folder).unwrap();
    list
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let list = records("gradient", 4);
    for shape in [Shape::Full, Shape::Compact] {
        let known = list.iter().filter(|record| shape == Shape::Full || record.rule == 1);
        let samples: Vec<Sample> = known.map(|record| Sample::new(record, 0.7)).take(64).collect();
        assert_eq!(samples.len(), 64);
        slopes(shape, &samples);
    }
}

fn slopes(shape: Shape, samples: &[Sample]) {
    let mut numbers = shape.untrained(5);
    let mut gradient = vec![0.0; Weights::COUNT];
    let mut workspace = Workspace::default();
    let loss = workspace.learn(&shape.written_out(&numbers), samples, &mut gradient);
    let gradient = shape.gathered(&gradient);
    assert_eq!(gradient.len(), numbers.len());
    let loss_at = |workspace: &mut Workspace, numbers: &[f32]| -> f64 {
        let answers = workspace.answers(&shape.written_out(numbers), samples);
        answers.iter().zip(samples).map(|(&answer, sample)| cross_entropy(answer, sample.target())).sum()
    };
    assert!((loss - loss_at(&mut workspace, &numbers)).abs() < 1e-3);
    // Numbers of every kind that matter here: those with the largest slopes, and random ones.
    let mut rng = Rng::new(1);
    let mut places: Vec<usize> = (0..numbers.len()).collect();
    places.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
    places.truncate(200);
    places.extend((0..200).map(|_| numbers.len() - 1 - rng.below(40_000) as usize));
    let mut checked = 0;
    for place in places {
        let (old, width) = (numbers[place], 2e-3);
        numbers[place] = old + width;
        let above = loss_at(&mut workspace, &numbers);
        numbers[place] = old - width;
        let below = loss_at(&mut workspace, &numbers);
        numbers[place] = old;
        let slope = (above - below) / f64::from(2.0 * width);
        let found = f64::from(gradient[place]);
        // A clipped unit near its corner has two slopes.
        assert!((slope - found).abs() < 0.02 + 0.06 * slope.abs().max(found.abs()), "{place}: {slope} {found}");
        checked += u32::from(slope.abs() > 0.05);
    }
    assert!(checked > 100, "{checked} slopes that are not flat");
}

#[test]
fn a_run_that_was_interrupted_ends_like_one_that_was_not() {
    let list = records("resume", 10);
    let plan = Plan { epochs: 4.0, batch: 128, ..Plan::default() };
    let mut whole = Training::new(plan, list.clone());
    whole.run(&Control::new(), &mut |_| Ok(())).unwrap();
    let path = folder("checkpoint");
    let mut half = Training::new(plan, list.clone());
    let stop =
        |run: &Training| if run.step() * 2 >= run.steps() { Err(search::Stop::Cancelled.into()) } else { Ok(()) };
    let stopped = half.run(&Control::new(), &mut |run| stop(run));
    assert!(matches!(stopped, Err(LearnError::Stopped(_))));
    half.save(&path).unwrap();
    let mut rest = Training::new(plan, list.clone());
    rest.resume(&path).unwrap();
    assert!(rest.step() > 0 && rest.step() < rest.steps());
    rest.run(&Control::new().threads(2), &mut |_| Ok(())).unwrap();
    assert_eq!(rest.weights(), whole.weights());
    assert_eq!(rest.curve().last().map(|point| point.step), whole.curve().last().map(|point| point.step));
    let mut other = Training::new(Plan { seed: 2, ..plan }, list);
    let error = other.resume(&path).unwrap_err().to_string();
    assert!(error.contains("another plan"), "{error}");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_short_run_learns_and_its_network_plays() {
    let list = records("learns", 60);
    let plan = Plan { epochs: 12.0, batch: 256, ..Plan::default() };
    let mut run = Training::new(plan, list);
    let before = run.loss();
    run.run(&Control::new().threads(2), &mut |_| Ok(())).unwrap();
    let after = run.loss();
    assert!(after < before - 0.02, "{before} {after}");
    let path = folder("network");
    run.weights().write(&path).unwrap();
    let network = Network::of_bytes(&std::fs::read(&path).unwrap(), &path).unwrap();
    let teacher = Teacher::Network(std::sync::Arc::new(network));
    let home = folder("second");
    let plan = selfplay::Plan { folder: home.clone(), shards: 1, games: 4, visits: 50, harvest: 10, seed: 1, teacher };
    let played = selfplay::run(&plan, &Control::new()).unwrap();
    assert!(played.records > 100, "{played:?}");
    std::fs::remove_dir_all(home).unwrap();
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_short_run_makes_a_network_for_the_bundle() {
    let list = records("bundle", 60);
    let plan = Plan { shape: Shape::Compact, epochs: 20.0, batch: 256, ..Plan::default() };
    let mut run = Training::new(plan, list);
    let before = run.loss();
    run.run(&Control::new().threads(2), &mut |_| Ok(())).unwrap();
    let after = run.loss();
    assert!(after < before - 0.02, "{before} {after}");
    let path = folder("compact");
    run.write(&path).unwrap();
    let network = Compact::of_bytes(&std::fs::read(&path).unwrap(), &path).unwrap();
    assert_eq!(network.weights(), run.weights());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn damaged_or_missing_data_is_named() {
    let home = folder("damaged");
    std::fs::create_dir_all(&home).unwrap();
    assert!(shard::list(&home).unwrap_err().to_string().contains("no training data here"));
    let path = home.join("000000.shard");
    shard::write(&path, &records("whole", 2)).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, &bytes).unwrap();
    let error = shard::read(&path).unwrap_err().to_string();
    assert!(error.contains("000000.shard: damaged"), "{error}");
    std::fs::remove_dir_all(home).unwrap();
}
