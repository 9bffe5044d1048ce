//! The SMTP server of `web/e2e/services/smtp.mjs`, started by a test.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// Far longer than a start or a mail takes; only ends a test that hangs.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A running SMTP server. It ends with the test, because its standard input closes.
pub struct Service {
    pub port: u16,
    /// The certificate authority to trust.
    pub ca: Option<PathBuf>,
    events: Lines<BufReader<ChildStdout>>,
    _child: Child,
}

impl Service {
    pub async fn start(options: &[&str]) -> Self {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
        assert!(
            web.join("node_modules/smtp-server").is_dir(),
            "the SMTP server of this test is missing: run `npm ci` in web"
        );
        let mut child = Command::new("node")
            .arg("e2e/services/smtp.mjs")
            .args(options)
            .current_dir(web)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let events = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut service = Self {
            port: 0,
            ca: None,
            events,
            _child: child,
        };
        let ready = service.event().await;
        service.port = ready["port"].as_u64().unwrap().try_into().unwrap();
        service.ca = ready["ca"].as_str().map(PathBuf::from);
        service
    }

    /// The next line of its output.
    pub async fn event(&mut self) -> Value {
        let line = tokio::time::timeout(TIMEOUT, self.events.next_line());
        let line = line.await.expect("the SMTP server says something");
        let line = line.unwrap().expect("the SMTP server runs");
        serde_json::from_str(&line).unwrap()
    }

    /// The next mail that it receives.
    pub async fn mail(&mut self) -> Value {
        let event = self.event().await;
        assert!(event["mail"].is_object(), "{event}");
        event["mail"].clone()
    }
}
