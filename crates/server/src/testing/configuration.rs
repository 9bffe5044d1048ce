//! The configuration of a test server, from options as of `slovo serve`.

use clap::Parser;
use slovo_app::config::Config;
use slovo_platform::redacted::Redacted;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    config: Config,
}

/// Where the configuration stores a secret.
type Secret = fn(&mut Config) -> &mut Option<Redacted>;

/// Secrets that tests pass like options. `slovo serve` reads them from the environment, which all
/// tests of a process share.
const SECRETS: [(&str, Secret); 3] = [
    ("--analysis-api-key", |config| &mut config.analysis.api_key),
    ("--nocodb-token", |config| &mut config.nocodb.token),
    ("--openid-client-secret", |config| {
        &mut config.openid.client_secret
    }),
];

/// The configuration with these options and secrets.
pub(super) fn configured(arguments: &[&str]) -> Config {
    let (mut options, mut secrets) = (Vec::new(), Vec::new());
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        match SECRETS.iter().find(|(name, _)| *name == argument) {
            Some((_, secret)) => secrets.push((secret, arguments.next().expect("a secret"))),
            None => options.push(argument),
        }
    }
    let mut config = Line::try_parse_from(options).unwrap().config;
    for (secret, value) in secrets {
        *secret(&mut config) = Some(value.to_owned().into());
    }
    config.prepare().unwrap()
}
