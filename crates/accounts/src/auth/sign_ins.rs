//! Records sign-ins and failed attempts, visible to administrators only. Responses reveal nothing
//! more than before, and passwords are never recorded.

use slovo_db::Connection;
use slovo_db::accounts::Account;
use slovo_db::accounts::sign_ins::{self, SignIn};
use slovo_rules::sign_in::{SignInMethod, SignInOutcome};

use super::limits::network;
use super::{Origin, Parts};

/// A failed sign-in.
#[derive(Debug)]
pub struct Failure<'a> {
    /// Normalised; empty if unknown.
    pub email: &'a str,
    /// The account, if known.
    pub account_id: Option<String>,
    /// The method.
    pub method: SignInMethod,
    /// The reason.
    pub outcome: SignInOutcome,
}

/// Records a sign-in, in the transaction that begins the session.
///
/// # Errors
/// If the database fails.
pub async fn succeeded(
    parts: Parts<'_>,
    connection: &mut Connection,
    origin: &Origin,
    account: &Account,
    method: SignInMethod,
) -> anyhow::Result<()> {
    let failure = Failure {
        email: &account.email,
        account_id: Some(account.id.clone()),
        method,
        outcome: SignInOutcome::SignedIn,
    };
    sign_ins::record(connection, &row(parts, origin, failure)?).await?;
    Ok(())
}

/// Counts a failed attempt. An error while storing it does not change the response.
pub async fn failed(parts: Parts<'_>, origin: &Origin, failure: Failure<'_>) {
    // Rate-limited requests cost the client nothing, so they must cost the database almost nothing.
    if failure.outcome == SignInOutcome::Limited && parts.limits.note(origin.address).is_err() {
        return;
    }
    if let Err(error) = store(parts, origin, failure).await {
        let error = format!("{error:#}");
        tracing::warn!(error, "a failed sign-in could not be recorded");
    }
}

async fn store(parts: Parts<'_>, origin: &Origin, failure: Failure<'_>) -> anyhow::Result<()> {
    let row = row(parts, origin, failure)?;
    let network = network(origin.address).to_string();
    let mut transaction = parts.db.write().await?;
    sign_ins::record_failure(&mut transaction, &row, &network).await?;
    transaction.commit().await?;
    Ok(())
}

fn row(parts: Parts<'_>, origin: &Origin, failure: Failure<'_>) -> anyhow::Result<SignIn> {
    let now = parts.clock.now_ms();
    let device = origin.device.clone();
    Ok(SignIn {
        id: parts.new_id().parse()?,
        account_id: failure.account_id,
        email: failure.email.to_owned(),
        address: device.address.unwrap_or_default(),
        user_agent: device.user_agent.unwrap_or_default(),
        method: failure.method,
        outcome: failure.outcome,
        times: 1,
        created_at: now,
        last_at: now,
    })
}
