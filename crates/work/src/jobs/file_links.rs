//! Signed links in mails to the files made with a job, bound to one version of one file, for a
//! week. They work without signing in, so a link opens nothing else, and stops working when the job
//! is deleted, when the next run replaces the file, and while the owner is blocked.

use serde::{Deserialize, Serialize};
use slovo_rules::settings::MadeFile;
use uuid::Uuid;

use slovo_platform::signed_links::{LinkClaims, SignedLinks};

/// How long a link works, in days.
pub const LINK_DAYS: u32 = 7;

/// How long a link works, in seconds.
pub const LINK_SECONDS: i64 = LINK_DAYS as i64 * 24 * 60 * 60;

/// The claims of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLink {
    /// The job.
    #[serde(rename = "sub")]
    pub job: Uuid,
    /// The file.
    pub file: MadeFile,
    /// When the file was made, in Unix milliseconds.
    pub made_at: i64,
}

impl LinkClaims for FileLink {
    const PURPOSE: &'static str = "made file, HS256";
    const AUDIENCE: &'static str = "slovo-made-file";
}

/// Makes and reads the tokens of links to files.
pub type FileLinks = SignedLinks<FileLink>;
