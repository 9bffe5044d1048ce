//! Links to an account's archive: signed, bound to one account and one session, for ten minutes.
//!
//! A browser download sends no authorization header, so the token is in the URL, as with recordings
//! (`jobs::links`). It stops working when the session that made it ends.

use serde::{Deserialize, Serialize};

use slovo_platform::signed_links::{LinkClaims, SignedLinks};

/// How long a link works, in seconds. It is meant to be used at once.
pub const LINK_SECONDS: i64 = 10 * 60;

/// The claims of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The account.
    #[serde(rename = "sub")]
    pub user_id: String,
    /// The session that made the link: the account's own, or an administrator's.
    #[serde(rename = "sid")]
    pub session_id: String,
    /// Whether the archive includes the recordings.
    #[serde(rename = "rec")]
    pub recordings: bool,
}

impl LinkClaims for Link {
    const PURPOSE: &'static str = "export link, HS256";
    const AUDIENCE: &'static str = "slovo-export";
}

/// Makes and reads the tokens of links to archives.
pub type ExportLinks = SignedLinks<Link>;

#[cfg(test)]
mod tests {
    use super::*;
    use slovo_platform::secret::Secret;

    #[test]
    fn a_token_opens_one_archive_until_it_expires() {
        let secret = |text: &str| Secret::given(&text.repeat(32)).unwrap();
        let links = ExportLinks::new(&secret("a"));
        let link = Link {
            user_id: "u".to_owned(),
            session_id: "s".to_owned(),
            recordings: true,
        };
        let token = links.issue(&link, 1000).unwrap();
        assert_eq!(links.read(&token, 999), Some(link));
        assert_eq!(links.read(&token, 1000), None);
        assert_eq!(ExportLinks::new(&secret("b")).read(&token, 0), None);
        for junk in ["", "a.b.c", &token[1..], &format!("{token}x")] {
            assert_eq!(links.read(junk, 0), None, "{junk}");
        }
    }
}
