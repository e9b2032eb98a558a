//! The limits of a question as plain data. The engines get them as a [`Control`].

use engine::Control;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a question may spend. Everything that is left out is not limited.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Limits {
    /// Wall-clock time, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Number of nodes (positions or playouts).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Number of plies to look ahead: of the last iteration of alpha-beta, of the longest line of a tree search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Memory for tables and trees, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u32>,
    /// Number of threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
}

impl Limits {
    /// Only a time limit.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time_ms: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)), ..Self::default() }
    }

    /// Whether time, nodes and depth are all unlimited.
    #[must_use]
    pub fn are_open(&self) -> bool {
        self.time_ms.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// Sets these limits on a control. Its clock, cancel flag and progress callback stay.
    #[must_use]
    pub fn apply<'a>(&self, mut control: Control<'a>) -> Control<'a> {
        if let Some(time) = self.time_ms {
            control = control.time_limit(Duration::from_millis(time));
        }
        if let Some(nodes) = self.nodes {
            control = control.node_limit(nodes);
        }
        if let Some(depth) = self.depth {
            control = control.depth_limit(depth);
        }
        if let Some(mib) = self.memory_mib {
            control = control.memory_limit((mib as usize).saturating_mul(1 << 20));
        }
        control.threads(self.threads.map_or(1, |threads| threads as usize))
    }
}
