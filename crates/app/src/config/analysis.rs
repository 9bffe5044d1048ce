//! The configuration of the endpoint for analyses after recognition.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use slovo_analysis::chat::{Endpoint, EndpointError, Key};
use slovo_work::analysis::configured::Configured;

use super::Redacted;

/// After recognition.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "After recognition")]
pub struct Analysis {
    /// Base URL of an OpenAI-compatible API for summaries, translations and other analysis, for
    /// example http://127.0.0.1:8080/v1; its key goes in ANALYSIS_API_KEY
    #[arg(long = "analysis-url", env = "ANALYSIS_URL", value_name = "URL")]
    pub url: Option<String>,
    /// Model to use with that API
    #[arg(long = "analysis-model", env = "ANALYSIS_MODEL", value_name = "NAME")]
    pub model: Option<String>,
    /// Its key; from the environment alone, but tests have no environment of their own
    #[cfg_attr(not(test), arg(skip = super::from_environment("ANALYSIS_API_KEY")))]
    #[cfg_attr(test, arg(long = "analysis-api-key"))]
    pub api_key: Option<Redacted>,
    /// Context size of the model in tokens, prompt and answer together
    #[arg(
        long = "analysis-context",
        env = "ANALYSIS_CONTEXT",
        value_name = "TOKENS",
        default_value_t = 8192
    )]
    pub context: u32,
    /// Seconds without data after which a request is given up
    #[arg(
        long = "analysis-timeout",
        env = "ANALYSIS_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = 60
    )]
    pub timeout: u64,
}

impl Analysis {
    /// The API, if one is configured.
    ///
    /// # Errors
    /// The message names what is missing or not valid.
    pub fn endpoint(&self) -> Result<Option<Endpoint>> {
        let (url, model) = match (self.given_url(), self.given_model()) {
            (None, None) => return Ok(None),
            (None, Some(_)) => bail!("--analysis-url: must be given with --analysis-model"),
            (Some(_), None) => bail!("--analysis-model: must be given with --analysis-url"),
            (Some(url), Some(model)) => (url, model),
        };
        ensure!(self.timeout > 0, "--analysis-timeout: at least 1");
        let configured = self.configured()?;
        let endpoint = configured.at(&url, &model, configured.key.clone());
        let endpoint = endpoint.map_err(|error| match error {
            EndpointError::Context => anyhow!("--analysis-context: {error}"),
            _ => anyhow!("--analysis-url: {error}"),
        })?;
        Ok(Some(endpoint))
    }

    /// What is configured, complete or not.
    ///
    /// # Errors
    /// The key cannot be sent.
    pub fn configured(&self) -> Result<Configured> {
        Ok(Configured {
            url: self.given_url(),
            model: self.given_model(),
            key: self.key().context("ANALYSIS_API_KEY")?,
            context: usize::try_from(self.context).unwrap_or(usize::MAX),
            idle: Duration::from_secs(self.timeout),
        })
    }

    /// The configured address, if there is one.
    #[must_use]
    pub fn given_url(&self) -> Option<String> {
        non_empty(&self.url)
    }

    /// The configured model, if there is one.
    #[must_use]
    pub fn given_model(&self) -> Option<String> {
        non_empty(&self.model)
    }

    fn key(&self) -> Result<Option<Key>, EndpointError> {
        let key = self.api_key.as_ref().map(|key| Key::new(key.expose()));
        Ok(key.transpose()?.flatten())
    }
}

/// An empty variable counts as not set.
fn non_empty(value: &Option<String>) -> Option<String> {
    value.clone().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        analysis: Analysis,
    }

    fn parse(arguments: &[&str]) -> Analysis {
        let line = Line::try_parse_from(["slovo"].iter().chain(arguments));
        line.unwrap().analysis
    }

    const URL: [&str; 2] = ["--analysis-url", "http://10.0.0.7:8080/v1"];
    const MODEL: [&str; 2] = ["--analysis-model", "m"];

    #[test]
    fn an_analysis_endpoint_needs_a_url_and_a_model() {
        assert!(parse(&["--analysis-url", ""]).endpoint().unwrap().is_none());
        let endpoint = parse(&[URL, MODEL].concat()).endpoint().unwrap().unwrap();
        assert_eq!(endpoint.host(), "10.0.0.7:8080");
        assert_eq!(
            (endpoint.context, endpoint.limits.idle.as_secs()),
            (8192, 60)
        );
        assert!(endpoint.key.is_none());
        for (arguments, option) in [
            (&[URL].concat(), "--analysis-model"),
            (&[MODEL].concat(), "--analysis-url"),
            (
                &[MODEL, ["--analysis-url", "ftp://a/v1"]].concat(),
                "--analysis-url",
            ),
            (
                &[MODEL, ["--analysis-url", "http://me:hunter2@a/v1"]].concat(),
                "--analysis-url",
            ),
            (
                &[URL, MODEL, ["--analysis-context", "1023"]].concat(),
                "--analysis-context",
            ),
            (
                &[URL, MODEL, ["--analysis-timeout", "0"]].concat(),
                "--analysis-timeout",
            ),
        ] {
            let error = format!("{:#}", parse(arguments).endpoint().unwrap_err());
            assert!(error.starts_with(option), "{error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn the_api_key_is_hidden_in_debug_output() {
        let analysis = parse(&[URL, MODEL, ["--analysis-api-key", "hunter2"]].concat());
        let endpoint = analysis.endpoint().unwrap().unwrap();
        assert!(endpoint.key.is_some());
        assert!(!format!("{analysis:?}{endpoint:?}").contains("hunter2"));
    }
}
