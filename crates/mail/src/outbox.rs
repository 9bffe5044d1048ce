//! The outbox: where mails are kept while no SMTP server is configured.
//!
//! ```text
//! DATA/outbox/20260301T120000.000Z-code-0198c1….eml
//! ```
//!
//! Each file is complete and readable by its owner only, because it holds codes and links. Only the
//! newest are kept.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::content::RenderedMail;

/// The folder within the data folder.
pub const FOLDER: &str = "outbox";
/// Most mails that are kept: any sign-up adds one, so the folder must not grow without limit.
const MAX_MAILS: usize = 1000;

/// The outbox of one data folder.
#[derive(Clone)]
pub struct Outbox {
    folder: PathBuf,
    max_files: usize,
}

impl Outbox {
    /// The outbox in this data folder. The folder is created with the first mail.
    pub fn new(data: &Path) -> Self {
        Self {
            folder: data.join(FOLDER),
            max_files: MAX_MAILS,
        }
    }

    /// The folder of the mails.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stores a mail and deletes the oldest ones above the limit; returns its file. Blocks.
    ///
    /// # Errors
    /// If the folder or the file cannot be written; then no file remains.
    pub fn store(&self, now_ms: i64, kind: &str, id: &str, mail: &[u8]) -> io::Result<PathBuf> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)?;
        let when = Timestamp::from_millisecond(now_ms).unwrap_or_default();
        let when = when.strftime("%Y%m%dT%H%M%S%.3fZ");
        let path = self.folder.join(format!("{when}-{kind}-{id}.eml"));
        let mut file = tempfile::Builder::new()
            .permissions(Permissions::from_mode(0o600))
            .tempfile_in(&self.folder)?;
        file.write_all(mail)?;
        file.as_file().sync_all()?;
        file.persist_noclobber(&path).map_err(|error| error.error)?;
        self.delete_oldest()?;
        Ok(path)
    }

    /// Names begin with the time, so sorting them sorts the mails.
    fn delete_oldest(&self) -> io::Result<()> {
        let mut mails = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "eml") {
                mails.push(path);
            }
        }
        mails.sort();
        let too_many = mails.len().saturating_sub(self.max_files);
        for path in mails.drain(..too_many) {
            match fs::remove_file(&path) {
                // Another process has deleted it already.
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Prints a mail to the server's terminal. A closed output is not an error.
pub fn show(to: &str, rendered: &RenderedMail, path: &Path) {
    let mut text = String::new();
    for line in rendered.text.trim_end().lines() {
        text += "  | ";
        text += line;
        text.push('\n');
    }
    let _ = write!(
        io::stdout().lock(),
        "\nMail to {to}: {}\n{text}  Kept as {}\n\n",
        rendered.subject,
        path.display()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder.join(FOLDER)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn stored_mails_are_readable_by_their_owner_only() {
        let data = tempfile::tempdir().unwrap();
        let outbox = Outbox::new(data.path());
        let path = outbox.store(1_772_366_400_007, "code", "1", b"x").unwrap();
        assert_eq!(names(data.path()), ["20260301T120000.007Z-code-1.eml"]);
        assert_eq!(fs::read(&path).unwrap(), b"x");
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(&data.path().join(FOLDER)), 0o700);
    }

    #[test]
    fn only_the_newest_mails_are_kept_and_other_files_are_untouched() {
        let data = tempfile::tempdir().unwrap();
        let mut outbox = Outbox::new(data.path());
        outbox.max_files = 2;
        outbox.store(1000, "test", "1", b"x").unwrap();
        fs::write(data.path().join(FOLDER).join("README"), "mine").unwrap();
        for (now, id) in [(3000, "3"), (2000, "2"), (4000, "4")] {
            outbox.store(now, "test", id, b"x").unwrap();
        }
        let expected = [
            "19700101T000003.000Z-test-3.eml",
            "19700101T000004.000Z-test-4.eml",
            "README",
        ];
        assert_eq!(names(data.path()), expected);
    }

    #[test]
    fn a_failed_write_leaves_no_file() {
        let data = tempfile::tempdir().unwrap();
        let outbox = Outbox::new(data.path());
        outbox.store(1000, "test", "1", b"first").unwrap();
        assert!(outbox.store(1000, "test", "1", b"second").is_err());
        assert_eq!(names(data.path()).len(), 1);
        let file = data.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(Outbox::new(&file).store(1000, "test", "1", b"x").is_err());
    }
}
