//! Puts what was restored in the place of what is there, with a way back.
//!
//! In the data folder, files are renamed; a list of them is written first, so that [`finish`] ends
//! what a kill has interrupted. In PostgreSQL, schemas are renamed in one transaction. What was there
//! before stays in `before-restore-{time}`, as a folder or a schema, until somebody removes it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use slovo_db::transfer::schemas;
use slovo_db::{Backend, Database};
use slovo_platform::secret;
use slovo_storage::make_folder;

/// The folder in the data folder in which a restore is prepared.
pub const SCRATCH: &str = "restored";
/// The schema in which a restore is prepared.
pub const SCHEMA: &str = "slovo_restored";
/// How folders with a former state begin.
const BEFORE: &str = "before-restore-";
/// How schemas with a former state begin.
const BEFORE_SCHEMA: &str = "slovo_before_restore_";
/// The list of a switch that has begun.
const LIST: &str = "restore.json";

/// The folder, in the one with the new files, that has an empty file for each that was moved.
const PLACED: &str = ".placed";
const DATABASE: &str = "slovo.db";
/// The log of the database.
const LOGS: [&str; 2] = ["slovo.db-wal", "slovo.db-shm"];
/// The files that change places. The log belongs to the database, so it comes first.
const FILES: [&str; 4] = [LOGS[0], LOGS[1], DATABASE, secret::FILE];

#[derive(Debug, Serialize, Deserialize)]
struct Switch {
    from: String,
    before: String,
    files: Vec<String>,
}

/// Puts the files of a folder in the data folder in place; returns the name of the folder with those
/// that were there. `time` is part of its name. No program may have the database open.
///
/// # Errors
/// When a file cannot be moved. Then [`finish`] tries again.
pub fn files(data: &Path, from: &str, time: &str) -> Result<String> {
    let before = (1..)
        .map(|number| match number {
            1 => format!("{BEFORE}{time}"),
            number => format!("{BEFORE}{time}-{number}"),
        })
        .find(|name| !data.join(name).exists())
        .context("there is no name left")?;
    let is_restored = |file: &str| data.join(from).join(file).exists();
    let has_database = is_restored(DATABASE);
    // The log of the former database goes with it, although the restored one has none.
    let files = FILES
        .into_iter()
        .filter(|file| is_restored(file) || (has_database && LOGS.contains(file)));
    let files: Vec<String> = files.map(str::to_owned).collect();
    ensure!(!files.is_empty(), "{from} has nothing to restore");
    let switch = Switch {
        from: from.to_owned(),
        before: before.clone(),
        files,
    };
    let list = data.join(LIST);
    let mut file = fs::File::create(&list)?;
    file.write_all(&serde_json::to_vec(&switch)?)?;
    file.sync_all()?;
    sync(data)?;
    perform(data, &switch, &mut || Ok(()))?;
    Ok(before)
}

/// Ends a switch that was interrupted; returns whether there was one. Called before a server opens
/// its database.
///
/// # Errors
/// When a file cannot be moved.
pub fn finish(data: &Path) -> Result<bool> {
    let text = match fs::read(data.join(LIST)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        text => text?,
    };
    let Ok(switch) = serde_json::from_slice(&text) else {
        // The kill came before the list was complete: nothing was moved.
        fs::remove_file(data.join(LIST))?;
        return Ok(false);
    };
    perform(data, &switch, &mut || Ok(()))?;
    Ok(true)
}

/// Each step is done once, however often this is called. `step` is called before each of them.
fn perform(data: &Path, switch: &Switch, step: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    let (from, before) = (data.join(&switch.from), data.join(&switch.before));
    make_folder(&before)?;
    for file in &switch.files {
        let (present, kept, new) = (data.join(file), before.join(file), from.join(file));
        // While the new one waits, the present one is the former.
        let placed = from.join(PLACED).join(file);
        let waits = new.exists() || !placed.exists();
        if waits && present.exists() && !kept.exists() {
            step()?;
            rename(&present, &kept)?;
        }
        step()?;
        make_folder(&from.join(PLACED))?;
        fs::write(placed, "")?;
        if new.exists() {
            step()?;
            rename(&new, &present)?;
        }
    }
    sync(&before)?;
    sync(data)?;
    step()?;
    // Nothing was there before.
    fs::remove_dir(&before).ok();
    fs::remove_dir_all(&from).ok();
    step()?;
    fs::remove_file(data.join(LIST))?;
    sync(data)
}

fn rename(from: &PathBuf, to: &PathBuf) -> Result<()> {
    fs::rename(from, to)
        .with_context(|| format!("{} cannot be moved to {}", from.display(), to.display()))
}

fn sync(folder: &Path) -> Result<()> {
    Ok(fs::File::open(folder)?.sync_all()?)
}

/// Puts a schema in the place of the present one; returns the name that the present one gets.
///
/// # Errors
/// When the database fails or does not allow it. Nothing was changed then.
pub async fn schema(db: &Database, from: &str, time: &str) -> Result<String> {
    ensure!(
        db.backend() == Backend::Postgres,
        "only PostgreSQL has schemas"
    );
    let time = time.to_lowercase().replace('-', "_");
    let mut transaction = db.write().await?;
    let current = schemas::current(&mut transaction).await?;
    let known = schemas::with_prefix(&mut transaction, BEFORE_SCHEMA).await?;
    let before = (1..)
        .map(|number| match number {
            1 => format!("{BEFORE_SCHEMA}{time}"),
            number => format!("{BEFORE_SCHEMA}{time}_{number}"),
        })
        .find(|name| !known.contains(name))
        .context("there is no name left")?;
    schemas::rename(&mut transaction, &current, &before).await?;
    schemas::rename(&mut transaction, from, &current).await?;
    transaction.commit().await?;
    Ok(before)
}

/// The newest folder with a former state.
///
/// # Errors
/// When the data folder cannot be read.
pub fn former_folder(data: &Path) -> Result<Option<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(data)? {
        let name = entry?.file_name();
        let name = name.to_str().filter(|name| name.starts_with(BEFORE));
        names.extend(name.map(str::to_owned));
    }
    Ok(names.into_iter().max())
}

/// The newest schema with a former state.
///
/// # Errors
/// When the database fails.
pub async fn former_schema(db: &Database) -> Result<Option<String>> {
    let mut connection = db.read().await?;
    let names = schemas::with_prefix(&mut connection, BEFORE_SCHEMA).await?;
    Ok(names.into_iter().max())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(data: &Path, name: &str) -> Option<String> {
        fs::read_to_string(data.join(name)).ok()
    }

    /// A data folder with a former state, and a restored one.
    fn prepared(data: &Path) {
        for (name, text) in [
            ("slovo.db", "old"),
            ("slovo.db-wal", "old log"),
            ("secret.key", "s1"),
        ] {
            fs::write(data.join(name), text).unwrap();
        }
        make_folder(&data.join(SCRATCH)).unwrap();
        fs::write(data.join(SCRATCH).join("slovo.db"), "new").unwrap();
        fs::write(data.join(SCRATCH).join("secret.key"), "s2").unwrap();
    }

    fn assert_switched(data: &Path, before: &str) {
        assert_eq!(content(data, "slovo.db").as_deref(), Some("new"));
        assert_eq!(content(data, "secret.key").as_deref(), Some("s2"));
        assert_eq!(content(data, "slovo.db-wal"), None);
        let before = data.join(before);
        assert_eq!(content(&before, "slovo.db").as_deref(), Some("old"));
        assert_eq!(content(&before, "slovo.db-wal").as_deref(), Some("old log"));
        assert_eq!(content(&before, "secret.key").as_deref(), Some("s1"));
        assert!(!data.join(SCRATCH).exists() && !data.join(LIST).exists());
    }

    #[test]
    fn a_switch_can_be_undone() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        prepared(data);
        assert!(!finish(data).unwrap());
        let before = files(data, SCRATCH, "20261130T020000Z").unwrap();
        assert_switched(data, &before);
        assert_eq!(former_folder(data).unwrap().as_ref(), Some(&before));
        let undone = files(data, &before, "20261130T030000Z").unwrap();
        assert_eq!(content(data, "slovo.db").as_deref(), Some("old"));
        assert_eq!(content(data, "slovo.db-wal").as_deref(), Some("old log"));
        assert_eq!(
            content(&data.join(undone), "slovo.db").as_deref(),
            Some("new")
        );
        assert!(!data.join(before).exists());
        assert!(
            files(data, SCRATCH, "20261130T040000Z").is_err(),
            "nothing is there"
        );
    }

    #[test]
    fn a_switch_that_was_killed_at_any_step_is_finished() {
        for allowed in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let data = folder.path();
            prepared(data);
            let switch = Switch {
                from: SCRATCH.to_owned(),
                before: "before-restore-x".to_owned(),
                files: FILES.map(str::to_owned).to_vec(),
            };
            fs::write(data.join(LIST), serde_json::to_vec(&switch).unwrap()).unwrap();
            let mut steps = 0;
            let killed = perform(data, &switch, &mut || {
                steps += 1;
                ensure!(steps <= allowed, "killed");
                Ok(())
            });
            if killed.is_ok() {
                assert!(allowed > 8, "{allowed} steps");
                return;
            }
            assert!(finish(data).unwrap());
            assert_switched(data, "before-restore-x");
        }
    }

    #[test]
    fn a_list_that_was_cut_off_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        prepared(data);
        fs::write(data.join(LIST), "{\"from\"").unwrap();
        assert!(!finish(data).unwrap());
        assert_eq!(content(data, "slovo.db").as_deref(), Some("old"));
        assert!(!data.join(LIST).exists());
    }
}
