//! Checks a server's configuration and everything that it needs, without changing anything, and says
//! for each fault what mends it. Works beside a running server and without one.

mod machine;
mod places;
mod proxy;
mod services;

use serde::Serialize;
use utoipa::ToSchema;

use crate::config::Config;

/// What a check has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DoctorState)]
pub enum State {
    /// Nothing to mend.
    Ok,
    /// Something works less well than it could, or not at all where nobody may need it.
    Warning,
    /// The server does not work, or loses something.
    Fault,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DoctorFinding)]
pub struct Finding {
    /// What was checked.
    #[schema(example = "database")]
    pub check: &'static str,
    /// What was found.
    pub state: State,
    /// What is there, or what is wrong.
    pub message: String,
    /// A command or a setting that mends it.
    pub remedy: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self {
            check,
            state: State::Ok,
            message: message.into(),
            remedy: None,
        }
    }

    fn warning(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            state: State::Warning,
            remedy: Some(remedy.into()),
            ..Self::ok(check, message)
        }
    }

    fn fault(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            state: State::Fault,
            ..Self::warning(check, message, remedy)
        }
    }
}

/// A client for other servers, which wait for so long.
fn client(within: std::time::Duration) -> Option<reqwest::Client> {
    // Of several callers the first one installs it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().timeout(within).build().ok()
}

/// Makes all checks. The configuration is as it was given, not prepared.
pub async fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(machine::options(config));
    let has_folder = places::data_folder(config, &mut findings);
    findings.push(machine::disk(config));
    let db = match has_folder {
        true => places::database(config, &mut findings).await,
        false => None,
    };
    findings.extend(places::recordings(config, db.as_ref()).await);
    if let Some(db) = db {
        db.close().await;
    }
    findings.extend(machine::models(config));
    findings.push(machine::open_files(config));
    findings.push(machine::ffmpeg());
    // Each of them may wait for others.
    let (yt_dlp, mail, analysis, address) = tokio::join!(
        machine::yt_dlp(config),
        services::mail(config),
        services::analysis(config),
        proxy::public_address(config),
    );
    findings.extend([yt_dlp, mail]);
    findings.extend(analysis);
    findings.extend(address);
    findings
}
