//! Links in mails to the files that were made with a job: signed, bound to one file as it was made,
//! for a week. Whoever has the mail has the file, without signing in; so a link opens nothing else,
//! and ends with the job, with the next run's file, and while its owner is blocked.

use serde::{Deserialize, Serialize};
use slovo_rules::settings::MadeFile;
use uuid::Uuid;

use slovo_platform::signed_links::{Right, SignedLinks};

/// How long a link works, in days.
pub const LINK_DAYS: u32 = 7;

/// How long a link works, in seconds.
pub const LINK_SECONDS: i64 = LINK_DAYS as i64 * 24 * 60 * 60;

/// What a link opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLink {
    /// The job whose text it holds.
    #[serde(rename = "sub")]
    pub job: Uuid,
    /// Which of its files.
    pub file: MadeFile,
    /// When it was made, in Unix milliseconds.
    pub made_at: i64,
}

impl Right for FileLink {
    const PURPOSE: &'static str = "made file, HS256";
    const AUDIENCE: &'static str = "slovo-made-file";
}

/// Makes and reads the tokens of links to files.
pub type FileLinks = SignedLinks<FileLink>;
