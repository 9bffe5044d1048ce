//! The OpenID provider of `web/e2e/services/oidc.mjs`, shared by all tests of this process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use serde_json::Value;
use slovo_app::auth::openid::CALLBACK_PATH;

pub const CLIENT_ID: &str = "slovo-tests";
pub const CLIENT_SECRET: &str = "a secret of the tests: 100 % + &=";

/// The public URL of the test servers.
pub const PUBLIC_URL: &str = "http://127.0.0.1:8787";

/// It ends with this process, because its standard input closes.
struct Provider {
    issuer: String,
    _child: Child,
}

static PROVIDER: LazyLock<Provider> = LazyLock::new(|| {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    assert!(
        web.join("node_modules/oidc-provider").is_dir(),
        "the OpenID provider of this test is missing: run `npm ci` in web"
    );
    let mut child = Command::new("node")
        .arg("e2e/services/oidc.mjs")
        .args(["--client-id", CLIENT_ID, "--client-secret", CLIENT_SECRET])
        .args(["--redirect-uri", &format!("{PUBLIC_URL}{CALLBACK_PATH}")])
        .current_dir(web)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("node starts");
    eprintln!("waiting for the OpenID provider");
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).expect("the OpenID provider is ready");
    Provider {
        issuer: ready["issuer"].as_str().unwrap().to_owned(),
        _child: child,
    }
});

/// Server options for this provider.
pub fn options() -> Vec<&'static str> {
    options_for(&PROVIDER.issuer)
}

/// Server options for the provider with this issuer.
pub fn options_for(issuer: &str) -> Vec<&str> {
    let (id, secret) = (CLIENT_ID, CLIENT_SECRET);
    let pairs = [
        ("--openid-client-id", id),
        ("--openid-client-secret", secret),
        ("--openid-issuer", issuer),
    ];
    pairs.into_iter().flat_map(<[&str; 2]>::from).collect()
}

/// Adds an account, or changes the one with this `sub`.
pub async fn account(account: Value) {
    let url = format!("{}/test/accounts", PROVIDER.issuer);
    let answer = client().post(url).json(&[account]).send().await.unwrap();
    assert!(answer.status().is_success());
}

/// An HTTP client for local services that follows no redirects.
pub fn client() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    // A request without an answer fails where it is made, and does not hold up the whole suite.
    let builder = Client::builder().timeout(Duration::from_secs(60));
    let builder = builder.no_proxy().redirect(Policy::none());
    builder.build().unwrap()
}
