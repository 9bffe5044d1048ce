//! Internals that the server's tests of whole runs use.

pub use crate::client::{Client, ClientLimits, Parts as ClientParts, Repeat};
pub use crate::failure::Failure;
pub use crate::outputs::read_whole;
pub use crate::run::Run;
pub use crate::texts::texts;
pub use crate::{client_limits, open};

/// The tables of the external database.
pub mod schema {
    pub use crate::schema::{FieldType, all, table};
}
