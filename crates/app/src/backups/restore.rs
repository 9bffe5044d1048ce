//! Restores a backup while the server is stopped.
//!
//! First everything is brought back beside the present state: the rows into another file or schema,
//! compared row by row with what was stored and migrated to this version, the recordings into the
//! storage, where they replace nothing. Only then the new state takes the place of the present one,
//! which is kept.

use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use slovo_backup::restore::{Files, switch};
use slovo_backup::{Identities, Opened, Place};
use slovo_db::core::installation;
use slovo_db::jobs::workers;
use slovo_db::transfer::{self, schemas};
use slovo_db::{Backend, Database, Options};
use slovo_platform::clock::{Clock, SystemClock};
use slovo_platform::secret;
use slovo_storage::{Storage, make_folder};
use slovo_work::processes::is_living;

use crate::config;

/// Where to restore to.
pub struct Target<'a> {
    /// The data folder and the database.
    pub storage: &'a config::Storage,
    /// The recordings.
    pub recordings: &'a Storage,
    /// Whether the secret comes from the configuration instead of the data folder.
    pub has_own_secret: bool,
    /// Whether a server that has accounts is replaced.
    pub replace: bool,
}

/// What was restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The backup's name.
    pub name: String,
    /// When it was made, Unix milliseconds.
    pub created_at: i64,
    /// Rows, each compared with what was stored.
    pub rows: u64,
    /// Recordings and pictures.
    pub files: Files,
    /// Recordings that rows name and that are not in the storage.
    pub missing: usize,
    /// Names of the models that the server had.
    pub models: Vec<String>,
    /// Where the state before is kept, if there was one.
    pub former: Option<String>,
}

/// Restores the backup of this name, or the `latest`.
///
/// # Errors
/// The message says what is wrong. Nothing was changed then but recordings that were added.
pub async fn restore(
    target: &Target<'_>,
    place: &Place,
    name: &str,
    identities: &Identities,
) -> Result<Restored> {
    let data = target.storage.data.as_path();
    switch::finish(data)?;
    let opened = Opened::open(place, name, identities).await?;
    let present = Present::look(target.storage).await?;
    present.check(target)?;
    let scratch = Scratch::prepare(target.storage, &present).await?;
    let restored = fill(target, &opened, &scratch, data).await;
    scratch.db.close().await;
    let (rows, files, missing, id) = match restored {
        Ok(restored) => restored,
        Err(error) => {
            scratch.remove(target.storage).await;
            return Err(error);
        }
    };
    let former = exchange(target.storage, &present, switch::SCRATCH, switch::SCHEMA).await?;
    target.recordings.set_mark(&id).await?;
    Ok(Restored {
        name: opened.name.clone(),
        created_at: opened.manifest.created_at,
        rows,
        files,
        missing,
        models: opened.manifest.models.clone(),
        former: present.exists.then_some(former),
    })
}

/// Puts the state before the last restore back; returns where the present one is kept.
///
/// # Errors
/// When there is none, or it cannot be put back.
pub async fn undo(storage: &config::Storage, recordings: &Storage) -> Result<String> {
    let data = storage.data.as_path();
    switch::finish(data)?;
    let present = Present::look(storage).await?;
    present.check_alone(storage).await?;
    let folder = switch::former_folder(data)?;
    let schema = match storage.database_url {
        None => None,
        Some(_) => {
            let db = Database::connect(&storage.database()).await?;
            let former = switch::former_schema(&db).await?;
            db.close().await;
            former
        }
    };
    match (&folder, &schema, present.backend) {
        (None, _, Backend::Sqlite) | (_, None, Backend::Postgres) => {
            bail!("there is no state before a restore to go back to")
        }
        _ => {}
    }
    let none = String::new();
    let (folder, schema) = (folder.unwrap_or(none.clone()), schema.unwrap_or(none));
    let former = exchange(storage, &present, &folder, &schema).await?;
    // The backup may have been that of another server.
    let db = Database::connect(&storage.database()).await?;
    let installation = installation::find(&mut *db.read().await?).await?;
    db.close().await;
    if let Some(installation) = installation {
        recordings.set_mark(&installation.id).await?;
    }
    Ok(former)
}

/// The state that is there.
struct Present {
    backend: Backend,
    /// Whether it has a database with tables.
    exists: bool,
    accounts: u64,
    /// Why it cannot be read.
    damage: Option<String>,
    /// A server that works with it.
    server: Option<String>,
}

impl Present {
    async fn look(storage: &config::Storage) -> Result<Self> {
        let none = Self {
            backend: match storage.database_url {
                None => Backend::Sqlite,
                Some(_) => Backend::Postgres,
            },
            exists: false,
            accounts: 0,
            damage: None,
            server: None,
        };
        let file = storage.data.join("slovo.db");
        if none.backend == Backend::Sqlite && !file.is_file() {
            return Ok(none);
        }
        let is_file = none.backend == Backend::Sqlite;
        let present = Self::read(storage, none).await;
        match present {
            // What cannot be read is what is to be replaced.
            Err(error @ slovo_db::Error::Database(_)) if is_file => Ok(Self {
                backend: Backend::Sqlite,
                exists: true,
                accounts: 0,
                damage: Some(error.to_string()),
                server: None,
            }),
            present => Ok(present?),
        }
    }

    async fn read(storage: &config::Storage, none: Self) -> slovo_db::Result<Self> {
        let db = Database::connect(&storage.database()).await?;
        let tables = db.tables().await?;
        let has = |name: &str| tables.iter().any(|table| table.name == name);
        let mut present = Self {
            exists: !tables.is_empty(),
            ..none
        };
        let mut connection = db.read().await?;
        if has("accounts") {
            present.accounts = transfer::count(&mut connection, "accounts").await?;
        }
        if has("workers") {
            let now = SystemClock.now_ms();
            let workers = workers::list(&mut connection).await?;
            let mut living = workers.iter().filter(|worker| is_living(worker, now));
            present.server = living
                .next()
                .map(|worker| format!("process {} on {}", worker.pid, worker.host));
        }
        drop(connection);
        db.close().await;
        Ok(present)
    }

    fn check(&self, target: &Target<'_>) -> Result<()> {
        if let Some(server) = &self.server {
            bail!(
                "a server ({server}) works with this database. Stop it first; if it was killed a moment \
                 ago, try again in a minute. Nothing was changed"
            );
        }
        if let Some(damage) = self.damage.as_ref().filter(|_| !target.replace) {
            bail!(
                "there is a database here that cannot be read ({damage}). To put the backup in its \
                 place, add --replace; the file is kept. Nothing was changed"
            );
        }
        ensure!(
            self.accounts == 0 || target.replace,
            "there is a server with {} accounts here. To put the backup in its place, add --replace; the \
             present state is kept. Nothing was changed",
            self.accounts
        );
        Ok(())
    }

    /// Refuses while another program has the database open.
    async fn check_alone(&self, storage: &config::Storage) -> Result<()> {
        if self.damage.is_some() {
            return Ok(());
        }
        if self.exists && transfer::is_in_use(&storage.database()).await? {
            bail!(
                "another program has the database open, probably the server. Stop it first. Nothing was \
                 changed"
            );
        }
        Ok(())
    }
}

/// The database in which the restore is prepared.
struct Scratch {
    db: Database,
}

impl Scratch {
    async fn prepare(storage: &config::Storage, present: &Present) -> Result<Self> {
        present.check_alone(storage).await?;
        let folder = storage.data.join(switch::SCRATCH);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)
                .with_context(|| format!("{} cannot be removed", folder.display()))?;
        }
        make_folder(&folder)?;
        let options = match present.backend {
            Backend::Sqlite => Options::file(&folder.join("slovo.db")),
            Backend::Postgres => {
                let db = Database::connect(&storage.database()).await?;
                let mut transaction = db.write().await?;
                schemas::create(&mut transaction, switch::SCHEMA).await?;
                transaction.commit().await?;
                db.close().await;
                storage.database().in_schema(switch::SCHEMA)
            }
        };
        let db = Database::connect(&options).await?;
        Ok(Self { db })
    }

    /// After a failure; what stays is removed by the next restore.
    async fn remove(&self, storage: &config::Storage) {
        std::fs::remove_dir_all(storage.data.join(switch::SCRATCH)).ok();
        if self.db.backend() == Backend::Postgres
            && let Ok(db) = Database::connect(&storage.database()).await
        {
            if let Ok(mut transaction) = db.write().await
                && schemas::remove(&mut transaction, switch::SCHEMA)
                    .await
                    .is_ok()
            {
                transaction.commit().await.ok();
            }
            db.close().await;
        }
    }
}

/// Fills the scratch database and the storage; returns the rows, the files, the recordings that are
/// missing, and the installation's id.
async fn fill(
    target: &Target<'_>,
    opened: &Opened<'_>,
    scratch: &Scratch,
    data: &Path,
) -> Result<(u64, Files, usize, String)> {
    let rows = opened.fill(&scratch.db).await?;
    scratch
        .db
        .migrate()
        .await
        .context("the restored database cannot be migrated")?;
    let mut transaction = scratch.db.write().await?;
    workers::delete_all(&mut transaction).await?;
    transaction.commit().await?;
    let files = opened.put_files(target.recordings).await?;
    if let Some(secret) = opened
        .manifest
        .secret
        .as_ref()
        .filter(|_| !target.has_own_secret)
    {
        let file = data.join(switch::SCRATCH).join(secret::FILE);
        write_private(&file, &hex::decode(secret)?)?;
    }
    let mut connection = scratch.db.read().await?;
    let id = installation::find(&mut connection).await?;
    let id = id
        .context("the backup is of no server that was ever started")?
        .id;
    let mut missing = 0;
    for recording in installation::recordings(&mut connection, u32::MAX).await? {
        if !target.recordings.has_any(recording).await? {
            missing += 1;
        }
    }
    Ok((rows, files, missing, id))
}

fn write_private(file: &Path, content: &[u8]) -> Result<()> {
    let mut written = std::fs::File::create(file)?;
    written.set_permissions(Permissions::from_mode(0o600))?;
    written.write_all(content)?;
    Ok(written.sync_all()?)
}

/// Puts what is in the folder and in the schema in place; returns where the former state is kept.
async fn exchange(
    storage: &config::Storage,
    present: &Present,
    folder: &str,
    schema: &str,
) -> Result<String> {
    present.check_alone(storage).await?;
    let data = storage.data.as_path();
    let time = SystemClock.now().strftime("%Y%m%dT%H%M%SZ").to_string();
    if present.backend == Backend::Sqlite {
        let former = switch::files(data, folder, &time)?;
        return Ok(data.join(former).display().to_string());
    }
    let db = Database::connect(&storage.database()).await?;
    let former = switch::schema(&db, schema, &time).await?;
    db.close().await;
    // The secret, if the backup has one.
    let has_file =
        std::fs::read_dir(data.join(folder)).is_ok_and(|mut files| files.next().is_some());
    if !folder.is_empty() && has_file {
        switch::files(data, folder, &time)?;
    }
    Ok(format!("the schema {former}"))
}
