//! Links to a recording: signed, bound to one job and one session, for six hours.
//!
//! A player sends no authorization header, so the token is in the URL. It opens this one recording
//! only, and queries are not logged (see `http`). It stops working when the session that made it
//! ends: handlers check that the session is still valid.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use slovo_platform::signed_links::{LinkClaims, SignedLinks};

/// How long a link works, in seconds: six hours, enough for a working day on one transcript.
pub const LINK_SECONDS: i64 = 6 * 60 * 60;

/// The claims of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The job whose recording it is.
    #[serde(rename = "sub")]
    pub job: Uuid,
    /// The session that made the link.
    #[serde(rename = "sid")]
    pub session: String,
}

impl LinkClaims for Link {
    const PURPOSE: &'static str = "media link, HS256";
    const AUDIENCE: &'static str = "slovo-media";
}

/// Makes and reads the tokens of links to recordings.
pub type MediaLinks = SignedLinks<Link>;

#[cfg(test)]
mod tests {
    use super::*;
    use slovo_platform::secret::Secret;

    #[test]
    fn a_token_opens_one_job_until_it_expires() {
        let secret = |text: &str| Secret::given(&text.repeat(32)).unwrap();
        let links = MediaLinks::new(&secret("a"));
        let link = Link {
            job: Uuid::from_u128(1),
            session: "s".to_owned(),
        };
        let token = links.issue(&link, 1000).unwrap();
        assert_eq!(links.read(&token, 999), Some(link));
        assert_eq!(links.read(&token, 1000), None);
        assert_eq!(MediaLinks::new(&secret("b")).read(&token, 0), None);
        for junk in ["", "a.b.c", &token[1..], &format!("{token}x")] {
            assert_eq!(links.read(junk, 0), None, "{junk}");
        }
    }
}
