//! Every example runs to its end.

#[path = "../examples/cephalopods.rs"]
mod cephalopods;
#[path = "../examples/triad.rs"]
mod triad;
#[path = "../examples/uttt.rs"]
mod uttt;

#[test]
fn every_example_runs() {
    cephalopods::main().unwrap();
    triad::main().unwrap();
    uttt::main().unwrap();
}
