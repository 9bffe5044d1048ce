//! The endpoint that is in force: what an administrator has set, over the server's configuration.
//!
//! The address may be internal: whoever administers the server may run the model beside it. But
//! the key belongs to the place that the configuration names. It is sent there and nowhere else:
//! to the same scheme, host and port. An administrator who sets another address gets an endpoint
//! without a key, so that nobody who comes by a session can have the key sent to themselves.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use reqwest::Url;
use serde::Serialize;
use slovo_analysis::chat::{Endpoint, EndpointError};
use slovo_db::{Connection, server_settings};
use slovo_rules::server_settings::AnalysisForm;
use slovo_rules::violation::{Code, Violation};
use slovo_rules::{Valid, Violations};
use tokio::runtime::Handle;
use utoipa::ToSchema;

use super::endpoint::ServerPace;
use crate::config;
use crate::state::AppState;

const KEY: &str = "analysis";

/// How often another process's change is looked for.
const EVERY: Duration = Duration::from_secs(5);

/// What becomes of the server's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AnalysisKey)]
pub enum KeyUse {
    /// The server has none.
    Missing,
    /// It goes along with every request.
    Sent,
    /// It stays here: the address is not the one it belongs to.
    Withheld,
}

/// An endpoint as it comes out of the settings and the configuration.
#[derive(Clone, Debug)]
pub struct InForce {
    /// Base address, without a slash at its end.
    pub url: String,
    /// The endpoint.
    pub endpoint: Endpoint,
    /// What becomes of the key.
    pub key: KeyUse,
}

/// What is stored.
///
/// # Errors
/// When the database fails.
pub async fn stored(connection: &mut Connection) -> slovo_db::Result<AnalysisForm> {
    let form = server_settings::get(connection, KEY).await?;
    Ok(form.unwrap_or_default())
}

/// Stores what was checked. [`apply`] follows the commit.
///
/// # Errors
/// When the database fails.
pub async fn store(
    connection: &mut Connection,
    form: &Valid<AnalysisForm>,
    now: i64,
) -> slovo_db::Result<()> {
    server_settings::set(connection, KEY, &**form, now).await
}

/// The endpoint of these settings over this configuration; `None` where neither names one.
///
/// # Errors
/// What is missing or cannot be used.
pub fn in_force(
    config: &config::Analysis,
    form: &AnalysisForm,
) -> Result<Option<InForce>, Violations> {
    let over = |set: &str, configured: Option<String>| {
        Some(set.to_owned())
            .filter(|set| !set.is_empty())
            .or(configured)
    };
    let url = over(&form.url, config.given_url());
    let model = over(&form.model, config.given_model());
    let (url, model) = match (url, model) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return Err(Violation::new("url", Code::UrlRequired).into()),
        (Some(_), None) => return Err(Violation::new("model", Code::ModelRequired).into()),
        (Some(url), Some(model)) => (url, model),
    };
    let unusable = |error| match error {
        EndpointError::Url | EndpointError::Scheme | EndpointError::Extras => {
            Violations::from(Violation::new("url", Code::UrlInvalid))
        }
        // Of the configuration, which was checked at the start.
        EndpointError::Key | EndpointError::Context | EndpointError::Client => {
            Violations::from(Violation::new("", Code::UrlInvalid))
        }
    };
    let key = config.key().map_err(unusable)?;
    let (sent, key) = match (key, config.given_url()) {
        (None, _) => (None, KeyUse::Missing),
        (Some(key), Some(own)) if same_place(&own, &url) => (Some(key), KeyUse::Sent),
        (Some(_), _) => (None, KeyUse::Withheld),
    };
    let endpoint = config.at(&url, &model, sent).map_err(unusable)?;
    Ok(Some(InForce {
        url: url.trim().trim_end_matches('/').to_owned(),
        endpoint,
        key,
    }))
}

/// Whether two addresses have scheme, host and port in common.
fn same_place(one: &str, other: &str) -> bool {
    match (Url::parse(one.trim()), Url::parse(other.trim())) {
        (Ok(one), Ok(other)) => one.origin() == other.origin(),
        _ => false,
    }
}

/// Puts the stored endpoint in force in this process, if it is not yet. What runs ends with the
/// one it began with.
///
/// # Errors
/// When the database fails, or there is no HTTP client.
pub async fn apply(state: &AppState) -> anyhow::Result<()> {
    let form = stored(&mut *state.db.read().await?).await?;
    let analyses = &state.analyses.0;
    let mut configured = analyses
        .configured
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if *configured == form {
        return Ok(());
    }
    let found = match in_force(&state.config.analysis, &form) {
        Ok(found) => found,
        Err(violations) => {
            // The configuration it was checked against was another one.
            tracing::warn!(%violations, "the stored analysis endpoint cannot be used; there is none");
            None
        }
    };
    let pace = ServerPace {
        clock: Arc::clone(&state.clock),
        random: Arc::clone(&state.random),
    };
    let endpoint = found.map(|found| found.endpoint);
    let host = endpoint.as_ref().map(Endpoint::host);
    let engines = state
        .analyses
        .engines()
        .with_endpoint(endpoint, pace, Handle::current())?;
    state.analyses.exchange(engines);
    *configured = form;
    tracing::info!(?host, "the analysis endpoint is another one");
    Ok(())
}

/// Follows what administrators set through other processes, until the server stops.
pub async fn keep_applied(state: AppState) {
    loop {
        tokio::select! {
            () = state.shutdown.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        if let Err(error) = apply(&state).await {
            tracing::warn!(
                error = format!("{error:#}"),
                "the analysis endpoint stays as it was"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        analysis: config::Analysis,
    }

    fn config(arguments: &[&str]) -> config::Analysis {
        let line = Line::try_parse_from(["slovo"].iter().chain(arguments));
        line.unwrap().analysis
    }

    fn form(url: &str, model: &str) -> AnalysisForm {
        AnalysisForm {
            url: url.to_owned(),
            model: model.to_owned(),
        }
    }

    #[test]
    fn what_is_set_stands_over_the_configuration() {
        let none = config(&[]);
        assert!(in_force(&none, &form("", "")).unwrap().is_none());
        let missing = in_force(&none, &form("http://a/v1", "")).unwrap_err();
        assert!(missing.has(Code::ModelRequired));
        let missing = in_force(&none, &form("", "m")).unwrap_err();
        assert!(missing.has(Code::UrlRequired));
        let set = in_force(&none, &form("http://10.0.0.7:8080/v1", "m"));
        let set = set.unwrap().unwrap();
        assert_eq!(
            (set.endpoint.host().as_str(), set.key),
            ("10.0.0.7:8080", KeyUse::Missing)
        );

        let own = config(&["--analysis-url", "http://own/v1", "--analysis-model", "own"]);
        let found = in_force(&own, &form("", "")).unwrap().unwrap();
        assert_eq!(
            (&*found.url, &*found.endpoint.model),
            ("http://own/v1", "own")
        );
        let found = in_force(&own, &form("", "other")).unwrap().unwrap();
        assert_eq!(
            (&*found.url, &*found.endpoint.model),
            ("http://own/v1", "other")
        );
        let found = in_force(&own, &form("https://b/v1", "")).unwrap().unwrap();
        assert_eq!(
            (&*found.url, &*found.endpoint.model),
            ("https://b/v1", "own")
        );
    }

    #[test]
    fn the_key_goes_to_the_configured_place_only() {
        let own = config(&[
            "--analysis-url",
            "https://ai.example/v1",
            "--analysis-model",
            "m",
            "--analysis-api-key",
            "hunter2",
        ]);
        for (url, key) in [
            ("", KeyUse::Sent),
            ("https://ai.example/v2", KeyUse::Sent),
            ("https://ai.example:443/v1", KeyUse::Sent),
            // In the clear, on another port, on another host, or on one that only looks alike.
            ("http://ai.example/v1", KeyUse::Withheld),
            ("https://ai.example:8443/v1", KeyUse::Withheld),
            ("https://evil.example/v1", KeyUse::Withheld),
            ("https://ai.example.evil.example/v1", KeyUse::Withheld),
            ("https://ai.example.@evil.example/v1", KeyUse::Withheld),
        ] {
            let Ok(found) = in_force(&own, &form(url, "")) else {
                assert!(url.contains('@'), "{url}");
                continue;
            };
            let found = found.unwrap();
            assert_eq!(found.key, key, "{url}");
            assert_eq!(found.endpoint.key.is_some(), key == KeyUse::Sent, "{url}");
        }
        // A key without an address of its own belongs nowhere.
        let loose = config(&["--analysis-api-key", "hunter2"]);
        let found = in_force(&loose, &form("https://a/v1", "m")).unwrap();
        assert_eq!(found.unwrap().key, KeyUse::Withheld);
    }
}
