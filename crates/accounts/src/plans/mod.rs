//! Plans: those of a new server, what is on trial, and the edition that decides whether plans are
//! sold at all.

pub mod edition;
pub mod first_plans;
pub mod terms;
pub mod trials;

use std::sync::Arc;

use slovo_db::Database;
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use tokio_util::sync::CancellationToken;

use edition::Edition;

/// The dependencies of plans and trials. Clones share all of them.
#[derive(Clone)]
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for new ids.
    pub random: Arc<dyn Random>,
    /// The configured edition, which an administrator can override.
    pub edition: Option<Edition>,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
}
