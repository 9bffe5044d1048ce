//! Checks that the database, the data folder and the secret belong together.
//!
//! A recording without a row is removed some time after startup (see `uploads::sweep`), and a wrong
//! database has no row for any of them. A database whose recordings are elsewhere makes jobs fail;
//! a server with another secret rejects the tokens of the one beside it. Therefore the database
//! (table `installation`) and the folder (a file of that name) store the same id, the database
//! stores the secret's fingerprint, and a server whose parts do not match does not start.

use anyhow::{Context, Result, bail, ensure};
use futures_util::{StreamExt, TryStreamExt};
use slovo_db::core::installation::{self, Installation};
use slovo_db::jobs::{uploads, workers};
use slovo_db::{Connection, Database};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;
use slovo_storage::Storage;
use slovo_work::processes::is_living;
use uuid::Uuid;

/// The file in the data folder that contains its id.
pub const FILE: &str = "installation";

/// How long after a database's first start its folder may still lack the id, in milliseconds.
const FIRST_START_MS: i64 = 10_000;

/// How much the clocks of two machines may differ, in milliseconds: a lease is valid for six times as
/// long.
const MAX_CLOCK_DIFFERENCE_MS: i64 = 5_000;

/// Number of recordings of each kind that are checked.
const SAMPLE: u32 = 100;

/// Number of them that are looked for at once.
const CONCURRENT: usize = 16;

/// The parts to check.
pub struct Parts<'a> {
    /// The database, with the current schema.
    pub db: &'a Database,
    /// The recordings.
    pub storage: &'a Storage,
    /// The server's secret.
    pub secret: &'a Secret,
    /// Random source for a new id.
    pub random: &'a dyn Random,
    /// Unix milliseconds.
    pub now: i64,
    /// Whether the administrator confirms that folder and secret are the right ones; they then
    /// replace those that the database knows.
    pub adopt: bool,
}

/// Checks that database, folder and secret belong together. A side without an id (on the first
/// start, or after an upgrade) gets one, unless the recordings show that it is the wrong one.
///
/// # Errors
/// The message says what does not match and what to do about it.
pub async fn check(parts: Parts<'_>) -> Result<()> {
    let mut transaction = parts.db.write().await?;
    let stored = installation::find(&mut transaction).await?;
    let written = parts
        .storage
        .mark()
        .await
        .with_context(|| parts.cannot("read"))?;
    let written = written.filter(|id| !id.is_empty());
    let id = match (&stored, &written) {
        (Some(stored), Some(written)) if stored.id == *written => written.clone(),
        _ if parts.adopt => parts.new_id(&mut transaction, stored.as_ref()).await?,
        (Some(_), Some(_)) => bail!(other_folder_message(parts.storage)),
        // Another process is making this folder's first start and is about to write the file.
        (Some(stored), None) if parts.is_new(stored).await? => stored.id.clone(),
        (Some(stored), None) => {
            parts.may_join(&mut transaction).await?;
            parts.new_id(&mut transaction, Some(stored)).await?
        }
        (None, written) => parts.first(&mut transaction, written.clone()).await?,
    };
    parts.check_recordings(&mut transaction).await?;
    let secret_print = stored.and_then(|stored| stored.secret_print);
    parts.check_secret(&mut transaction, secret_print).await?;
    // The database first: if only the file were written, the next start would treat the database as
    // new.
    transaction.commit().await?;
    if written.as_ref() != Some(&id) {
        let marked = parts.storage.set_mark(&id).await;
        marked.with_context(|| parts.cannot("write"))?;
    }
    let written = parts.storage.mark().await;
    if written.with_context(|| parts.cannot("read"))?.as_ref() != Some(&id) {
        bail!(other_folder_message(parts.storage));
    }
    Ok(())
}

impl Parts<'_> {
    /// The id for a database without one: the folder's, unless the folder has another database's
    /// recordings.
    async fn first(&self, connection: &mut Connection, written: Option<String>) -> Result<String> {
        let ids = self.ids().await?;
        // Only the folder has an id: the database is new, or older than the folder's last start.
        let folder_fits =
            ids.is_empty() || (written.is_none() && knows_any(connection, &ids).await?);
        ensure!(folder_fits, other_folder_message(self.storage));
        let id = written.unwrap_or_else(|| self.random.uuid());
        Ok(installation::find_or_insert(connection, &id, self.now).await?)
    }

    /// Whether the first start of database and folder is in progress.
    async fn is_new(&self, stored: &Installation) -> Result<bool> {
        let age = self.now - stored.created_at;
        Ok((0..FIRST_START_MS).contains(&age) && self.ids().await?.is_empty())
    }

    async fn ids(&self) -> Result<Vec<Uuid>> {
        let files = self.storage.files().await;
        let files = files.with_context(|| self.cannot("list"))?;
        Ok(files.iter().map(|file| file.id).collect())
    }

    fn cannot(&self, what: &str) -> String {
        format!("cannot {what} in {}", self.storage.name())
    }

    /// Whether a folder without an id may replace the known one: it has the same recordings, or
    /// there are none and no other process uses the database.
    async fn may_join(&self, connection: &mut Connection) -> Result<()> {
        let ids = self.ids().await?;
        if !ids.is_empty() {
            ensure!(
                knows_any(connection, &ids).await?,
                other_folder_message(self.storage)
            );
            return Ok(());
        }
        let data = self.storage.name();
        let living = workers::list(connection).await?;
        if let Some(other) = living.iter().find(|worker| is_living(worker, self.now)) {
            bail!(
                "another server (process {} on {}) works with this database and another data \
                 folder than {data}. Give both the same folder, or another database to one of \
                 them; if it was killed a moment ago, try again in a minute. Nothing was changed",
                other.pid,
                other.host,
            );
        }
        if !installation::recordings(connection, 1).await?.is_empty() {
            bail!(missing_recordings_message(self.storage));
        }
        Ok(())
    }

    /// Gives the database a new id, so that its former folder no longer matches.
    async fn new_id(
        &self,
        connection: &mut Connection,
        stored: Option<&Installation>,
    ) -> Result<String> {
        let id = self.random.uuid();
        if stored.is_none() {
            return Ok(installation::find_or_insert(connection, &id, self.now).await?);
        }
        installation::set_id(connection, &id).await?;
        tracing::warn!(
            data = self.storage.name(),
            "this database belongs to this data folder now"
        );
        Ok(id)
    }

    /// Rejects a folder in which most of the newest recordings are missing: its disk is not
    /// mounted, or it is a copy without them. A few missing ones only cause a warning.
    async fn check_recordings(&self, connection: &mut Connection) -> Result<()> {
        let recordings = installation::recordings(connection, SAMPLE).await?;
        let looks = recordings.iter().map(|id| self.storage.has_any(*id));
        let found: Vec<_> = futures_util::stream::iter(looks)
            .buffered(CONCURRENT)
            .try_collect()
            .await
            .with_context(|| self.cannot("look for recordings"))?;
        let missing = found.iter().filter(|is_there| !**is_there).count();
        if missing == 0 {
            return Ok(());
        }
        ensure!(
            self.adopt || missing * 2 <= recordings.len(),
            missing_recordings_message(self.storage)
        );
        tracing::warn!(
            missing,
            looked_for = recordings.len(),
            "recordings are not in the data folder"
        );
        Ok(())
    }

    /// Rejects a secret that differs from the last one.
    async fn check_secret(
        &self,
        connection: &mut Connection,
        stored_print: Option<String>,
    ) -> Result<()> {
        let print = self.secret.print();
        if stored_print.as_ref() == Some(&print) {
            return Ok(());
        }
        ensure!(
            stored_print.is_none() || self.adopt,
            "the secret is another one than at the last start of a server with this database, which \
             would sign everybody out and refuse the tokens of a server beside this one. Give back \
             SLOVO_SECRET or the file {} in the data folder; to change it for good, start once with \
             --adopt. Nothing was changed",
            slovo_platform::secret::FILE,
        );
        Ok(installation::set_secret_print(connection, &print).await?)
    }
}

/// Rejects a machine whose clock differs from that of a database on another one: leases and limits are
/// times that all machines compare.
///
/// # Errors
/// The message says by how much.
pub async fn check_clock(db: &Database, clock: &dyn Clock) -> Result<()> {
    let before = clock.now_ms();
    let mut connection = db.read().await?;
    let database = installation::time_of_database(&mut connection, db.backend()).await?;
    let after = clock.now_ms();
    match database {
        Some(database) => compare_clocks(database, before, after),
        // It is a file of this machine.
        None => Ok(()),
    }
}

/// Compares the time of the database, in Unix milliseconds, with those of this machine before and
/// after it was asked.
fn compare_clocks(database: i64, before: i64, after: i64) -> Result<()> {
    let difference = (before - database).max(database - after);
    ensure!(
        difference <= MAX_CLOCK_DIFFERENCE_MS,
        "the clocks of this machine and of the database differ by {} seconds; correct the one that \
         is wrong, for example with chrony. Nothing was changed",
        difference / 1000
    );
    Ok(())
}

/// Whether the database knows any of these recordings.
async fn knows_any(connection: &mut Connection, ids: &[Uuid]) -> Result<bool> {
    for id in ids {
        if uploads::is_referenced(connection, *id).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn other_folder_message(storage: &Storage) -> String {
    let data = storage.name();
    if storage.is_shared() {
        return format!(
            "this database belongs to another storage than {data}. Start with the SLOVO_STORAGE and \
             the DATABASE_URL that belong together. If the database was restored or moved and is \
             the right one, start once with --adopt; if it is meant to be new, give it another \
             prefix. Nothing was changed"
        );
    }
    format!(
        "this database belongs to another data folder than {data}. Start with the --data and the \
         DATABASE_URL that belong together (without DATABASE_URL the database is \
         {data}/slovo.db). If the database was restored or moved and is the right one, start once \
         with --adopt; if it is meant to be new, move the recordings in {data}/media elsewhere \
         and remove {data}/{FILE}. Nothing was changed"
    )
}

fn missing_recordings_message(storage: &Storage) -> String {
    let data = storage.name();
    if storage.is_shared() {
        return format!(
            "{data} lacks the recordings that this database knows: it may be another bucket or \
             prefix, or they are still in a data folder. Start with the right SLOVO_STORAGE; if the \
             recordings are lost, start once with --adopt. Nothing was changed"
        );
    }
    format!(
        "{data} lacks the recordings that this database knows: its disk may not be mounted, or it is \
         another folder. Mount it, or start with the right --data; if the recordings are lost, start \
         once with --adopt. Nothing was changed"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_that_differ_are_refused() {
        for (database, fits) in [
            (100_000, true),
            (95_000, true),
            (106_000, true),
            (94_999, false),
            (106_001, false),
            (0, false),
        ] {
            // It took a second to ask.
            let compared = compare_clocks(database, 100_000, 101_000);
            assert_eq!(compared.is_ok(), fits, "{database}");
        }
        let message = compare_clocks(3_700_000, 100_000, 100_000).unwrap_err();
        assert!(message.to_string().contains("differ by 3600 seconds"));
    }
}
