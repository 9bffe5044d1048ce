//! Backups.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result};
use clap::{ArgAction, Args};
use slovo_backup::{Recipients, Recordings};
use slovo_storage::Storage;
use slovo_storage::objects::Url;

use super::ObjectStore;

/// The folder of backups in the data folder, if no other place is configured.
const FOLDER: &str = "backups";

/// Where backups are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupPlace {
    /// Nowhere: none are made.
    Off,
    /// A folder.
    Folder(PathBuf),
    /// An object store.
    Objects(Url),
}

impl FromStr for BackupPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::Off),
            "" => Err("a folder, s3://bucket/prefix, or off".to_owned()),
            text if text.starts_with("s3://") => text
                .parse()
                .map(Self::Objects)
                .map_err(|error: slovo_storage::objects::UrlError| error.to_string()),
            text => Ok(Self::Folder(PathBuf::from(text))),
        }
    }
}

/// Backups.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Backups")]
pub struct Backups {
    /// Where a backup is stored every day: a folder, s3://bucket/prefix, or off
    /// [default: backups in the data folder]
    #[arg(
        long = "backup",
        env = "SLOVO_BACKUP",
        value_name = "PLACE",
        global = true
    )]
    pub backup_place: Option<BackupPlace>,
    /// Number of backups that are kept
    #[arg(
        long,
        env = "SLOVO_BACKUP_KEEP",
        value_name = "N", global = true,
        default_value_t = 14,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    pub backup_keep: u16,
    /// Whether backups contain the recordings, or only refer to them [default: true with a place of
    /// their own, false in the data folder]
    #[arg(
        long,
        env = "SLOVO_BACKUP_RECORDINGS",
        value_name = "true|false", global = true,
        action = ArgAction::Set
    )]
    pub backup_recordings: Option<bool>,
    /// Public keys for which backups are encrypted, separated by commas: age1…
    #[arg(
        long,
        env = "SLOVO_BACKUP_RECIPIENTS",
        value_name = "KEYS",
        global = true,
        value_delimiter = ','
    )]
    pub backup_recipients: Vec<String>,
}

impl Backups {
    /// Whether backups are made every day.
    #[must_use]
    pub fn are_made(&self) -> bool {
        self.backup_place != Some(BackupPlace::Off)
    }

    /// Where they are, for people; empty if none are made.
    #[must_use]
    pub fn place_name(&self, data: &Path) -> String {
        match &self.backup_place {
            None => data.join(FOLDER).display().to_string(),
            Some(BackupPlace::Off) => String::new(),
            Some(BackupPlace::Folder(folder)) => folder.display().to_string(),
            Some(BackupPlace::Objects(url)) => url.to_string(),
        }
    }

    /// Whether they contain the recordings.
    #[must_use]
    pub fn recordings(&self) -> Recordings {
        let is_elsewhere = self.backup_place.is_some();
        match self.backup_recordings.unwrap_or(is_elsewhere) {
            true => Recordings::Copied,
            false => Recordings::Referred,
        }
    }

    /// For whom they are encrypted.
    ///
    /// # Errors
    /// When one of them is no public key.
    pub fn recipients(&self) -> Result<Recipients> {
        Recipients::parse(&self.backup_recipients).context("--backup-recipients")
    }

    /// Opens the place. `objects` says how object stores are reached.
    ///
    /// # Errors
    /// The message says what is wrong and what to do about it.
    pub async fn open(&self, data: &Path, objects: &ObjectStore) -> Result<Storage> {
        match &self.backup_place {
            None => of_folder(&data.join(FOLDER)),
            Some(place) => open_place(place, data, objects).await,
        }
    }
}

/// Opens a place of backups.
///
/// # Errors
/// The message says what is wrong and what to do about it.
pub async fn open_place(
    place: &BackupPlace,
    data: &Path,
    objects: &ObjectStore,
) -> Result<Storage> {
    match place {
        BackupPlace::Off => anyhow::bail!("--backup off: no place for backups is configured"),
        BackupPlace::Folder(folder) => of_folder(folder),
        BackupPlace::Objects(url) => {
            let elsewhere = ObjectStore {
                storage_url: Some(url.clone()),
                s3_direct_playback: false,
                ..objects.clone()
            };
            elsewhere.open(data).await
        }
    }
}

fn of_folder(folder: &Path) -> Result<Storage> {
    let cannot = || format!("--backup {}: this folder cannot be used", folder.display());
    let folder = std::path::absolute(folder).with_context(cannot)?;
    Storage::of_blobs(&folder).with_context(cannot)
}
