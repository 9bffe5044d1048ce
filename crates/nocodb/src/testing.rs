//! Internals that the server's tests of whole runs use.

pub use crate::client::{Client, Manner, Parts as ClientParts, Repeat};
pub use crate::failure::Failure;
pub use crate::outputs::read_whole;
pub use crate::run::Run;
pub use crate::texts::texts;
pub use crate::{manner, open};

/// The tables of the external database.
pub mod schema {
    pub use crate::schema::{Holds, all, table};
}
