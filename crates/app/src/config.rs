//! The configuration, by topic; checked once at startup.
//!
//! Every value can be given as an option of `slovo serve` or as an environment variable; the option
//! takes precedence.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::{ArgAction, Args};
use slovo_accounts::auth::api_keys::hash_of_key;
use slovo_rules::site::Edition;

mod analysis;
mod backups;
mod cors_origin;
mod engine;
mod engine_process;
mod fetch;
mod hash_cost;
mod mail;
mod nocodb;
mod objects;
mod openid;
mod openid_mark;
mod sources;
mod storage;
mod temporal;
mod webhooks;

pub use analysis::Analysis;
pub use backups::{BackupPlace, Backups, open_place};
pub use cors_origin::CorsOrigin;
pub use engine::{Engine, GpuChoice, ModelsSource};
pub use engine_process::EngineProcess;
pub use fetch::Fetch;
pub use hash_cost::HashCost;
pub use mail::Mail;
pub use nocodb::Nocodb;
pub use objects::ObjectStore;
pub use openid::OpenId;
pub use openid_mark::ProviderLogo;
pub use slovo_platform::public_url::PublicUrl;
pub use slovo_platform::redacted::Redacted;
pub use sources::Sources;
pub use storage::Storage;
pub use temporal::Temporal;
pub use webhooks::Webhooks;

/// All options of `slovo serve`.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Where it listens and what it serves.
    #[command(flatten)]
    pub http: Http,
    /// Who the server is for, until an administrator answers on the home page: service (with prices,
    /// a trial and testimonials) or organisation (nothing is sold)
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
    /// Where recordings are kept.
    #[command(flatten)]
    pub objects: ObjectStore,
    /// Backups.
    #[command(flatten)]
    pub backups: Backups,
    /// What drives the work of many machines.
    #[command(flatten)]
    pub temporal: Temporal,
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
    /// External services that the server calls.
    #[command(flatten)]
    pub webhooks: Webhooks,
    /// Places that are watched for new recordings.
    #[command(flatten)]
    pub sources: Sources,
    /// Recognition.
    #[command(flatten)]
    pub engine: Engine,
    /// How much lower the priority of recognition is than that of requests, 0 to 19
    #[arg(
        long,
        env = "SLOVO_RECOGNITION_NICE",
        value_name = "N",
        default_value_t = 5,
        value_parser = clap::value_parser!(u8).range(0..=19)
    )]
    pub recognition_nice: u8,
    /// Minutes after which a recognition model that no job uses is unloaded from memory; 0: never
    #[arg(
        long,
        env = "SLOVO_UNLOAD_MODELS_AFTER",
        value_name = "MINUTES",
        default_value_t = 60
    )]
    pub unload_models_after: u32,
    /// The process in which recordings are decoded and recognised.
    #[command(flatten)]
    pub engine_process: EngineProcess,
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
    /// Address to listen on; 0.0.0.0 for all networks
    #[arg(long, env = "SLOVO_HOST", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub host: IpAddr,
    /// Port to listen on; 0 for any free port
    #[arg(long, env = "SLOVO_PORT", default_value_t = 8787)]
    pub port: u16,
    /// Public URL of the server, for links in emails [default: http://HOST:PORT]
    #[arg(long, env = "SLOVO_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,
    /// Folder of the built web app [default: web next to the program, else ./web/dist]
    #[arg(long, env = "SLOVO_WEB", value_name = "DIR")]
    pub web: Option<PathBuf>,
    /// Address for /metrics, /livez and /readyz, such as 127.0.0.1:9464; it needs no sign-in, so keep
    /// it away from the internet
    #[arg(long, env = "SLOVO_METRICS", value_name = "ADDRESS")]
    pub metrics: Option<SocketAddr>,
    /// A reverse proxy in front sets X-Forwarded-For; the last entry is taken as the client address
    #[arg(long, env = "SLOVO_BEHIND_PROXY")]
    pub behind_proxy: bool,
    /// Most connections at once, fewer if the limit on open files (ulimit -n) does not allow them
    #[arg(
        long,
        env = "SLOVO_CONNECTIONS",
        value_name = "N",
        default_value_t = 4096,
        value_parser = clap::value_parser!(u64).range(16..=1_000_000)
    )]
    pub connections: u64,
    /// Origins of web pages that may call the API with a key, separated by commas: https://tools.example
    #[arg(
        long,
        env = "SLOVO_CORS_ORIGINS",
        value_name = "ORIGINS",
        value_delimiter = ','
    )]
    pub cors_origins: Vec<CorsOrigin>,
    /// Address for the Wyoming protocol of Home Assistant, such as 0.0.0.0:10300; its recordings
    /// belong to the account of the API key in SLOVO_WYOMING_KEY
    #[arg(long, env = "SLOVO_WYOMING", value_name = "ADDRESS")]
    pub wyoming: Option<SocketAddr>,
    /// The API key for it; from the environment alone, but tests have no environment of their own
    #[cfg_attr(not(test), arg(skip = from_environment("SLOVO_WYOMING_KEY")))]
    #[cfg_attr(test, arg(long = "wyoming-key"))]
    pub wyoming_key: Option<Redacted>,
}

/// Sign-in and its limits.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Accounts")]
pub struct Auth {
    /// Secret that all keys derive from, 32 bytes or more [default: a file in the data folder]
    #[arg(skip = from_environment("SLOVO_SECRET"))]
    pub secret: Option<Redacted>,
    /// Sign-ups allowed per hour from one IP address
    #[arg(
        long,
        env = "SLOVO_SIGNUPS_PER_HOUR",
        value_name = "N",
        default_value_t = 20
    )]
    pub signups_per_hour: u32,
    /// Sign-in attempts allowed per minute from one IP address
    #[arg(
        long,
        env = "SLOVO_LOGINS_PER_MINUTE",
        value_name = "N",
        default_value_t = 30
    )]
    pub logins_per_minute: u32,
    /// Sign-in attempts allowed per 15 minutes for one account from one IP address
    #[arg(
        long,
        env = "SLOVO_LOGINS_PER_ACCOUNT",
        value_name = "N",
        default_value_t = 10
    )]
    pub logins_per_account: u32,
    /// Sign-up and password-reset emails sent per hour to one email address
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

/// A secret has no option, because every user of the machine can read the arguments of a process.
fn from_environment(variable: &str) -> Option<Redacted> {
    std::env::var(variable)
        .ok()
        .filter(|value| !value.is_empty())
        .map(Redacted::from)
}

/// The secret in `SLOVO_SECRET`, for commands without the options of accounts.
#[must_use]
pub fn secret_of_environment() -> Option<Redacted> {
    from_environment("SLOVO_SECRET")
}

impl Config {
    /// Checks what the types do not, and creates the data folder.
    ///
    /// # Errors
    /// Names the option that cannot be used, and why.
    pub fn prepare(mut self) -> Result<Self> {
        self.storage.prepare()?;
        self.check_values()?;
        self.fetch.check()?;
        self.backups.recipients()?;
        self.openid.provider()?;
        self.openid.read_mark()?;
        self.analysis.endpoint()?;
        self.nocodb.prepare()?;
        self.mail.sender(&self.public_url())?;
        Ok(self)
    }

    /// Checks what the types of the options do not, without changing anything.
    ///
    /// # Errors
    /// Names the option that cannot be used, and why.
    pub(crate) fn check_values(&self) -> Result<()> {
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
        self.sources.check()?;
        self.http.check_wyoming()
    }

    /// Where to listen.
    pub fn address(&self) -> SocketAddr {
        self.http.address()
    }

    /// The public URL of the server; the address that it listens on if none is configured.
    pub fn public_url(&self) -> PublicUrl {
        self.http.public_url()
    }

    /// The data folder.
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

    /// Where the Wyoming protocol is served, and the key for it.
    pub fn wyoming_listener(&self) -> Option<(SocketAddr, &str)> {
        let key = self.wyoming_key.as_ref().map(Redacted::expose)?;
        Some((self.wyoming?, key))
    }

    fn check_wyoming(&self) -> Result<()> {
        let key = self.wyoming_key.as_ref().map(Redacted::expose);
        ensure!(
            self.wyoming.is_none() || key.and_then(hash_of_key).is_some(),
            "--wyoming: SLOVO_WYOMING_KEY has to be an API key with the scope transcribe"
        );
        Ok(())
    }

    /// See [`Config::public_url`].
    pub fn public_url(&self) -> PublicUrl {
        self.public_url
            .clone()
            .unwrap_or_else(|| PublicUrl::of_address(self.address()))
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
    fn secrets_are_hidden_in_debug_output() {
        let config = parse(&["--database-url", "postgres://me:hunter2@localhost/x"]);
        assert!(!format!("{config:?}").contains("hunter2"));
    }

    #[test]
    fn an_invalid_option_is_named_in_the_error() {
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
    fn the_data_folder_is_created_with_private_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("a/b");
        let config = parse(&["--data", data.to_str().unwrap()])
            .prepare()
            .unwrap();
        let mode = config.data().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "others cannot look into it");
        std::fs::write(folder.path().join("file"), "").unwrap();
        let file = folder.path().join("file");
        assert!(
            parse(&["--data", file.to_str().unwrap()])
                .prepare()
                .is_err()
        );
    }
}
