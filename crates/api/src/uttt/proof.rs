//! Checks a certificate. The checker shares no code with the solver.

use super::text;
use crate::analysis::Letter;
use crate::fault::{Fault, FaultKind};
#[cfg(feature = "files")]
use engine::uttt::certificate;
use engine::uttt::{Accept, Rules};
use engine::{Certainty, Outcome};
use oracle::{uttt as naive, uttt_proof};
use serde::{Deserialize, Serialize};
#[cfg(feature = "files")]
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
/// If it does not prove its claim.
pub fn verify(body: &[u8]) -> Result<VerifyAnswer, Fault> {
    let fault = |reason: String| Fault {
        kind: FaultKind::File,
        field: String::new(),
        message: format!("not a valid proof: {reason}"),
    };
    let verified = uttt_proof::verify(body).map_err(|refusal| fault(refusal.to_string()))?;
    let rules = match verified.rule {
        naive::Rule::Standard => Rules::Standard,
        naive::Rule::CodinGame => Rules::CodinGame,
        naive::Rule::Open => Rules::Open,
    };
    // Parsed and written again, because the file may have any bytes between the fields of the position.
    let position = rules.read(&verified.position, Accept::Playable).map_err(|error| fault(error.to_string()))?;
    let outcome = Outcome::of(verified.value);
    Ok(VerifyAnswer {
        position: text(&position),
        rule: rules.name().to_owned(),
        outcome,
        certainty: Certainty::Certified,
        positions: verified.positions,
        value: outcome.into(),
        verified: true,
    })
}

#[cfg(feature = "files")]
/// Checks a certificate file.
///
/// # Errors
/// If the file is missing or damaged, or does not prove its claim.
pub fn verify_file(path: &Path) -> Result<VerifyAnswer, Fault> {
    verify(&certificate::read(path)?)
        .map_err(|fault| Fault { message: format!("{}: {fault}", path.display()), ..fault })
}
