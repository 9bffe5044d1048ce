//! Temporal, which can drive the work in place of the tables.

use clap::Args;
use reqwest::Url;

use super::Redacted;

/// Temporal, as the driver of the work of many machines. The program must be built with the feature
/// `temporal`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Temporal")]
pub struct Temporal {
    /// The server of Temporal, for example <http://127.0.0.1:7233>; `SLOVO_TEMPORAL_API_KEY` holds its
    /// key, if it wants one [default: the database drives the work]
    #[arg(long = "temporal", env = "SLOVO_TEMPORAL_URL", value_name = "URL")]
    pub temporal_url: Option<Url>,
    /// The namespace at Temporal
    #[arg(
        long,
        env = "SLOVO_TEMPORAL_NAMESPACE",
        value_name = "NAME",
        default_value = "default"
    )]
    pub temporal_namespace: String,
    /// The key
    #[arg(skip = super::from_environment("SLOVO_TEMPORAL_API_KEY"))]
    pub temporal_api_key: Option<Redacted>,
}
