//! `slovo restore`, `slovo export` and `slovo import`.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;
use slovo_app::backups::restore::{Restored, Target, restore, undo};
use slovo_app::config;
use slovo_backup::{Identities, Place, Recordings};
use slovo_platform::clock::from_ms;
use slovo_platform::random::SystemRandom;

use super::backup::{PlaceOptions, described, folder, identities, make};

/// Options of `slovo restore`.
#[derive(Args)]
pub struct RestoreOptions {
    #[command(flatten)]
    place: PlaceOptions,
    /// The backup's name, as `slovo backup list` shows it
    #[arg(default_value = "latest")]
    name: String,
    #[command(flatten)]
    how: How,
    /// Go back to the state before the last restore
    #[arg(long, conflicts_with_all = ["name", "replace", "identity"])]
    undo: bool,
}

/// How to restore.
#[derive(Args)]
struct How {
    /// Put the backup in the place of a server that has accounts; its state is kept
    #[arg(long)]
    replace: bool,
    /// File with the private key of an encrypted backup
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
}

/// Options of `slovo export`.
#[derive(Args)]
pub struct ExportOptions {
    /// Folder to write into; it must be empty
    folder: PathBuf,
    /// Leave the recordings where they are, for a server that uses the same ones
    #[arg(long)]
    without_recordings: bool,
    #[command(flatten)]
    place: PlaceOptions,
}

/// Options of `slovo import`.
#[derive(Args)]
pub struct ImportOptions {
    /// Folder that `slovo export` has written
    folder: PathBuf,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: PlaceOptions,
}

/// Restores a backup of the server.
pub fn run(mut options: RestoreOptions) -> Result<()> {
    options.place.storage.prepare()?;
    super::in_runtime(async {
        if options.undo {
            let PlaceOptions {
                storage, objects, ..
            } = &options.place;
            let recordings = objects.open(&storage.data).await?;
            let former = undo(storage, &recordings).await?;
            println!("The state before the restore is back. The other one is kept in {former}");
            return Ok(());
        }
        let place = options.place.open().await?;
        from(&options.place, &place, &options.name, &options.how).await
    })
}

/// Writes everything of the server into a folder.
pub fn export(options: &ExportOptions) -> Result<()> {
    super::in_runtime(async {
        let is_empty =
            std::fs::read_dir(&options.folder).map_or(true, |mut entries| entries.next().is_none());
        ensure!(is_empty, "{} is not empty", options.folder.display());
        let storage = folder(&options.folder, &options.place).await?;
        let place = Place::prepare(storage, &SystemRandom).await?;
        let recipients = options.place.backups.recipients()?;
        let recordings = match options.without_recordings {
            true => Recordings::Referred,
            false => Recordings::Copied,
        };
        let created = make(&options.place, &place, &recipients, recordings).await?;
        println!("{} in {}", described(&created), place.name());
        println!(
            "`slovo import {}` brings it into another server",
            options.folder.display()
        );
        Ok(())
    })
}

/// Brings what was exported into this server's database and storage.
pub fn import(mut options: ImportOptions) -> Result<()> {
    options.place.storage.prepare()?;
    super::in_runtime(async {
        ensure!(
            Path::new(&options.folder).is_dir(),
            "{} is no folder",
            options.folder.display()
        );
        let place = Place::open(folder(&options.folder, &options.place).await?).await?;
        from(&options.place, &place, "latest", &options.how).await
    })
}

async fn from(options: &PlaceOptions, place: &Place, name: &str, how: &How) -> Result<()> {
    let recordings = options.objects.open(&options.storage.data).await?;
    let target = Target {
        storage: &options.storage,
        recordings: &recordings,
        has_own_secret: config::secret_of_environment().is_some(),
        replace: how.replace,
    };
    let keys: Identities = identities(how.identity.as_deref())?;
    let restored = restore(&target, place, name, &keys).await?;
    tell(&restored);
    Ok(())
}

fn tell(restored: &Restored) {
    let files = restored.files;
    println!(
        "Restored backup {} of {}: {} rows, each compared with what was stored; {} files stored, {} \
         were there",
        restored.name,
        from_ms(restored.created_at).strftime("%Y-%m-%d %H:%M UTC"),
        restored.rows,
        files.stored,
        files.present,
    );
    if restored.missing > 0 {
        println!(
            "{} recordings are missing: the backup only refers to them, and they are not in the storage",
            restored.missing
        );
    }
    if !restored.models.is_empty() {
        println!("Models that it used: {}", restored.models.join(", "));
    }
    if let Some(former) = &restored.former {
        println!("The state before is kept in {former}; `slovo restore --undo` brings it back");
    }
}
