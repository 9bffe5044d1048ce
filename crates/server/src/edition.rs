//! Whom this server is for.

use clap::ValueEnum;
use slovo_db::Connection;

use crate::state::AppState;

/// Whom this server is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Edition {
    /// The public: plans have prices, and a new account has one on trial.
    #[default]
    Service,
    /// The people of an organisation: nothing has a price, and nothing is limited until an
    /// administrator limits it.
    Organisation,
}

/// The edition that holds now: what the process was started with (`--edition`), else the service,
/// which holds until an administrator has answered. This is the one place where plans, trials and
/// the price list ask for it.
///
/// The answer of the administrator is a server setting; what reads it belongs here, on this
/// connection, between the option and the default.
///
/// # Errors
/// When the database fails.
pub async fn edition(state: &AppState, _connection: &mut Connection) -> slovo_db::Result<Edition> {
    Ok(state.config.edition.unwrap_or_default())
}
