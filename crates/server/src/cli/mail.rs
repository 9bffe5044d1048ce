//! `slovo mail`: previews mails and tests sending them.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use slovo_app::config::{self, Http, Storage};
use slovo_app::state::mail::smtp_server;
use slovo_mail::{Mail, Mailer, Parts, RetryPolicy, Transport, preview};
use slovo_platform::clock::SystemClock;
use slovo_platform::random::SystemRandom;
use slovo_rules::locale::Locale;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::cli::failure::Failure;

/// Options of `slovo mail`.
#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Write every email in every language to files
    Preview {
        /// Folder to write into
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Send a test email with the server's configuration and report the result
    Test(Box<TestOptions>),
}

#[derive(Args)]
struct TestOptions {
    /// Address to send it to
    address: String,
    /// Language: uk or en
    #[arg(long, default_value_t = Locale::default(), value_parser = locale)]
    locale: Locale,
    #[command(flatten)]
    mail: config::Mail,
    #[command(flatten)]
    http: Http,
    #[command(flatten)]
    storage: Storage,
}

fn locale(name: &str) -> Result<Locale, String> {
    Locale::parse(name).ok_or_else(|| "uk or en".to_owned())
}

/// Runs the subcommand.
pub fn run(options: Options) -> Result<()> {
    match options.verb {
        Verb::Preview { out } => {
            preview::write(&out, &SystemClock, &SystemRandom)?;
            let index = out.join("index.html");
            Ok(writeln!(std::io::stdout(), "{}", index.display())?)
        }
        Verb::Test(options) => test(*options),
    }
}

fn test(mut options: TestOptions) -> Result<()> {
    let server = smtp_server(&options.mail).map_err(|error| usage(&error))?;
    let public_url = options.http.public_url();
    let sender = options
        .mail
        .sender(&public_url)
        .map_err(|error| usage(&error))?;
    if server.is_none() {
        options.storage.prepare()?;
    }
    let from = sender.to_string();
    let place = server.as_ref().map(slovo_mail::SmtpServer::place);
    let mailer = Mailer::new(Parts {
        transport: Transport::new(server, &public_url, &options.storage.data)?,
        sender,
        public_url,
        clock: Arc::new(SystemClock),
        random: Arc::new(SystemRandom),
        retry: RetryPolicy::default(),
        shutdown: CancellationToken::new(),
        tasks: TaskTracker::new(),
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let sent = runtime.block_on(mailer.send(&options.address, options.locale, &Mail::Test));
    let to = &options.address;
    sent.with_context(|| match &place {
        Some(place) => format!("no email was sent from {from} to {to} through {place}"),
        None => format!("no email was sent to {to}"),
    })?;
    let message = match &place {
        Some(place) => format!("{place} accepted the email from {from} to {to}"),
        None => "SLOVO_SMTP_URL is not set, so the email was kept and not sent".to_owned(),
    };
    Ok(writeln!(std::io::stdout(), "{message}")?)
}

fn usage(error: &anyhow::Error) -> anyhow::Error {
    Failure::usage(format!("{error:#}")).into()
}
