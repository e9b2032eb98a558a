//! The counted kernels, one file per crate.

mod cephalopods;
mod grid;
mod triad;
mod uttt;

use crate::Kernel;

/// One entry per crate.
pub const KERNELS: &[&[Kernel]] = &[grid::KERNELS, cephalopods::KERNELS, triad::KERNELS, uttt::KERNELS];
