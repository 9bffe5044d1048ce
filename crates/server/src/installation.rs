//! Checks that the database, the data folder and the secret belong together.
//!
//! A recording without a row is removed some time after startup (see `uploads::sweep`), and a wrong
//! database has no row for any of them. A database whose recordings are elsewhere makes jobs fail;
//! a server with another secret rejects the tokens of the one beside it. Therefore the database
//! (table `installation`) and the folder (a file of that name) store the same id, the database
//! stores the secret's fingerprint, and a server whose parts do not match does not start.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use slovo_db::core::installation::{self, Installation};
use slovo_db::jobs::{uploads, workers};
use slovo_db::{Connection, Database};

use crate::processes::SILENT_MS;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;
use slovo_platform::storage::Storage;

/// The file in the data folder that contains its id.
pub const FILE: &str = "installation";

/// How long after a database's first start its folder may still lack the id, in milliseconds.
const FIRST_START_MS: i64 = 10_000;

/// Number of recordings of each kind that are checked.
const SAMPLE: u32 = 100;

/// The parts to check.
pub struct Parts<'a> {
    /// The database, with the current schema.
    pub db: &'a Database,
    /// The data folder.
    pub data: &'a Path,
    /// Its recordings.
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
/// Says what does not match and what to do about it.
pub async fn check(parts: Parts<'_>) -> Result<()> {
    let mut transaction = parts.db.write().await?;
    let stored = installation::find(&mut transaction).await?;
    let written = read(parts.data)?;
    let id = match (&stored, &written) {
        (Some(stored), Some(written)) if stored.id == *written => written.clone(),
        _ if parts.adopt => parts.new_id(&mut transaction, stored.as_ref()).await?,
        (Some(_), Some(_)) => bail!(strangers(parts.data)),
        // Another process is making this folder's first start and is about to write the file.
        (Some(stored), None) if parts.is_new(stored)? => stored.id.clone(),
        (Some(stored), None) => {
            parts.may_join(&mut transaction).await?;
            parts.new_id(&mut transaction, Some(stored)).await?
        }
        (None, written) => parts.first(&mut transaction, written.clone()).await?,
    };
    parts.look_for_recordings(&mut transaction).await?;
    let known = stored.and_then(|stored| stored.secret_print);
    parts.know_secret(&mut transaction, known).await?;
    // The database first: if only the file were written, the next start would treat the database as
    // new.
    transaction.commit().await?;
    if written.as_ref() != Some(&id) {
        write(parts.data, &id)?;
    }
    if read(parts.data)?.as_deref() != Some(&*id) {
        bail!(strangers(parts.data));
    }
    Ok(())
}

impl Parts<'_> {
    /// The id for a database without one: the folder's, unless the folder has another database's
    /// recordings.
    async fn first(&self, connection: &mut Connection, written: Option<String>) -> Result<String> {
        let ids = self.storage.ids().await?;
        // Only the folder has an id: the database is new, or older than the folder's last start.
        let fits = ids.is_empty() || (written.is_none() && owns_one(connection, &ids).await?);
        ensure!(fits, strangers(self.data));
        let id = written.unwrap_or_else(|| self.random.uuid());
        Ok(installation::find_or_insert(connection, &id, self.now).await?)
    }

    /// Whether the first start of database and folder is in progress.
    fn is_new(&self, stored: &Installation) -> Result<bool> {
        let age = self.now - stored.created_at;
        let is_empty = fs::read_dir(self.storage.folder())?.next().is_none();
        Ok((0..FIRST_START_MS).contains(&age) && is_empty)
    }

    /// Whether a folder without an id may replace the known one: it has the same recordings, or
    /// there are none and no other process uses the database.
    async fn may_join(&self, connection: &mut Connection) -> Result<()> {
        let ids = self.storage.ids().await?;
        if !ids.is_empty() {
            ensure!(owns_one(connection, &ids).await?, strangers(self.data));
            return Ok(());
        }
        let data = self.data.display();
        let living = workers::list(connection).await?;
        if let Some(other) = living.iter().find(|one| one.seen_at > self.now - SILENT_MS) {
            bail!(
                "another server (process {} on {}) works with this database and another data \
                 folder than {data}. Give both the same folder, or another database to one of \
                 them; if it was killed a moment ago, try again in a minute. Nothing was changed",
                other.pid,
                other.host,
            );
        }
        if !installation::recordings(connection, 1).await?.is_empty() {
            bail!(lacking(self.data));
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
        tracing::warn!(data = %self.data.display(), "this database belongs to this data folder now");
        Ok(id)
    }

    /// Rejects a folder in which most of the newest recordings are missing: its disk is not
    /// mounted, or it is a copy without them. A few missing ones only cause a warning.
    async fn look_for_recordings(&self, connection: &mut Connection) -> Result<()> {
        let known = installation::recordings(connection, SAMPLE).await?;
        let missing = known
            .iter()
            .filter(|id| !self.storage.media(**id).exists())
            .count();
        if missing == 0 {
            return Ok(());
        }
        ensure!(self.adopt || missing * 2 <= known.len(), lacking(self.data));
        tracing::warn!(
            missing,
            looked_for = known.len(),
            "recordings are not in the data folder"
        );
        Ok(())
    }

    /// Rejects a secret that differs from the last one.
    async fn know_secret(&self, connection: &mut Connection, known: Option<String>) -> Result<()> {
        let print = self.secret.print();
        if known.as_ref() == Some(&print) {
            return Ok(());
        }
        ensure!(
            known.is_none() || self.adopt,
            "the secret is another one than at the last start of a server with this database, which \
             would sign everybody out and refuse the tokens of a server beside this one. Give back \
             SLOVO_SECRET or {}/{}; to change it for good, start once with --adopt. Nothing was \
             changed",
            self.data.display(),
            slovo_platform::secret::FILE,
        );
        Ok(installation::set_secret_print(connection, &print).await?)
    }
}

/// Whether the database knows any of these recordings.
async fn owns_one(connection: &mut Connection, ids: &[uuid::Uuid]) -> Result<bool> {
    for id in ids {
        if uploads::is_referenced(connection, *id).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn strangers(data: &Path) -> String {
    let data = data.display();
    format!(
        "this database belongs to another data folder than {data}. Start with the --data and the \
         DATABASE_URL that belong together (without DATABASE_URL the database is \
         {data}/slovo.db). If the database was restored or moved and is the right one, start once \
         with --adopt; if it is meant to be new, move the recordings in {data}/media elsewhere \
         and remove {data}/{FILE}. Nothing was changed"
    )
}

fn lacking(data: &Path) -> String {
    let data = data.display();
    format!(
        "{data} lacks the recordings that this database knows: its disk may not be mounted, or it is \
         another folder. Mount it, or start with the right --data; if the recordings are lost, start \
         once with --adopt. Nothing was changed"
    )
}

fn read(data: &Path) -> Result<Option<String>> {
    let path = data.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|id| !id.is_empty())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Writes the file atomically.
fn write(data: &Path, id: &str) -> Result<()> {
    let path = data.join(FILE);
    let mut file = tempfile::NamedTempFile::new_in(data)
        .with_context(|| format!("cannot write into {}", data.display()))?;
    writeln!(file, "{id}")?;
    file.as_file().sync_all()?;
    file.persist(&path)
        .with_context(|| format!("cannot make {}", path.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::testing::{Backend, SeededRandom, TestServer, apply, each_database, with_server};

    struct Start<'a> {
        server: &'a TestServer,
        seed: u64,
        secret: &'a str,
        adopt: bool,
    }

    impl Start<'_> {
        async fn on(&self, data: &Path) -> Result<()> {
            let storage = Storage::open(data).unwrap();
            check(Parts {
                db: &self.server.state.db,
                data,
                storage: &storage,
                secret: &Secret::given(self.secret).unwrap(),
                random: &SeededRandom::new(self.seed),
                now: self.server.state.clock.now_ms(),
                adopt: self.adopt,
            })
            .await
        }
    }

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn starting(server: &TestServer, seed: u64) -> Start<'_> {
        Start {
            server,
            seed,
            secret: SECRET,
            adopt: false,
        }
    }

    async fn start(server: &TestServer, data: &Path, seed: u64) -> Result<()> {
        starting(server, seed).on(data).await
    }

    async fn known(server: &TestServer) -> Option<String> {
        let mut connection = server.state.db.read().await.unwrap();
        let known = installation::find(&mut connection).await.unwrap();
        known.map(|known| known.id)
    }

    /// A recording that the database knows.
    async fn record(server: &TestServer, id: Uuid, data: &Path) {
        let me = server.signup(&format!("{id}@example.com")).await;
        let upload = uploads::NewUpload {
            id,
            user_id: me.user_id,
            filename: "a.wav".to_owned(),
            content_type: String::new(),
            kind: slovo_rules::upload::UploadKind::File,
            size: Some(1),
            created_at: 0,
            expires_at: i64::MAX,
        };
        server.state.uploads.create(upload).await.unwrap();
        let mut transaction = server.state.db.write().await.unwrap();
        let stored = uploads::set_stored(&mut transaction, id, 1, i64::MAX).await;
        stored.unwrap();
        transaction.commit().await.unwrap();
        fs::write(data.join("media").join(id.to_string()), "x").unwrap();
    }

    #[apply(each_database!)]
    fn both_sides_get_an_id_and_keep_it(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.state.config.data();
            start(&server, data, 1).await.unwrap();
            let id = read(data).unwrap().unwrap();
            start(&server, data, 2).await.unwrap();
            assert_eq!(read(data).unwrap().unwrap(), id);
            assert_eq!(known(&server).await.unwrap(), id);
        });
    }

    #[apply(each_database!)]
    fn an_empty_folder_takes_the_place_of_one_without_recordings_for_good(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.state.config.data();
            start(&server, data, 1).await.unwrap();
            let empty = tempfile::tempdir().unwrap();
            server.clock.advance_seconds(60);
            start(&server, empty.path(), 2).await.unwrap();
            assert_eq!(read(empty.path()).unwrap(), known(&server).await);
            let said = start(&server, data, 3).await.unwrap_err().to_string();
            assert!(said.contains("belongs to another data folder"), "{said}");
        });
    }

    #[apply(each_database!)]
    fn a_second_folder_is_refused_while_somebody_works_with_the_first(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.state.config.data();
            start(&server, data, 1).await.unwrap();
            server.clock.advance_seconds(60);
            let beat = workers::Beat {
                id: "w1",
                host: "first.example.com",
                pid: 7,
                version: "1",
                started_at: 0,
                now: server.state.clock.now_ms(),
            };
            let mut transaction = server.state.db.write().await.unwrap();
            workers::beat(&mut transaction, &beat, 0).await.unwrap();
            transaction.commit().await.unwrap();
            let empty = tempfile::tempdir().unwrap();
            let said = start(&server, empty.path(), 2)
                .await
                .unwrap_err()
                .to_string();
            assert!(said.contains("process 7 on first.example.com"), "{said}");
            assert_eq!(read(empty.path()).unwrap(), None);
            start(&server, data, 3).await.unwrap();
        });
    }

    #[apply(each_database!)]
    fn a_folder_that_lacks_the_known_recordings_is_refused_until_it_is_adopted(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.state.config.data();
            start(&server, data, 1).await.unwrap();
            for n in 1..=3 {
                record(&server, Uuid::from_u128(n), data).await;
            }
            server.clock.advance_seconds(60);
            // Its disk is not mounted: neither the id nor the recordings are there.
            let empty = tempfile::tempdir().unwrap();
            let said = start(&server, empty.path(), 2)
                .await
                .unwrap_err()
                .to_string();
            assert!(said.contains("lacks the recordings"), "{said}");
            // A copy of the folder without its recordings.
            fs::copy(data.join(FILE), empty.path().join(FILE)).unwrap();
            let said = start(&server, empty.path(), 2)
                .await
                .unwrap_err()
                .to_string();
            assert!(said.contains("lacks the recordings"), "{said}");
            // A single missing recording does not prevent the start.
            fs::remove_file(server.state.storage.media(Uuid::from_u128(1))).unwrap();
            start(&server, data, 3).await.unwrap();
            let adopting = Start {
                adopt: true,
                ..starting(&server, 4)
            };
            fs::remove_file(empty.path().join(FILE)).unwrap();
            adopting.on(empty.path()).await.unwrap();
            assert_eq!(read(empty.path()).unwrap(), known(&server).await);
            assert!(start(&server, data, 5).await.is_err());
        });
    }

    #[apply(each_database!)]
    fn another_secret_is_refused_until_it_is_adopted(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.state.config.data();
            start(&server, data, 1).await.unwrap();
            let other = Start {
                secret: "another secret of 32 bytes or more",
                ..starting(&server, 2)
            };
            let said = other.on(data).await.unwrap_err().to_string();
            assert!(said.contains("SLOVO_SECRET"), "{said}");
            assert!(!said.contains("another secret of"), "{said}");
            start(&server, data, 3).await.unwrap();
            let adopting = Start {
                adopt: true,
                ..other
            };
            adopting.on(data).await.unwrap();
            assert!(start(&server, data, 4).await.is_err());
        });
    }

    #[apply(each_database!)]
    fn a_folder_of_another_database_is_refused(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.state.config.data();
            let recording = server.state.storage.media(Uuid::from_u128(1));
            fs::write(&recording, "precious").unwrap();
            let refused = async || {
                let error = start(&server, data, 1).await.unwrap_err().to_string();
                assert!(error.contains("belongs to another data folder"), "{error}");
                assert!(recording.exists());
            };
            // Neither side has an id, and the database knows none of the recordings.
            refused().await;
            // A new database with another one's folder.
            fs::write(data.join(FILE), "another").unwrap();
            refused().await;
            // Two sides with different ids, with or without recordings.
            let mut transaction = server.state.db.write().await.unwrap();
            installation::find_or_insert(&mut transaction, "one", 0)
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            refused().await;
            fs::remove_file(&recording).unwrap();
            assert!(start(&server, data, 1).await.is_err());
        });
    }

    #[apply(each_database!)]
    fn an_upgraded_server_whose_database_knows_its_recordings_goes_on(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.state.config.data();
            let known = Uuid::from_u128(2);
            record(&server, known, data).await;
            for id in [known, Uuid::from_u128(1)] {
                fs::write(server.state.storage.media(id), "x").unwrap();
            }
            start(&server, data, 1).await.unwrap();
            assert!(read(data).unwrap().is_some());
        });
    }
}
