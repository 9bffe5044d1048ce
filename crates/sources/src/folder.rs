//! Folders on the server's disk. Symbolic links are not followed, so that nobody who may write into a
//! watched folder can have other files read.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use rustix::fd::OwnedFd;
use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, Stat, openat, renameat, renameat_with,
    statat, unlinkat,
};
use rustix::io::Errno;
use tokio::io::AsyncReadExt as _;

use crate::content::{Current, MAX_FILE, digest};
use crate::names::{file_name, is_acceptable, is_recording};
use crate::{Found, MAX_RECORDINGS, SourceError};

/// How deep subfolders are looked into.
const MAX_DEPTH: usize = 8;
/// Maximum number of folders.
const MAX_FOLDERS: usize = 10_000;
/// Maximum number of entries of one folder.
const MAX_ENTRIES: usize = 100_000;
/// How folders are opened: not through links.
const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
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
    let top = rustix::fs::open(top, FOLDER, Mode::empty())?;
    let mut found = Vec::new();
    let (mut folders, mut known) = (vec![(String::new(), 0)], 1);
    while let Some((parent, depth)) = folders.pop() {
        let entries = match descend(&top, &parent).and_then(Dir::new) {
            Ok(entries) => entries,
            // A subfolder may be removed meanwhile, or belong to somebody else.
            Err(_) if depth > 0 => continue,
            Err(error) => return Err(error.into()),
        };
        for (name, entry) in named(entries)? {
            let path = if parent.is_empty() {
                name
            } else {
                format!("{parent}/{name}")
            };
            match FileType::from_raw_mode(entry.st_mode) {
                FileType::Directory if depth < MAX_DEPTH && is_acceptable(&path) => {
                    folders.push((path, depth + 1));
                    known += 1;
                }
                FileType::RegularFile if is_recording(&path) => {
                    found.push(recording(path, &entry));
                }
                _ => {}
            }
            if known > MAX_FOLDERS || found.len() > MAX_RECORDINGS {
                return Err(SourceError::TooMany);
            }
        }
    }
    found.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    Ok(found)
}

/// The entries of a folder themselves, not what links lead to.
fn named(mut entries: Dir) -> Result<Vec<(String, Stat)>, SourceError> {
    let mut named = Vec::new();
    while let Some(entry) = entries.read() {
        let entry = entry?;
        let name = entry.file_name();
        let Ok(text) = name.to_str() else {
            continue;
        };
        if matches!(text, "." | "..") {
            continue;
        }
        // It may be removed meanwhile.
        if let Ok(stat) = statat(entries.fd()?, name, AtFlags::SYMLINK_NOFOLLOW) {
            named.push((text.to_owned(), stat));
        }
        if named.len() > MAX_ENTRIES {
            return Err(SourceError::TooMany);
        }
    }
    Ok(named)
}

/// Opens a subfolder one step after the other, so that none of them is a link, whatever is swapped
/// meanwhile.
fn descend(top: &OwnedFd, path: &str) -> rustix::io::Result<OwnedFd> {
    let mut folder = openat(top, ".", FOLDER, Mode::empty())?;
    for part in path.split('/').filter(|part| !part.is_empty()) {
        folder = openat(&folder, part, FOLDER, Mode::empty())?;
    }
    Ok(folder)
}

fn recording(path: String, entry: &Stat) -> Found {
    Found {
        name: file_name(&path).to_owned(),
        version: format!(
            "{}-{}.{:09}",
            entry.st_size, entry.st_mtime, entry.st_mtime_nsec
        ),
        size: u64::try_from(entry.st_size).ok(),
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
    let top = rustix::fs::open(folder, FOLDER, Mode::empty())?;
    let (parent, name) = key.rsplit_once('/').unwrap_or(("", key));
    let parent = descend(&top, parent).map_err(missing)?;
    // A pipe would wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(parent, name, flags, Mode::empty()).map_err(missing)?;
    let file = fs::File::from(file);
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(SourceError::NotFound)
    }
}

/// The error of a file, which may have been removed, or be a link.
fn missing(error: Errno) -> SourceError {
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

/// Reads a small file; `None` if there is none.
///
/// # Errors
/// The folder or the file cannot be read.
pub(crate) async fn current(
    location: &str,
    roots: &[PathBuf],
    name: &str,
) -> Result<Option<Current>, SourceError> {
    if !is_acceptable(name) {
        return Err(SourceError::NotFound);
    }
    let (location, roots, name) = (location.to_owned(), roots.to_vec(), name.to_owned());
    let read = tokio::task::spawn_blocking(move || {
        let folder = permitted(&location, &roots)?;
        let file = match open_below(&folder, &name) {
            Err(SourceError::NotFound) => return Ok(None),
            opened => opened?,
        };
        let mut content = Vec::new();
        let limit = u64::try_from(MAX_FILE).unwrap_or(u64::MAX);
        file.take(limit + 1).read_to_end(&mut content)?;
        if content.len() > MAX_FILE {
            return Err(SourceError::TooLarge);
        }
        Ok(Some(Current {
            digest: digest(&content),
            version: None,
        }))
    });
    read.await.map_err(|_| SourceError::BrokenOff)?
}

/// Writes a small file, whole or not at all. `false` if there is one and it has to be new.
///
/// # Errors
/// The folder cannot be written to.
pub(crate) async fn write(
    location: &str,
    roots: &[PathBuf],
    name: &str,
    content: Bytes,
    is_new: bool,
) -> Result<bool, SourceError> {
    if !is_acceptable(name) || name.contains('/') {
        return Err(SourceError::NotFound);
    }
    let (location, roots, name) = (location.to_owned(), roots.to_vec(), name.to_owned());
    let written = tokio::task::spawn_blocking(move || {
        let folder = permitted(&location, &roots)?;
        let folder = rustix::fs::open(&folder, FOLDER, Mode::empty())?;
        // Hidden and unfinished, so that programs which watch the folder ignore it.
        let temporary = format!(".slovo-{}.part", digest(name.as_bytes()));
        let done = replace(&folder, &temporary, &name, &content, is_new);
        if !matches!(done, Ok(true)) {
            // It does not exist if it could not be created.
            let _ = unlinkat(&folder, &*temporary, AtFlags::empty());
        }
        done
    });
    written.await.map_err(|_| SourceError::BrokenOff)?
}

/// Writes to a temporary file and renames it.
fn replace(
    folder: &OwnedFd,
    temporary: &str,
    name: &str,
    content: &[u8],
    is_new: bool,
) -> Result<bool, SourceError> {
    // What a killed server left there.
    let _ = unlinkat(folder, temporary, AtFlags::empty());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let readable = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::ROTH;
    let mut file = fs::File::from(openat(folder, temporary, flags, readable)?);
    // The server's own files are for its user only, but these are for people.
    rustix::fs::fchmod(&file, readable)?;
    file.write_all(content)?;
    file.sync_all()?;
    let no_replace = if is_new {
        RenameFlags::NOREPLACE
    } else {
        RenameFlags::empty()
    };
    let renamed = match renameat_with(folder, temporary, folder, name, no_replace) {
        // The file system cannot do that in one step.
        Err(Errno::INVAL | Errno::NOSYS) => {
            if is_new && statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
                return Ok(false);
            }
            renameat(folder, temporary, folder, name)
        }
        renamed => renamed,
    };
    match renamed {
        Ok(()) => {
            rustix::fs::fsync(folder)?;
            Ok(true)
        }
        Err(Errno::EXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
