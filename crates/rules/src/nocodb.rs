//! Rules for the external database (NocoDB): its location, the fields received from it, and
//! restrictions that apply only while it is configured.

use serde::{Deserialize, Serialize};

use crate::profile::MAX_FULLNAME;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};
use crate::{account, text, url};

/// Checks that a plan has an external id, without which it cannot be edited or deleted.
///
/// # Errors
/// The external database is configured and the plan has no id in it.
pub fn require_plan_id(configured: bool, nocodb_id: Option<&str>) -> Result<(), Violation> {
    if configured && nocodb_id.is_none_or(|id| id.trim().is_empty()) {
        return Err(Violation::new("nocodb_id", Code::PlanExternalIdMissing));
    }
    Ok(())
}

/// Checks that a user has a numeric external id, without which no plan can be assigned.
///
/// # Errors
/// The external database is configured and the user has no numeric id in it.
pub fn require_user_id(configured: bool, nocodb_user_id: Option<&str>) -> Result<(), Violation> {
    let numeric = nocodb_user_id.map(str::trim).is_some_and(|id| {
        !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()) && id.parse::<i64>().is_ok()
    });
    if configured && !numeric {
        return Err(Violation::new(
            "nocodb_user_id",
            Code::UserExternalIdInvalid,
        ));
    }
    Ok(())
}

/// Longest id of a base, in characters; NocoDB's own have about twenty.
pub const MAX_PROJECT_ID: usize = 64;
/// Longest received name of a person or file, in characters.
pub const MAX_NAME: usize = 255;

/// The location of the external database, as entered by an administrator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = NocodbPlace))]
pub struct NocodbBase {
    /// Base address of its API, for example `https://nocodb.example.com`.
    pub api_url: String,
    /// Id of the base (project), for example `p1a2b3c4d5e6f7g`.
    pub project_id: String,
}

/// Checks the location of the external database. Removes a slash at the end of the URL.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate_place(form: &NocodbBase) -> Result<Valid<NocodbBase>, Violations> {
    let mut v = Violations::new();
    let api_url = form.api_url.trim().trim_end_matches('/');
    if api_url.is_empty() {
        v.add("api_url", Code::UrlRequired);
    } else if !url::is_http(api_url) || api_url.contains(['?', '#']) {
        v.add("api_url", Code::UrlInvalid);
    }
    let project_id = form.project_id.trim();
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    if project_id.is_empty() || project_id.len() > MAX_PROJECT_ID || !project_id.bytes().all(fits) {
        v.add("project_id", Code::IdInvalid);
    }
    v.or(|| {
        Valid::new(NocodbBase {
            api_url: api_url.to_owned(),
            project_id: project_id.to_owned(),
        })
    })
}

/// A user's row in the external database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteUser {
    /// E-mail address.
    pub email: String,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// Full name, as in the profile.
    pub fullname: Option<String>,
    /// Whether the account is blocked.
    pub is_blocked: bool,
    /// Number of the plan.
    pub subscription_id: Option<i64>,
}

/// Checks a user's row. The address is normalised, names are trimmed, and empty ones become `None`.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate_user(user: &RemoteUser) -> Result<Valid<RemoteUser>, Violations> {
    let mut v = Violations::new();
    let email = v.take(account::validate_email("email", &user.email));
    let first_name = name(&mut v, "first_name", user.first_name.as_deref(), MAX_NAME);
    let last_name = name(&mut v, "last_name", user.last_name.as_deref(), MAX_NAME);
    let fullname = name(&mut v, "fullname", user.fullname.as_deref(), MAX_FULLNAME);
    v.or(|| {
        Valid::new(RemoteUser {
            email: email.unwrap_or_default(),
            first_name,
            last_name,
            fullname,
            ..user.clone()
        })
    })
}

/// The fields of a job's row that can be changed in the external database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteJob {
    /// Display name.
    pub original_filename: String,
    /// Whether its owner can see it.
    pub is_visible_to_user: bool,
}

/// Checks a job's row. The name is trimmed and on one line.
///
/// # Errors
/// The name is missing or too long.
pub fn validate_job(job: &RemoteJob) -> Result<Valid<RemoteJob>, Violations> {
    let mut v = Violations::new();
    let filename = Some(job.original_filename.as_str());
    let name = name(&mut v, "original_filename", filename, MAX_NAME);
    if name.is_none() {
        v.add("original_filename", Code::FileRequired);
    }
    v.or(|| {
        Valid::new(RemoteJob {
            original_filename: name.unwrap_or_default(),
            ..job.clone()
        })
    })
}

fn name(v: &mut Violations, field: &str, value: Option<&str>, max: usize) -> Option<String> {
    let name = text::one_line(value?);
    let name = name.trim();
    text::limited(v, field, name, max);
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(api_url: &str, project_id: &str) -> Result<Valid<NocodbBase>, Violations> {
        validate_place(&NocodbBase {
            api_url: api_url.to_owned(),
            project_id: project_id.to_owned(),
        })
    }

    #[test]
    fn a_place_needs_a_valid_address_and_base() {
        let fine = place(" https://nocodb.example.com/ ", " p1a2b3 ").unwrap();
        assert_eq!(fine.api_url, "https://nocodb.example.com");
        assert_eq!(fine.project_id, "p1a2b3");
        assert!(place("http://10.0.0.7:8080/nocodb", "p").is_ok());
        for bad in [
            "",
            "nocodb.example.com",
            "ftp://a/",
            "https://me:x@a/",
            "https://a/?token=1",
            "https://a/#x",
            "https://a b/",
        ] {
            let errors = place(bad, "p").unwrap_err();
            assert_eq!(errors.0[0].field, "api_url", "{bad}");
        }
        for bad in ["", " ", "../x", "p/q", "p?x", "п", &"p".repeat(65)] {
            let errors = place("https://a", bad).unwrap_err();
            assert!(errors.has(Code::IdInvalid), "{bad}");
        }
    }

    #[test]
    fn rows_of_the_external_database_are_checked_like_any_input() {
        let user = RemoteUser {
            email: " Olha@Example.COM ".to_owned(),
            first_name: Some(" Ольга\n".to_owned()),
            last_name: Some("\u{202e} ".to_owned()),
            ..RemoteUser::default()
        };
        let user = validate_user(&user).unwrap();
        assert_eq!(user.email, "olha@example.com");
        assert_eq!(user.first_name.as_deref(), Some("Ольга"));
        assert_eq!(user.last_name, None);
        assert!(validate_user(&RemoteUser::default()).is_err());
        let named = |fullname: &str| {
            validate_user(&RemoteUser {
                email: "olha@example.com".to_owned(),
                fullname: Some(fullname.to_owned()),
                ..RemoteUser::default()
            })
        };
        let valid = named(" Ольга\u{202e} Коваль\n").unwrap();
        assert_eq!(valid.fullname.as_deref(), Some("Ольга Коваль"));
        assert_eq!(named(" ").unwrap().fullname, None);
        // The profile's own limit.
        let long = named(&"х".repeat(MAX_FULLNAME + 1)).unwrap_err();
        assert_eq!(long.0[0].field, "fullname");
        let job = |name: &str| {
            validate_job(&RemoteJob {
                original_filename: name.to_owned(),
                is_visible_to_user: true,
            })
        };
        assert_eq!(job(" a\u{0}.mp3 ").unwrap().original_filename, "a.mp3");
        assert!(job(" ").is_err());
        assert!(job(&"x".repeat(256)).unwrap_err().has(Code::TooLong));
    }
}
