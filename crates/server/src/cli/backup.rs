//! `slovo backup`: makes, lists and checks backups, while the server runs or not.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use slovo_app::backups::{self, Reason};
use slovo_app::config::{self, BackupPlace, ObjectStore, open_place};
use slovo_app::state::secret;
use slovo_backup::{
    Created, Identities, Opened, Place, Recipients, Recordings, Source, create, keep_newest,
    new_identity,
};
use slovo_db::Database;
use slovo_platform::clock::{Clock as _, SystemClock, from_ms};
use slovo_platform::random::{Random as _, SystemRandom};
use tokio::sync::watch;

use super::admin::open;

/// Options of `slovo backup`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    place: PlaceOptions,
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// The server, and where its backups are.
#[derive(Args)]
pub struct PlaceOptions {
    #[command(flatten)]
    pub storage: config::Storage,
    #[command(flatten)]
    pub objects: ObjectStore,
    #[command(flatten)]
    pub backups: config::Backups,
}

#[derive(Subcommand)]
enum Verb {
    /// Make a backup now; this is the default
    Now,
    /// List the backups, oldest first
    List,
    /// Read a whole backup and compare every row and every file with what was stored
    Verify {
        /// The backup's name, or latest
        #[arg(default_value = "latest")]
        name: String,
        /// File with the private key of an encrypted backup
        #[arg(long, value_name = "FILE")]
        identity: Option<PathBuf>,
    },
    /// Create a key for encrypted backups: the private key is written to a file, the public one is
    /// printed
    Key {
        /// File to create; keep it away from the server
        file: PathBuf,
    },
}

/// Runs it.
pub fn run(options: &Options) -> Result<()> {
    if let Some(Verb::Key { file }) = &options.verb {
        return write_key(file);
    }
    super::in_runtime(async {
        match &options.verb {
            None | Some(Verb::Now) => now(&options.place).await,
            Some(Verb::List) => list(&options.place).await,
            Some(Verb::Verify { name, identity }) => {
                let identities = identities(identity.as_deref())?;
                verify(&options.place, name, &identities).await
            }
            Some(Verb::Key { .. }) => Ok(()),
        }
    })
}

impl PlaceOptions {
    /// The place with backups.
    pub async fn open(&self) -> Result<Place> {
        let data = &self.storage.data;
        Place::open(self.backups.open(data, &self.objects).await?).await
    }
}

async fn now(options: &PlaceOptions) -> Result<()> {
    let storage = options
        .backups
        .open(&options.storage.data, &options.objects)
        .await?;
    let place = Place::prepare(storage, &SystemRandom).await?;
    let recipients = options.backups.recipients()?;
    let recordings = options.backups.recordings();
    let db = open(&options.storage).await?;
    let created = make_recorded(&db, options, &place, &recipients, recordings).await;
    db.close().await;
    let created = created?;
    let kept = usize::from(options.backups.backup_keep);
    let pruned = keep_newest(&place, kept, SystemClock.now_ms()).await?;
    println!("{} in {}", described(&created), place.name());
    if pruned.snapshots > 0 {
        println!("{} older ones were removed", pruned.snapshots);
    }
    if recordings == Recordings::Referred {
        println!("The recordings are not in it; --backup-recordings true copies them, too");
    }
    Ok(())
}

/// Makes a backup that the server knows of.
async fn make_recorded(
    db: &Database,
    options: &PlaceOptions,
    place: &Place,
    recipients: &Recipients,
    recordings: Recordings,
) -> Result<Created> {
    let id = SystemRandom.uuid_at(SystemClock.now_ms());
    let begun = backups::begin_with(db, &SystemClock, id, Reason::Command).await?;
    let id = begun.context("another backup is being made")?;
    let (progress, done) = watch::channel((0, 0));
    let making = make_of(db, options, place, recipients, recordings, &progress);
    backups::recorded(db, &SystemClock, &id, &done, making).await
}

/// Makes a backup of the server that is not one of its own.
pub async fn make(
    options: &PlaceOptions,
    place: &Place,
    recipients: &Recipients,
    recordings: Recordings,
) -> Result<Created> {
    let db = open(&options.storage).await?;
    let (progress, _) = watch::channel((0, 0));
    let made = make_of(&db, options, place, recipients, recordings, &progress).await;
    db.close().await;
    made
}

async fn make_of(
    db: &Database,
    options: &PlaceOptions,
    place: &Place,
    recipients: &Recipients,
    recordings: Recordings,
    progress: &watch::Sender<(u64, u64)>,
) -> Result<Created> {
    let data = &options.storage.data;
    let storage = options.objects.open(data).await?;
    let configured = config::secret_of_environment();
    let secret = secret(configured.as_ref(), data, &SystemRandom)?;
    let mut connection = db.read().await?;
    let models = slovo_models::serving::stored(&mut connection).await?;
    drop(connection);
    let source = Source {
        db,
        storage: &storage,
        data,
        secret: &secret,
        models: models.full.into_iter().chain(models.lite).collect(),
        clock: &SystemClock,
        program: env!("CARGO_PKG_VERSION"),
    };
    create(&source, place, recipients, recordings, progress).await
}

/// The backup in words.
pub fn described(created: &Created) -> String {
    format!(
        "backup {}: {} rows, {} files, {}; {} new",
        created.name,
        created.rows,
        created.files,
        megabytes(created.total_bytes),
        megabytes(created.stored_bytes),
    )
}

async fn list(options: &PlaceOptions) -> Result<()> {
    let place = options.open().await?;
    for name in place.names().await? {
        match place.snapshot(&name).await {
            Ok((name, snapshot)) => println!(
                "{name}  {}  {} rows, {} files, {}{}, version {}",
                from_ms(snapshot.created_at).strftime("%Y-%m-%d %H:%M UTC"),
                snapshot.rows,
                snapshot.files,
                megabytes(snapshot.bytes),
                if snapshot.sealed { ", encrypted" } else { "" },
                snapshot.program,
            ),
            Err(error) => println!("{name}  {error:#}"),
        }
    }
    Ok(())
}

async fn verify(options: &PlaceOptions, name: &str, identities: &Identities) -> Result<()> {
    let place = options.open().await?;
    let opened = Opened::open(&place, name, identities).await?;
    let verified = opened.verify().await?;
    println!(
        "backup {}: {} rows and {} files are as they were stored",
        opened.name, verified.rows, verified.files
    );
    if verified.referred > 0 {
        println!(
            "{} recordings are not in it, only their names",
            verified.referred
        );
    }
    Ok(())
}

/// The private keys in a file.
pub fn identities(file: Option<&Path>) -> Result<Identities> {
    let Some(file) = file else {
        return Ok(Identities::default());
    };
    let text = std::fs::read_to_string(file);
    let text = text.with_context(|| format!("--identity {}", file.display()))?;
    Identities::parse(&text).with_context(|| format!("--identity {}", file.display()))
}

fn write_key(file: &Path) -> Result<()> {
    let (private, public) = new_identity();
    let created = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file);
    let mut created = match created {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{} exists; a key is never overwritten", file.display())
        }
        created => created.with_context(|| format!("{} cannot be created", file.display()))?,
    };
    created.write_all(private.as_bytes())?;
    created.sync_all()?;
    println!("SLOVO_BACKUP_RECIPIENTS={public}");
    eprintln!(
        "The private key is in {}. Keep it away from this machine: without it nobody can restore these \
         backups, and with it everybody can.",
        file.display()
    );
    Ok(())
}

fn megabytes(bytes: u64) -> String {
    let tenths = (bytes + 50_000) / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// A folder of its own, for `slovo export` and `slovo import`.
pub async fn folder(path: &Path, options: &PlaceOptions) -> Result<slovo_storage::Storage> {
    let place = BackupPlace::Folder(path.to_owned());
    open_place(&place, &options.storage.data, &options.objects).await
}
