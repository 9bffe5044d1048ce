//! What can be configured, by topic; checked once, at start.
//!
//! Every value can be given as an option of `slovo serve` or as a variable; the option wins.

use std::fmt;
use std::fs::Permissions;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use clap::{ArgAction, Args};
use slovo_engine::models::Choice;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::site::Edition;

use crate::models::{Fetcher, Home, Source};

mod analysis;
mod fetch;
mod hash_cost;
mod mail;
mod nocodb;
mod openid;
mod public_url;
mod webhooks;

pub use analysis::Analysis;
pub use fetch::Fetch;
pub use hash_cost::HashCost;
pub use mail::Mail;
pub use nocodb::Nocodb;
pub use openid::{OpenId, Provider};
pub use public_url::PublicUrl;
pub use webhooks::Webhooks;

/// Everything that `slovo serve` can be told.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Where it listens and what it serves.
    #[command(flatten)]
    pub http: Http,
    /// Whom the server is for, until an administrator says so on the first page: service (with
    /// prices, a trial and testimonials) or organisation (nothing is sold)
    #[arg(
        long,
        env = "SLOVO_EDITION",
        value_name = "EDITION",
        value_parser = edition,
        help_heading = "Public pages"
    )]
    pub edition: Option<Edition>,
    /// Where data is kept.
    #[command(flatten)]
    pub storage: Storage,
    /// Sign-in and its limits.
    #[command(flatten)]
    pub auth: Auth,
    /// Whether a sample recording with a tour waits in a new account
    #[arg(
        long,
        env = "SLOVO_SAMPLE",
        value_name = "true|false",
        default_value_t = true,
        action = ArgAction::Set,
        help_heading = "Accounts"
    )]
    pub sample: bool,
    /// Sign-in with Google.
    #[command(flatten)]
    pub openid: OpenId,
    /// How mail is sent.
    #[command(flatten)]
    pub mail: Mail,
    /// Recordings from the web.
    #[command(flatten)]
    pub fetch: Fetch,
    /// Services of others that the server calls.
    #[command(flatten)]
    pub webhooks: Webhooks,
    /// Recognition.
    #[command(flatten)]
    pub engine: Engine,
    /// Steps of priority by which recognition gives way to whoever waits for a page, 0 to 19
    #[arg(
        long,
        env = "SLOVO_RECOGNITION_NICE",
        value_name = "N",
        default_value_t = 5,
        value_parser = clap::value_parser!(u8).range(0..=19)
    )]
    pub recognition_nice: u8,
    /// After recognition.
    #[command(flatten)]
    pub analysis: Analysis,
    /// The external database.
    #[command(flatten)]
    pub nocodb: Nocodb,
}

/// An edition by its name.
fn edition(name: &str) -> Result<Edition, String> {
    Edition::parse(name).ok_or_else(|| "it is service or organisation".to_owned())
}

/// Where it listens and what it serves.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "HTTP")]
pub struct Http {
    /// Address to listen on; 0.0.0.0 for every network
    #[arg(long, env = "SLOVO_HOST", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub host: IpAddr,
    /// Port to listen on; 0 takes a free one
    #[arg(long, env = "SLOVO_PORT", default_value_t = 8787)]
    pub port: u16,
    /// URL at which people reach the server, for links in mails [default: http://HOST:PORT]
    #[arg(long, env = "SLOVO_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,
    /// Folder of the built web app [default: web beside the program, else ./web/dist]
    #[arg(long, env = "SLOVO_WEB", value_name = "DIR")]
    pub web: Option<PathBuf>,
    /// Whether a reverse proxy in front sets X-Forwarded-For; its last entry is then the caller
    #[arg(long, env = "SLOVO_BEHIND_PROXY")]
    pub behind_proxy: bool,
}

/// Where data is kept.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Storage")]
pub struct Storage {
    /// Folder of everything that is kept: database, uploads, the server's secret
    // Global: where a verb has verbs of its own, the folder may follow either.
    #[arg(
        long,
        env = "SLOVO_DATA",
        value_name = "DIR",
        default_value = "./data",
        global = true
    )]
    pub data: PathBuf,
    /// Database: postgres://… [default: a SQLite file in the data folder]
    #[arg(
        long,
        env = "DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        global = true
    )]
    pub database_url: Option<Redacted>,
    /// Start although the data folder or the secret is not the one that the database knows, and keep
    /// to it from then on: for one start, after a move or a loss
    #[arg(long, global = true)]
    pub adopt: bool,
}

/// Sign-in and its limits.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Accounts")]
pub struct Auth {
    /// Secret that all keys derive from, 32 bytes or more [default: a file in the data folder]
    #[arg(skip = from_environment("SLOVO_SECRET"))]
    pub secret: Option<Redacted>,
    /// Sign-ups that one address may make per hour
    #[arg(
        long,
        env = "SLOVO_SIGNUPS_PER_HOUR",
        value_name = "N",
        default_value_t = 20
    )]
    pub signups_per_hour: u32,
    /// Sign-ins that one address may try per minute
    #[arg(
        long,
        env = "SLOVO_LOGINS_PER_MINUTE",
        value_name = "N",
        default_value_t = 30
    )]
    pub logins_per_minute: u32,
    /// Sign-ins that may be tried per quarter of an hour for one account from one address
    #[arg(
        long,
        env = "SLOVO_LOGINS_PER_ACCOUNT",
        value_name = "N",
        default_value_t = 10
    )]
    pub logins_per_account: u32,
    /// Mails that one e-mail address is sent per hour at sign-up and for forgotten passwords
    #[arg(
        long,
        env = "SLOVO_MAILS_PER_HOUR",
        value_name = "N",
        default_value_t = 10
    )]
    pub mails_per_hour: u32,
    /// Cost of a password's hash
    #[command(flatten)]
    pub hash_cost: HashCost,
}

/// Recognition.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Recognition")]
pub struct Engine {
    /// Folder of the speech models [default: $XDG_DATA_HOME/slovo/models]
    #[arg(long, env = "SLOVO_MODELS", value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// Model of Full mode [default: the one chosen by `slovo models`, else base-q8_0]
    #[arg(long, env = "SLOVO_FULL_MODEL", value_name = "ID")]
    pub full_model: Option<String>,
    /// Model of Lite mode [default: the one chosen by `slovo models`, else tiny.en-q8_0]
    #[arg(long, env = "SLOVO_LITE_MODEL", value_name = "ID")]
    pub lite_model: Option<String>,
    /// Threads for recognition, over all jobs [default: the machine's cores]
    #[arg(long, env = "SLOVO_THREADS", value_name = "N")]
    pub threads: Option<usize>,
    /// Where administrators' pulls of models come from
    #[arg(
        long,
        env = "SLOVO_MODELS_SOURCE",
        value_name = "SOURCE",
        value_enum,
        default_value_t = Source::Any
    )]
    pub models_source: Source,
    /// The hub that they come from [default: the public one]
    #[arg(long, env = "HF_ENDPOINT", value_name = "URL")]
    pub models_hub: Option<String>,
    /// ONNX file of another speaker embedding; its description stands beside it, ending in .json
    #[arg(long, env = "SLOVO_SPEAKER_EMBEDDING", value_name = "FILE")]
    pub speaker_embedding: Option<PathBuf>,
}

/// A secret has no option, because the arguments of a process can be read by everybody.
fn from_environment(variable: &str) -> Option<Redacted> {
    std::env::var(variable)
        .ok()
        .filter(|value| !value.is_empty())
        .map(Redacted)
}

impl Config {
    /// Checks what the types do not, and makes the data folder.
    ///
    /// # Errors
    /// Names the option that cannot be used, and why.
    pub fn prepare(mut self) -> Result<Self> {
        self.storage.prepare()?;
        if let Some(web) = &self.http.web {
            ensure!(
                web.join("index.html").is_file(),
                "--web {}: there is no index.html; build the web app first (`cargo xtask up` does)",
                web.display()
            );
        }
        ensure!(self.engine.threads != Some(0), "--threads: at least 1");
        for (name, value) in [
            ("--signups-per-hour", self.auth.signups_per_hour),
            ("--logins-per-minute", self.auth.logins_per_minute),
            ("--logins-per-account", self.auth.logins_per_account),
            ("--mails-per-hour", self.auth.mails_per_hour),
        ] {
            ensure!(value > 0, "{name}: at least 1");
        }
        ensure!(
            self.auth.hash_cost.is_enough(),
            "--argon2-memory, --argon2-passes: too cheap to break; at least 19456 KiB with 2 passes"
        );
        self.fetch.check()?;
        self.openid.provider()?;
        self.analysis.endpoint()?;
        self.nocodb.prepare()?;
        self.mail.server()?;
        self.mail.sender(&self.public_url())?;
        Ok(self)
    }

    /// Where to listen.
    pub fn address(&self) -> SocketAddr {
        self.http.address()
    }

    /// Where people reach the server; where it listens if nothing else is said.
    pub fn public_url(&self) -> PublicUrl {
        self.http.public_url()
    }

    /// Folder of everything that is kept.
    pub fn data(&self) -> &Path {
        &self.storage.data
    }

    /// Folder of the built web app, if there is one.
    pub fn web_folder(&self) -> Option<PathBuf> {
        let beside = || Some(std::env::current_exe().ok()?.parent()?.join("web"));
        let candidates = match &self.http.web {
            Some(web) => vec![web.clone()],
            None => beside()
                .into_iter()
                .chain([PathBuf::from("web/dist")])
                .collect(),
        };
        candidates
            .into_iter()
            .find(|folder| folder.join("index.html").is_file())
    }
}

impl Http {
    fn address(&self) -> SocketAddr {
        SocketAddr::new(self.host, self.port)
    }

    /// See [`Config::public_url`].
    pub fn public_url(&self) -> PublicUrl {
        self.public_url
            .clone()
            .unwrap_or_else(|| PublicUrl::of_address(self.address()))
    }
}

impl Engine {
    /// What the engine is made with.
    ///
    /// # Errors
    /// If no folder of models is named and there is no home to look in.
    pub fn to_engine(&self) -> Result<slovo_engine::EngineConfig> {
        let models = self
            .models
            .clone()
            .or_else(slovo_engine::models::default_dir);
        let models = models.context("--models: there is no home folder, so it must be given")?;
        let choice = Choice::load(&models).overridden_by(self.told());
        let mut engine = slovo_engine::EngineConfig::new(models);
        choice
            .model(TranscriptionType::Full)
            .clone_into(&mut engine.full_model);
        choice
            .model(TranscriptionType::Lite)
            .clone_into(&mut engine.lite_model);
        engine.threads = self.threads.unwrap_or(engine.threads);
        if let Some(file) = &self.speaker_embedding {
            anyhow::ensure!(
                file.is_file(),
                "--speaker-embedding {}: there is no such file",
                file.display()
            );
            engine.speaker_embedding = Some(file.clone());
        }
        Ok(engine)
    }

    /// The models that the configuration names for the modes.
    #[must_use]
    pub fn told(&self) -> Choice {
        Choice {
            full: self.full_model.clone(),
            lite: self.lite_model.clone(),
        }
    }

    /// What fetches models into a folder.
    ///
    /// # Errors
    /// If the hub is no address.
    pub fn fetcher(&self, dir: PathBuf) -> Result<Fetcher> {
        let home = Home::at(self.models_hub.as_deref()).context("--models-hub")?;
        Ok(Fetcher {
            dir,
            home,
            source: self.models_source,
            python: "python3".into(),
        })
    }
}

impl Storage {
    /// Makes the data folder where it is missing.
    ///
    /// # Errors
    /// If it can be neither made nor opened.
    pub fn prepare(&mut self) -> Result<()> {
        let data = &self.data;
        // Recordings are private: what is made here is for its owner only.
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(data)
            .with_context(|| format!("--data {}: cannot make this folder", data.display()))?;
        self.data = data
            .canonicalize()
            .with_context(|| format!("--data {}: cannot open this folder", data.display()))?;
        keep_private(&self.data);
        Ok(())
    }

    /// How to open the database.
    pub fn database(&self) -> slovo_db::Options {
        match &self.database_url {
            Some(url) => slovo_db::Options::url(url.expose()),
            None => slovo_db::Options::file(&self.data.join("slovo.db")),
        }
    }
}

/// Takes from everybody else what they may do with the folder and with what the server keeps in it:
/// both may have been made beforehand, for all to read. What cannot be corrected is said.
fn keep_private(data: &Path) {
    let kept = [
        "slovo.db",
        "slovo.db-wal",
        "slovo.db-shm",
        crate::secret::FILE,
    ];
    let folders = ["media", "downloads", "avatars", "outbox", "workers"];
    let within = kept.iter().chain(&folders).map(|name| data.join(name));
    for path in std::iter::once(data.to_owned()).chain(within) {
        // What is not there yet is made for its owner only (see `serve::run`).
        let Ok(found) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        let mode = found.permissions().mode();
        if found.is_symlink() || mode & 0o077 == 0 {
            continue;
        }
        let private = Permissions::from_mode(mode & 0o700);
        match std::fs::set_permissions(&path, private) {
            Ok(()) => tracing::warn!(path = %path.display(), was = format!("{:o}", mode & 0o777),
                "others could read this; it is for its owner only now"),
            Err(error) => tracing::error!(path = %path.display(), %error,
                "others can read this, and it cannot be changed"),
        }
    }
}

/// A value that is never shown.
#[derive(Clone)]
pub struct Redacted(String);

impl Redacted {
    /// The value itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for Redacted {
    type Err = std::convert::Infallible;

    fn from_str(value: &str) -> Result<Self, Self::Err> {
        Ok(Self(value.to_owned()))
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        config: Config,
    }

    fn parse(arguments: &[&str]) -> Config {
        Line::try_parse_from(["slovo"].iter().chain(arguments))
            .unwrap()
            .config
    }

    #[test]
    fn secrets_are_not_shown() {
        let config = parse(&["--database-url", "postgres://me:hunter2@localhost/x"]);
        assert!(!format!("{config:?}").contains("hunter2"));
    }

    #[test]
    fn a_value_that_cannot_serve_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().to_str().unwrap();
        let message = |arguments: &[&str]| {
            let arguments = [&["--data", data], arguments].concat();
            parse(&arguments)
                .prepare()
                .map(|_| ())
                .unwrap_err()
                .to_string()
        };
        assert!(message(&["--web", data]).starts_with("--web"));
        assert!(message(&["--threads", "0"]).starts_with("--threads"));
        assert!(message(&["--logins-per-minute", "0"]).starts_with("--logins-per-minute"));
        let cheap = ["--argon2-memory", "19455", "--argon2-passes", "2"];
        assert!(message(&cheap).starts_with("--argon2-memory"));
        assert!(Line::try_parse_from(["slovo", "--port", "70000"]).is_err());
        assert!(Line::try_parse_from(["slovo", "--host", "nowhere"]).is_err());
        assert!(Line::try_parse_from(["slovo", "--public-url", "slovo.example.com"]).is_err());
        assert!(message(&["--mail-from", "nobody"]).starts_with("--mail-from"));
        assert!(message(&["--yt-dlp", data]).starts_with("--yt-dlp"));
        assert!(Line::try_parse_from(["slovo", "--fetch-allow", "nas"]).is_err());
        assert!(Line::try_parse_from(["slovo", "--webhook-allow", "10.0.0.0/33"]).is_err());
        assert!(Line::try_parse_from(["slovo", "--edition", "shop"]).is_err());
    }

    #[test]
    fn the_data_folder_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("a/b");
        let config = parse(&["--data", data.to_str().unwrap()])
            .prepare()
            .unwrap();
        let mode = config.data().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "others cannot look into it");
        std::fs::write(folder.path().join("file"), "").unwrap();
        let taken = folder.path().join("file");
        assert!(
            parse(&["--data", taken.to_str().unwrap()])
                .prepare()
                .is_err()
        );
    }
}
