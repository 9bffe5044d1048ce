//! Where data is kept.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use slovo_db::core::installation;
use slovo_db::{Database, Error, backup_runs, newest_version};
use slovo_platform::clock::{Clock as _, SystemClock};
use slovo_platform::secret::{self, Secret};
use slovo_storage::Storage;

use super::Finding;
use crate::config::Config;
use crate::installation::{FILE, check_clock};

/// A backup is late after this time, in milliseconds: two days.
const LATE_MS: i64 = 2 * 24 * 60 * 60 * 1000;
/// How long the pages of a database are checked: an administrator waits for the answer.
const CHECKED_WITHIN: Duration = Duration::from_secs(10);
/// Recordings that are looked for.
const SAMPLE: u32 = 100;

/// The data folder; returns whether it is there.
pub(super) fn data_folder(config: &Config, findings: &mut Vec<Finding>) -> bool {
    let data = config.data();
    let name = data.display();
    let Ok(metadata) = std::fs::metadata(data) else {
        findings.push(Finding::warning(
            "data_folder",
            format!("{name} does not exist; `slovo serve` creates it"),
            "if there should be a server, give its folder with --data or SLOVO_DATA",
        ));
        return false;
    };
    if !metadata.is_dir() {
        let remedy = "give another one with --data";
        findings.push(Finding::fault(
            "data_folder",
            format!("{name} is no folder"),
            remedy,
        ));
        return false;
    }
    if let Err(error) = tempfile::tempfile_in(data) {
        let remedy = format!("chown -R slovo: {name}, for the user that runs the server");
        let message = format!("{name} cannot be written: {error}");
        findings.push(Finding::fault("data_folder", message, remedy));
        return false;
    }
    let open = [
        data.to_owned(),
        data.join("slovo.db"),
        data.join(secret::FILE),
    ];
    let open: Vec<_> = open.iter().filter(|path| is_open_to_others(path)).collect();
    match open.first() {
        None => findings.push(Finding::ok(
            "data_folder",
            format!("{name}, for its owner only"),
        )),
        Some(path) => findings.push(Finding::warning(
            "data_folder",
            format!("other users of the machine can read {}", path.display()),
            format!("chmod -R go= {name}"),
        )),
    }
    true
}

fn is_open_to_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

/// The database, and whether folder and secret belong to it; returns it if it can be opened.
pub(super) async fn database(config: &Config, findings: &mut Vec<Finding>) -> Option<Database> {
    let file = config.data().join("slovo.db");
    if config.storage.database_url.is_none() && !file.is_file() {
        let message = "there is none yet; the first start creates it";
        findings.push(Finding::ok("database", message));
        return None;
    }
    let db = match Database::connect(&config.storage.database()).await {
        Ok(db) => db,
        Err(error) => {
            findings.push(Finding::fault(
                "database",
                error.to_string(),
                remedy_for(config, &error),
            ));
            return None;
        }
    };
    let found = schema(config, &db, findings).await;
    findings.push(found);
    if let Err(error) = check_clock(&db, &SystemClock).await {
        let remedy = "timedatectl set-ntp true";
        findings.push(Finding::fault("clock", error.to_string(), remedy));
    } else {
        findings.push(Finding::ok("clock", "it agrees with the database"));
    }
    match belongs(config, &db).await {
        Ok(found) => findings.extend(found),
        Err(error) => tracing::debug!(%error, "the installation cannot be read"),
    }
    findings.extend(backup(config, &db).await);
    Some(db)
}

fn remedy_for(config: &Config, error: &Error) -> String {
    match (&config.storage.database_url, error) {
        (Some(_), Error::Address(_)) => {
            "DATABASE_URL=postgres://user:password@host/name".to_owned()
        }
        (Some(_), _) => {
            "start PostgreSQL, and check host, name, user and password in DATABASE_URL with psql"
                .to_owned()
        }
        (None, _) => restore_command(config),
    }
}

fn restore_command(config: &Config) -> String {
    let data = config.data().display();
    format!("slovo restore latest --data {data} --replace")
}

/// Whether the database is whole, can be written, and fits this program.
async fn schema(config: &Config, db: &Database, findings: &mut Vec<Finding>) -> Finding {
    let restore = || restore_command(config);
    match tokio::time::timeout(CHECKED_WITHIN, db.damage()).await {
        Ok(Ok(None)) => {}
        Ok(Ok(Some(damage))) => {
            return Finding::fault("database", format!("it is damaged: {damage}"), restore());
        }
        Ok(Err(error)) => return Finding::fault("database", error.to_string(), restore()),
        Err(_) => findings.push(Finding::warning(
            "database",
            "it is so large that not all of its pages were checked",
            "sqlite3 slovo.db 'PRAGMA quick_check'",
        )),
    }
    let version = match db.version().await {
        Ok(Some(version)) => version,
        Ok(None) => return Finding::ok("database", "it is empty; the first start fills it"),
        Err(error) => return Finding::fault("database", error.to_string(), restore()),
    };
    let newest = newest_version();
    if version > newest {
        return Finding::fault(
            "database",
            Error::Newer {
                found: version,
                known: newest,
            }
            .to_string(),
            "install the newest version of Slovo",
        );
    }
    if version < newest {
        let message = "it is of an older version; the next start brings it to this one";
        return Finding::warning("database", message, "slovo backup, then restart the server");
    }
    match db.probe(SystemClock.now_ms()).await {
        Ok(()) => Finding::ok(
            "database",
            format!("{:?}, of this version, can be written", db.backend()),
        ),
        Err(error) => Finding::fault("database", error.to_string(), remedy_for(config, &error)),
    }
}

/// Whether the folder and the secret are those of the database.
async fn belongs(config: &Config, db: &Database) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    if db.version().await?.is_none() {
        return Ok(findings);
    }
    let stored = installation::find(&mut *db.read().await?).await?;
    let Some(stored) = stored else {
        return Ok(findings);
    };
    let mark = config.data().join(FILE);
    let mark = tokio::fs::read_to_string(mark).await.ok();
    if let Some(mark) = mark.filter(|_| config.objects.storage_url.is_none())
        && mark.trim() != stored.id
    {
        findings.push(Finding::fault(
            "installation",
            "the database belongs to another data folder than this one",
            "give --data and DATABASE_URL that belong together; after a move, start once with --adopt",
        ));
    }
    let file = config.data().join(secret::FILE);
    let secret = match &config.auth.secret {
        Some(given) => Secret::given(given.expose()),
        None if file.is_file() => {
            Secret::load_or_create(config.data(), &slovo_platform::random::SystemRandom)
        }
        None => Err(anyhow::anyhow!("{} is not there", file.display())),
    };
    let remedy = "give back SLOVO_SECRET, or the file secret.key from a backup";
    match secret {
        Err(error) => findings.push(Finding::fault("secret", format!("{error:#}"), remedy)),
        Ok(secret)
            if stored
                .secret_print
                .as_ref()
                .is_some_and(|print| *print != secret.print()) =>
        {
            let message =
                "it is another one than at the last start, which would sign everybody out";
            findings.push(Finding::fault("secret", message, remedy));
        }
        Ok(_) => findings.push(Finding::ok("secret", "it is that of the last start")),
    }
    Ok(findings)
}

/// The age of the last backup.
async fn backup(config: &Config, db: &Database) -> Option<Finding> {
    let remedy = "slovo backup";
    if !config.backups.are_made() {
        let message = "none are made (SLOVO_BACKUP=off)";
        return Some(Finding::warning("backup", message, remedy));
    }
    let now = SystemClock.now_ms();
    let mut connection = db.read().await.ok()?;
    let runs = backup_runs::list(&mut connection, 50).await.ok()?;
    let last = runs.iter().find(|run| run.snapshot.is_some());
    let failed = runs.first().and_then(|run| run.error.as_ref());
    Some(match (last.and_then(|run| run.finished_at), failed) {
        (_, Some(error)) => {
            Finding::fault("backup", format!("the last one failed: {error}"), remedy)
        }
        (None, None) => Finding::warning("backup", "there is none yet", remedy),
        (Some(at), None) if at < now - LATE_MS => {
            let days = (now - at) / (24 * 60 * 60 * 1000);
            Finding::warning("backup", format!("the last one is {days} days old"), remedy)
        }
        (Some(_), None) => Finding::ok("backup", "the last one is not older than two days"),
    })
}

/// The storage of recordings, and whether it has those of the database.
pub(super) async fn recordings(config: &Config, db: Option<&Database>) -> Vec<Finding> {
    let url = config.objects.storage_url.as_ref();
    if url.is_none() && !config.data().join("media").is_dir() {
        return Vec::new();
    }
    let storage = match config.objects.open(config.data()).await {
        Ok(storage) => storage,
        Err(error) => {
            let remedy = "correct SLOVO_STORAGE, AWS_ENDPOINT_URL and the keys, or start the store";
            return vec![Finding::fault("storage", format!("{error:#}"), remedy)];
        }
    };
    let mut findings = Vec::new();
    if let Some(url) = url {
        findings.push(Finding::ok(
            "storage",
            format!("{url} can be written and read"),
        ));
    }
    if let Some(db) = db {
        findings.extend(missing(&storage, db).await);
    }
    findings
}

/// The newest recordings that rows name and that are not there.
async fn missing(storage: &Storage, db: &Database) -> Option<Finding> {
    db.version().await.ok()??;
    let mut connection = db.read().await.ok()?;
    let ids = installation::recordings(&mut connection, SAMPLE)
        .await
        .ok()?;
    let mut lost = 0;
    for id in &ids {
        if !storage.has_any(*id).await.ok()? {
            lost += 1;
        }
    }
    let remedy =
        "mount the disk of the recordings, or restore them: slovo restore latest --replace";
    Some(match lost {
        0 => Finding::ok("recordings", format!("the newest {} are there", ids.len())),
        lost => Finding::fault(
            "recordings",
            format!("{lost} of the newest {} are missing", ids.len()),
            remedy,
        ),
    })
}
