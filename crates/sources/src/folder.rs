//! Folders on the server's disk. Symbolic links are not followed, so that nobody who may write into a
//! watched folder can have other files read.

use std::fs::{self, Metadata};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use tokio::io::AsyncReadExt as _;

use crate::names::{file_name, is_acceptable, is_recording};
use crate::{Found, MAX_RECORDINGS, SourceError};

/// How deep subfolders are looked into.
const MAX_DEPTH: usize = 8;
/// Maximum number of folders.
const MAX_FOLDERS: usize = 10_000;
/// Bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// The folder, if it is below one of `roots`.
fn permitted(location: &str, roots: &[PathBuf]) -> Result<PathBuf, SourceError> {
    let folder = fs::canonicalize(location)?;
    let is_below =
        |root: &PathBuf| fs::canonicalize(root).is_ok_and(|root| folder.starts_with(root));
    if !roots.iter().any(is_below) {
        return Err(SourceError::FolderNotAllowed);
    }
    if folder.is_dir() {
        Ok(folder)
    } else {
        Err(SourceError::FolderMissing)
    }
}

/// The recordings in a folder and its subfolders.
///
/// # Errors
/// The folder cannot be read.
pub(crate) async fn list(location: &str, roots: &[PathBuf]) -> Result<Vec<Found>, SourceError> {
    let (location, roots) = (location.to_owned(), roots.to_vec());
    let walked = tokio::task::spawn_blocking(move || {
        let folder = permitted(&location, &roots)?;
        walk(&folder)
    });
    walked.await.map_err(|_| SourceError::BrokenOff)?
}

fn walk(top: &Path) -> Result<Vec<Found>, SourceError> {
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut folders = vec![(top.to_owned(), String::new(), 0)];
    while let Some((folder, path, depth)) = folders.pop() {
        seen += 1;
        if seen > MAX_FOLDERS {
            return Err(SourceError::TooMany);
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // A subfolder may be removed meanwhile, or belong to somebody else.
            Err(_) if depth > 0 => continue,
            Err(error) => return Err(error.into()),
        };
        for entry in entries {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let path = if path.is_empty() {
                name
            } else {
                format!("{path}/{name}")
            };
            // Of the entry itself, not of what a link leads to.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if metadata.is_dir() && depth < MAX_DEPTH && is_acceptable(&path) {
                folders.push((entry.path(), path, depth + 1));
            } else if metadata.is_file() && is_recording(&path) {
                found.push(recording(path, &metadata));
                if found.len() > MAX_RECORDINGS {
                    return Err(SourceError::TooMany);
                }
            }
        }
    }
    found.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    Ok(found)
}

fn recording(path: String, metadata: &Metadata) -> Found {
    let changed = metadata.modified().ok();
    let changed = changed.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let changed = changed.unwrap_or_default().as_nanos();
    Found {
        name: file_name(&path).to_owned(),
        version: format!("{}-{changed}", metadata.len()),
        size: Some(metadata.len()),
        url: None,
        key: path,
    }
}

/// Opens a file of a folder.
///
/// # Errors
/// It is missing, is no regular file, or is reached through a link.
pub(crate) async fn open(
    location: &str,
    roots: &[PathBuf],
    key: &str,
) -> Result<tokio::fs::File, SourceError> {
    if !is_recording(key) {
        return Err(SourceError::NotFound);
    }
    let (location, roots, key) = (location.to_owned(), roots.to_vec(), key.to_owned());
    let opened = tokio::task::spawn_blocking(move || {
        let folder = permitted(&location, &roots)?;
        open_below(&folder, &key)
    });
    let file = opened.await.map_err(|_| SourceError::BrokenOff)??;
    Ok(tokio::fs::File::from_std(file))
}

fn open_below(folder: &Path, key: &str) -> Result<fs::File, SourceError> {
    let path = folder.join(key);
    let parent = path.parent().unwrap_or(folder);
    // A subfolder may have been replaced by a link since it was listed.
    if fs::canonicalize(parent).map_err(missing)? != parent {
        return Err(SourceError::NotFound);
    }
    let no_follow = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = i32::try_from(no_follow.bits()).map_err(|_| SourceError::BrokenOff)?;
    let file = fs::OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(&path)
        .map_err(missing)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(SourceError::NotFound)
    }
}

/// The error of a file, which may have been removed, or be a link.
fn missing(error: std::io::Error) -> SourceError {
    match SourceError::from(error) {
        SourceError::FolderNotAllowed => SourceError::FolderNotAllowed,
        _ => SourceError::NotFound,
    }
}

/// The next piece of a file.
///
/// # Errors
/// It cannot be read.
pub(crate) async fn chunk(file: &mut tokio::fs::File) -> Result<Option<Bytes>, SourceError> {
    let mut piece = vec![0; PIECE];
    let read = file.read(&mut piece).await;
    let read = read.map_err(|_| SourceError::BrokenOff)?;
    piece.truncate(read);
    Ok((read > 0).then(|| piece.into()))
}
