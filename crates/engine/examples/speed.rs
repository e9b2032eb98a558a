use ninefold_engine::triad::Solver;
use ::triad::*;
use grid::Game;
struct Instant(u64);
impl Instant { fn now() -> Self { Self(cpu()) } fn elapsed(&self) -> std::time::Duration { std::time::Duration::from_nanos(cpu() - self.0) } }
fn cpu() -> u64 { std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse().unwrap() }
fn main() {
    let cards: serde_json::Value = serde_json::from_str(&std::fs::read_to_string("oracle/data/triad_ff8_cards.json").unwrap()).unwrap();
    let deals: serde_json::Value = serde_json::from_str(&std::fs::read_to_string("oracle/data/triad_solved_deals.json").unwrap()).unwrap();
    let card = |id: &serde_json::Value| {
        let c = &cards["cards"][id.as_u64().unwrap() as usize];
        let s = |n: &str| c[n].as_u64().unwrap() as u8;
        let mut card = Card::new([s("top"), s("right"), s("bottom"), s("left")]).unwrap();
        card.element = Element::from_mask(s("element_mask"));
        card
    };
    let all = std::env::args().nth(1).is_some();
    let mut solver = Solver::default();
    let mut groups: std::collections::BTreeMap<String, (u32, f64, f64, u64)> = Default::default();
    for g in deals["games"].as_array().unwrap() {
        let mut rules = Rules::preset(Edition::Ff8);
        for r in g["rules"].as_array().unwrap() { rules = rules.apply(r.as_str().unwrap()).unwrap(); }
        let hand = |n: &str| std::array::from_fn(|i| card(&g[n][i]));
        let mut setup = Setup::new(rules, hand("hand_a"), hand("hand_b"));
        for c in 0..9 { setup.elements[c] = Element::from_mask(g["cell_elements"][c].as_u64().unwrap() as u8); }
        let before = solver.nodes();
        let t = Instant::now();
        let deal = Deal::new(&setup).unwrap();
        let mut took = 0.0;
        if all {
            let moves = solver.moves(&deal, &deal.start());
            took = t.elapsed().as_secs_f64();
            for m in moves { assert_eq!(u64::from(m.value), g["first_moves"][m.mv.card() as usize][m.mv.cell().index()].as_u64().unwrap()); }
        } else {
            let mut best = f64::MAX;
            for _ in 0..2 {
            let t = Instant::now();
            let v = solver.value(&deal, &deal.start());
            assert_eq!(u64::from(v), g["value"].as_u64().unwrap());
            best = best.min(t.elapsed().as_secs_f64());
            }
            took = best;
        }
        let e = groups.entry(format!("{}", rules)).or_default();
        e.0 += 1; e.1 += took; e.2 = e.2.max(took); e.3 += (solver.nodes() - before) / if all {1} else {2};
    }
    println!("{:?}", solver.by());
    for (k, (n, s, w, nodes)) in groups {
        println!("{k:40} {n:3} mean {:7.2} ms worst {:7.2} nodes {:9} {:6.1} M/s", s / n as f64 * 1e3, w * 1e3, nodes / n as u64, nodes as f64 / s / 1e6);
    }
}
