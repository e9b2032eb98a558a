//! A network by its name on the command line.

use api::uttt::Network;
use learn::LearnError;
use std::path::Path;
use std::sync::Arc;

/// The name of the network that comes with the program.
pub(crate) const BUILT_IN: &str = "built-in";

/// The network that comes with the program, or that of a file.
pub(crate) fn named(name: &str) -> Result<Arc<Network>, LearnError> {
    if name == BUILT_IN { Ok(learn::network::built_in()) } else { learn::network::read(Path::new(name)) }
}
