//! Pulls from a local server in place of the hub.

mod hub_pulls;
mod local_hub;
mod tasks;

use std::fs;
use std::path::Path;
use std::time::Duration;

use reqwest::Url;
use slovo_model_catalogue::{Checksum, Kind, Model, Record};

use super::{Fetcher, HubEndpoint, PullError, PullOutcome, Source};

/// Content of the test model. No two sections are alike, so a misplaced byte changes the checksum.
fn contents() -> Vec<u8> {
    (0..100_000_u32)
        .map(|i| i.to_le_bytes()[(i % 3) as usize])
        .collect()
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn sha256(bytes: &[u8]) -> &'static str {
    use sha2::{Digest, Sha256};
    leaked(hex::encode(Sha256::digest(bytes)))
}

fn model() -> Model {
    Model {
        id: "made",
        kind: Kind::VoiceActivity,
        hub_repository: Some("someone/models"),
        published: Checksum::Sha256(sha256(&contents())),
        converted: None,
    }
}

fn fetcher(dir: &Path, endpoint: Url, source: Source) -> Fetcher {
    Fetcher {
        dir: dir.to_owned(),
        hub: HubEndpoint {
            endpoint,
            read_limit: Duration::from_secs(2),
            pause: Duration::ZERO,
        },
        source,
    }
}

async fn pull(fetcher: &Fetcher) -> Result<PullOutcome, PullError> {
    fetcher.pull(&model(), &|_| ()).await
}

/// Asserts that there is no final file and no record.
fn assert_nothing(dir: &Path) {
    assert!(!dir.join("ggml-made.bin").exists());
    assert!(Record::read(dir, "made").is_none());
}

fn assert_installed(dir: &Path) {
    assert_eq!(fs::read(dir.join("ggml-made.bin")).unwrap(), contents());
    let record = Record::read(dir, "made").unwrap();
    assert_eq!(record.sha256, sha256(&contents()));
    assert!(!dir.join("ggml-made.bin.part").exists());
}
