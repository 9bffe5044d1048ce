//! Whether the database and the data folder belong together.
//!
//! A recording without a row is removed some time after the start (see `uploads::sweep`), and a
//! wrong database has a row for none of them. Therefore both sides keep one id, the database in
//! its table `installation` and the folder in its file of that name, and a server whose sides do
//! not match does not start.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use slovo_db::{Connection, Database, installation, uploads};

use crate::random::Random;
use crate::storage::Storage;

/// The file of the data folder that has its id.
pub const FILE: &str = "installation";

/// Checks that the database belongs to the folder `data`. A side that has no id yet (at the first
/// start, or after an upgrade) gets one, unless the recordings say that it is the wrong one.
///
/// # Errors
/// Says what does not match and what to do about it.
pub async fn check(
    db: &Database,
    data: &Path,
    storage: &Storage,
    random: &dyn Random,
    now: i64,
) -> Result<()> {
    let written = read(data)?;
    let mut transaction = db.write().await?;
    let stored = installation::find(&mut transaction).await?;
    if stored.is_none() || written.is_none() {
        let ids = storage.ids().await?;
        // An id in the folder alone: the database is new, or older than the folder's last start.
        let fits =
            ids.is_empty() || (written.is_none() && owns_one(&mut transaction, &ids).await?);
        if !fits {
            bail!(strangers(data));
        }
    }
    let id = written.clone().unwrap_or_else(|| random.uuid());
    let id = installation::find_or_insert(&mut transaction, &id, now).await?;
    // First here: were the file alone written, the next start would take the database for new.
    transaction.commit().await?;
    if written.is_none() {
        write(data, &id)?;
    }
    if read(data)?.as_deref() != Some(&*id) {
        bail!(strangers(data));
    }
    Ok(())
}

/// Whether any of these recordings is known to the database.
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
         {data}/slovo.db). If the database was restored or moved and is the right one, remove \
         {data}/{FILE}; if it is meant to be new, move the recordings in {data}/media elsewhere \
         and remove {data}/{FILE}. Nothing was changed"
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

/// Whole or not at all, and never over one that another process has just made.
fn write(data: &Path, id: &str) -> Result<()> {
    let path = data.join(FILE);
    let mut file = tempfile::NamedTempFile::new_in(data)
        .with_context(|| format!("cannot write into {}", data.display()))?;
    writeln!(file, "{id}")?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(&path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => {
            Err(error.error).with_context(|| format!("cannot make {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::testing::{Backend, SeededRandom, TestServer, apply, each_database, with_server};

    async fn start(server: &TestServer, data: &Path, seed: u64) -> Result<()> {
        let storage = Storage::open(data).unwrap();
        check(
            &server.state.db,
            data,
            &storage,
            &SeededRandom::new(seed),
            0,
        )
        .await
    }

    #[apply(each_database!)]
    fn both_sides_get_an_id_and_keep_it(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.state.config.data();
            start(&server, data, 1).await.unwrap();
            let id = read(data).unwrap().unwrap();
            start(&server, data, 2).await.unwrap();
            assert_eq!(read(data).unwrap().unwrap(), id);
            let stored = installation::find(&mut server.state.db.read().await.unwrap()).await;
            assert_eq!(stored.unwrap().unwrap(), id);
            // An empty folder of the same database joins it.
            let empty = tempfile::tempdir().unwrap();
            start(&server, empty.path(), 3).await.unwrap();
            assert_eq!(read(empty.path()).unwrap().unwrap(), id);
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
            // A new database with the folder of another one.
            fs::write(data.join(FILE), "another").unwrap();
            refused().await;
            // Two sides with ids of their own, recordings or not.
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
            let me = server.signup("a@example.com").await;
            let known = Uuid::from_u128(2);
            let upload = uploads::NewUpload {
                id: known,
                user_id: me.user_id,
                filename: "a.wav".to_owned(),
                content_type: String::new(),
                kind: slovo_rules::upload::UploadKind::File,
                size: Some(1),
                created_at: 0,
                expires_at: i64::MAX,
            };
            server.state.uploads.create(upload).await.unwrap();
            for id in [known, Uuid::from_u128(1)] {
                fs::write(server.state.storage.media(id), "x").unwrap();
            }
            let data = server.state.config.data();
            start(&server, data, 1).await.unwrap();
            assert!(read(data).unwrap().is_some());
        });
    }
}
