//! Checks a certificate. The checker shares no code with the solver.

use crate::analysis::Letter;
use crate::fault::{Fault, FaultKind};
use engine::uttt::{Rules, certificate};
use engine::{Certainty, Control, Error, Outcome};
use oracle::{uttt as naive, uttt_proof};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a checked proof shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct VerifyAnswer {
    /// The position.
    pub position: String,
    /// The name of the rule.
    pub rule: String,
    /// The result with best play, for the side to move.
    pub outcome: Outcome,
    /// How sure that is: `certified`.
    pub certainty: Certainty,
    /// Number of positions that were checked.
    pub positions: u64,
    /// As in edition 0.1: `W`, `D` or `L` for the side to move.
    pub value: Letter,
    /// As in edition 0.1: always true. A proof that fails is a fault.
    pub verified: bool,
}

/// Checks the body of a certificate.
///
/// # Errors
/// If it does not prove its claim, or the control stops the check.
pub fn verify(body: &[u8], control: &Control<'_>) -> Result<VerifyAnswer, Fault> {
    let fault = |reason: String| Fault {
        kind: FaultKind::File,
        field: String::new(),
        message: format!("not a valid proof: {reason}"),
    };
    let mut meter = control.meter();
    let mut counted = 0;
    let mut go_on = |positions: u64| {
        let more = positions - counted;
        counted = positions;
        meter.count_to(more) == more
    };
    let verified = uttt_proof::verify_while(body, &mut go_on);
    let stopped = meter.stopped_by();
    let verified = verified.map_err(|refusal| match stopped {
        Some(stop) => Error::from(stop).into(),
        None => fault(refusal.to_string()),
    })?;
    let rules = match verified.rule {
        naive::Rule::Standard => Rules::Standard,
        naive::Rule::CodinGame => Rules::CodinGame,
        naive::Rule::Open => Rules::Open,
    };
    let outcome = Outcome::of(verified.value);
    Ok(VerifyAnswer {
        position: verified.position,
        rule: rules.name().to_owned(),
        outcome,
        certainty: Certainty::Certified,
        positions: verified.positions,
        value: outcome.into(),
        verified: true,
    })
}

/// Checks a certificate file by its bytes; `path` is its name in messages.
///
/// # Errors
/// If the file is damaged or does not prove its claim, or the control stops the check.
pub fn verify_sealed(path: &Path, bytes: &[u8], control: &Control<'_>) -> Result<VerifyAnswer, Fault> {
    verify(certificate::open(path, bytes)?, control)
        .map_err(|fault| Fault { message: format!("{}: {fault}", path.display()), ..fault })
}
