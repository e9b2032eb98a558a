//! The counted kernels, one file for each room that has some.

mod cephalopods;
mod grid;
mod triad;
mod uttt;

use crate::Kernel;

/// One line for each room.
pub const KERNELS: &[&[Kernel]] = &[grid::KERNELS, cephalopods::KERNELS, triad::KERNELS, uttt::KERNELS];
