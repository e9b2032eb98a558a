//! stub
use crate::*;
/// s
pub struct Session;
impl Session { /// s
 pub fn new(_: grid::simd::Isa) -> Self { Self } }
impl crate::Session for Session {
 fn game(&self) -> GameName { todo!() } fn settings(&self) -> Vec<Setting> { todo!() } fn base(&self) -> &Options { todo!() }
 fn set_base(&mut self, _: &Options) -> Result<(), Fault> { todo!() }
 fn play(&mut self, _: &PositionQuestion) -> Result<PlayAnswer, Fault> { todo!() }
 fn analyse(&mut self, _: &AnalyseQuestion, _: &Control<'_>) -> Result<Analysis, Fault> { todo!() }
 fn solve(&mut self, _: &SolveQuestion, _: &Control<'_>) -> Result<Analysis, Fault> { todo!() }
 fn perft(&mut self, _: &PerftQuestion, _: &Control<'_>) -> Result<PerftAnswer, Fault> { todo!() }
}
