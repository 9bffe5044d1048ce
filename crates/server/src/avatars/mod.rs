//! Pictures of people: drawn anew from what they send, kept in files.
//!
//! ```text
//! DATA/avatars/{account id}/{version}     400 by 400 pixels, webp or jpeg
//! ```
//!
//! A version is written whole or not at all, and then named by its profile; the one before is
//! removed after that. A process that dies in between leaves a file that no profile names, and
//! [`sweep`] removes it.

mod draw;

use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use slovo_db::accounts;
use slovo_rules::profile::AvatarType;
use tokio::sync::Semaphore;

use crate::state::AppState;
pub use draw::Unreadable;

/// Images decoded side by side in this process. Each may take some 450 MB for a moment.
const SIDE_BY_SIDE: usize = 1;

/// How often the sweeper looks.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// How old a file must be to be nobody's, in milliseconds: far more than lies between writing it
/// and naming it.
const NEW_MS: i64 = 60 * 60 * 1000;

/// The avatars of one data folder. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Avatars {
    folder: PathBuf,
    turns: Arc<Semaphore>,
}

impl Avatars {
    /// Opens the avatars in `data`, making their folder where it is missing.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(data: &Path) -> io::Result<Self> {
        let folder = data.join("avatars");
        make_folder(&folder)?;
        let turns = Arc::new(Semaphore::new(SIDE_BY_SIDE));
        Ok(Self { folder, turns })
    }

    /// Draws an image of this type as an avatar.
    ///
    /// # Errors
    /// [`Unreadable`] if it cannot be decoded within the limits.
    pub async fn draw(&self, image: Vec<u8>, kind: AvatarType) -> Result<Vec<u8>, Unreadable> {
        // The semaphore is never closed.
        let turn = Arc::clone(&self.turns).acquire_owned().await.ok();
        let drawing = tokio::task::spawn_blocking(move || {
            let drawn = draw::draw(&image, kind);
            // Held to here also when nobody waits any more: the memory is in use until now.
            drop(turn);
            drawn
        });
        // A decoder that panics has met something that it cannot read, either.
        drawing
            .await
            .unwrap_or_else(|panic| Err(Unreadable(panic.to_string())))
    }

    /// Stores a version.
    ///
    /// # Errors
    /// When it cannot be written; then nothing of it is there.
    pub async fn store(&self, user_id: &str, version: &str, image: Vec<u8>) -> io::Result<()> {
        let path = self.path(user_id, version);
        let writing = tokio::task::spawn_blocking(move || write(&path, &image));
        writing.await.map_err(io::Error::other)?
    }

    /// The bytes of a version; `None` if it is not there.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub async fn read(&self, user_id: &str, version: &str) -> io::Result<Option<Vec<u8>>> {
        match tokio::fs::read(self.path(user_id, version)).await {
            Ok(image) => Ok(Some(image)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes a version that no profile names any more; that there is none is no error.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    pub async fn remove(&self, user_id: &str, version: &str) -> io::Result<()> {
        match tokio::fs::remove_file(self.path(user_id, version)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Removes all versions of an account that is gone.
    ///
    /// # Errors
    /// When the folder is there and cannot be removed.
    pub async fn remove_all(&self, user_id: &str) -> io::Result<()> {
        match tokio::fs::remove_dir_all(self.folder.join(user_id)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Ids and versions are this server's own, never a client's words.
    fn path(&self, user_id: &str, version: &str) -> PathBuf {
        self.folder.join(user_id).join(version)
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

/// Writes beside the place (a file for its owner only), then moves it there.
fn write(path: &Path, image: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    make_folder(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(image)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    std::fs::File::open(folder)?.sync_all()
}

/// MIME type of stored bytes, by what they are.
#[must_use]
pub fn content_type(image: &[u8]) -> &'static str {
    match slovo_rules::profile::avatar_type(image) {
        Some(AvatarType::Jpeg) => "image/jpeg",
        Some(AvatarType::Png) => "image/png",
        Some(AvatarType::Webp) => "image/webp",
        None => "application/octet-stream",
    }
}

/// Sweeps now and then until the server stops.
pub async fn keep_swept(state: AppState) {
    loop {
        if let Err(error) = sweep(&state).await {
            tracing::error!(%error, "old avatars could not be removed; trying again later");
        }
        tokio::select! {
            () = state.shutdown.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Removes files that no profile names, and the folders of accounts that are gone.
///
/// # Errors
/// When a folder cannot be read or the database fails.
pub async fn sweep(state: &AppState) -> anyhow::Result<()> {
    let mut folders = tokio::fs::read_dir(&state.avatars.folder).await?;
    while let Some(folder) = folders.next_entry().await? {
        let name = folder.file_name();
        // Anything else was not put there by this program and is not its to remove.
        let Some(user_id) = name.to_str().filter(|name| is_id(name)) else {
            continue;
        };
        if let Err(error) = sweep_folder(state, user_id, &folder.path()).await {
            // As when the account is removed this very moment; the others are still looked at.
            tracing::debug!(user = user_id, %error, "avatars are looked at again later");
        }
        // Fails where something is left in it, which is meant.
        let _ = tokio::fs::remove_dir(folder.path()).await;
    }
    Ok(())
}

async fn sweep_folder(state: &AppState, user_id: &str, folder: &Path) -> anyhow::Result<()> {
    let mut files = tokio::fs::read_dir(folder).await?;
    while let Some(file) = files.next_entry().await? {
        let written = file
            .metadata()
            .await?
            .modified()?
            .duration_since(UNIX_EPOCH)?;
        let written = i64::try_from(written.as_millis()).unwrap_or(i64::MAX);
        if written > state.clock.now_ms() - NEW_MS {
            continue;
        }
        let mut connection = state.db.read().await?;
        let account = accounts::get(&mut connection, user_id).await?;
        let named = account.and_then(|account| account.avatar);
        if named.as_deref() != file.file_name().to_str() {
            tracing::info!(user = user_id, "an avatar that no profile names removed");
            tokio::fs::remove_file(file.path()).await?;
        }
    }
    Ok(())
}

fn is_id(name: &str) -> bool {
    uuid::Uuid::try_parse(name).is_ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use slovo_rules::profile::AvatarType;

    use super::draw::draw;

    /// A PNG of some 60 bytes that claims to be this large, with so many bits for each of the
    /// samples of its colour type.
    pub(crate) fn claiming(width: u32, height: u32, bits: u8, colour: u8) -> Vec<u8> {
        let mut header = b"IHDR".to_vec();
        header.extend(width.to_be_bytes());
        header.extend(height.to_be_bytes());
        header.extend([bits, colour, 0, 0, 0]);
        // An empty deflate stream.
        let data = b"IDAT\x78\x01\x03\0\0\0\0\x01".to_vec();
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        for chunk in [header, data, b"IEND".to_vec()] {
            png.extend(u32::try_from(chunk.len() - 4).unwrap().to_be_bytes());
            png.extend(&chunk);
            png.extend(crc(&chunk).to_be_bytes());
        }
        png
    }

    fn crc(bytes: &[u8]) -> u32 {
        let mut crc = u32::MAX;
        for byte in bytes {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = (crc >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1));
            }
        }
        !crc
    }

    #[test]
    fn an_image_that_claims_too_much_is_refused_before_it_is_decoded() {
        let said = |width, height, bits, colour| {
            let image = claiming(width, height, bits, colour);
            assert!(image.len() < 100);
            draw(&image, AvatarType::Png).unwrap_err().to_string()
        };
        for (width, height, bits) in [(30_000, 30_000, 8), (8193, 1, 8), (1, 8193, 8)] {
            let said = said(width, height, bits, 2);
            assert!(said.contains("limit"), "{width} by {height}: {said}");
        }
        // Within both edges, and half a gigabyte.
        let said_of_deep = said(8192, 8192, 16, 6);
        assert!(
            said_of_deep.contains("pixels") || said_of_deep.contains("limit"),
            "{said_of_deep}"
        );
        // The same file, if it claims little, is found out by what it lacks.
        assert!(!said(3, 3, 8, 2).contains("limit"));
    }
}
