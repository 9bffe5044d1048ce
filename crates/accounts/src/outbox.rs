//! The dependencies of everything that sends stored mails.

use std::sync::Arc;

use slovo_db::Database;
use slovo_mail::Mailer;
use slovo_platform::clock::Clock;
use slovo_platform::public_url::PublicUrl;
use tokio_util::sync::CancellationToken;

/// The dependencies of an outbox. Clones share all of them.
#[derive(Clone)]
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Sends the mails.
    pub mail: Mailer,
    /// The beginning of links in mails.
    pub public_url: PublicUrl,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
}
