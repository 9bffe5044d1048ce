//! Monitoring with a real Prometheus: every expression of the dashboard and of the alerts is answered
//! by a running server.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::object_store::free_port;
use super::program::Program;
use super::user::User;

/// How long everything may take to appear: ten times what it does.
const MOST: Duration = Duration::from_secs(100);

fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/monitoring")
}

/// The body of an answer; `None` if nobody answers.
fn get(address: &str, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer.split_once("\r\n\r\n")?.1.to_owned())
}

/// The expressions of the dashboard, for the interval that the test waits.
fn dashboard() -> Vec<String> {
    let text = fs::read_to_string(files().join("grafana.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&text).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    let expressions = targets.map(|target| target["expr"].as_str().unwrap());
    expressions
        .map(|expression| expression.replace("$__rate_interval", "30s"))
        .collect()
}

struct Prometheus {
    child: Child,
    address: String,
}

impl Prometheus {
    /// Reads the metrics of a server every half second, with the alerts of the repository.
    fn start(folder: &Path, target: &str) -> Self {
        let alerts = files().join("alerts.yaml").canonicalize().unwrap();
        let config = format!(
            "global: {{scrape_interval: 500ms, evaluation_interval: 500ms}}\n\
             rule_files: ['{}']\n\
             scrape_configs: [{{job_name: slovo, static_configs: [{{targets: ['{target}']}}]}}]\n",
            alerts.display()
        );
        let file = folder.join("prometheus.yaml");
        fs::write(&file, config).unwrap();
        // Somebody else may take the port in between.
        (0..5)
            .find_map(|number| Self::start_once(folder, &file, number))
            .expect("Prometheus starts")
    }

    /// Waits until it answers; `None` if it ends.
    fn start_once(folder: &Path, config: &Path, number: u32) -> Option<Self> {
        let address = free_port().local_addr().unwrap().to_string();
        let series = folder.join(format!("series-{number}"));
        let child = Command::new("prometheus")
            .arg(format!("--config.file={}", config.display()))
            .arg(format!("--storage.tsdb.path={}", series.display()))
            .arg(format!("--web.listen-address={address}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Debian's package `prometheus` is installed");
        let mut started = Self { child, address };
        while get(&started.address, "/-/ready").is_none_or(|answer| !answer.contains("Ready")) {
            if started.child.try_wait().unwrap().is_some() {
                return None;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(started)
    }

    /// The answer to an expression: series with their values.
    fn query(&self, expression: &str) -> Option<Vec<Value>> {
        let query: String = expression
            .bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect();
        let answer = get(&self.address, &format!("/api/v1/query?query={query}"))?;
        let answer: Value = serde_json::from_str(&answer).ok()?;
        assert_ne!(answer["status"], "error", "{expression}: {answer}");
        Some(answer["data"]["result"].as_array()?.clone())
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn a_running_server_answers_the_dashboard_and_the_alerts() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--metrics", "127.0.0.1:0"];
    let program = Program::start_with(folder.path(), None, "first", &options);
    let log = program.log();
    let (_, after) = log.split_once("Metrics are at http://").unwrap();
    let address = after.lines().next().unwrap().trim_end_matches("/metrics");
    let prometheus = Prometheus::start(folder.path(), address);

    let user = User::sign_up(&program);
    // Speed is not measured with less than half a minute.
    let recording = super::recording_of(folder.path(), 32.0);
    let job = user.job(&program, &recording);
    user.transcript(&program, &job);
    program.send("GET", "/unknown-page-4711", &[], b"");
    program.send("BREW", "/api/v1/jobs", &[], b"");
    let backup = Command::new(env!("CARGO_BIN_EXE_slovo"))
        .arg("backup")
        .arg("--data")
        .arg(program.data())
        .env_remove("DATABASE_URL")
        .status();
    assert!(backup.unwrap().success());
    assert_eq!(get(address, "/livez").as_deref(), Some("ok\n"));
    assert_eq!(get(address, "/readyz").as_deref(), Some("ok\n"));

    let text = get(address, "/metrics").unwrap();
    assert!(text.contains("route=\"/api/v1/jobs\""), "{text}");
    for secret in ["4711", "BREW", &job, "@example.com", "password"] {
        assert!(!text.contains(secret), "{secret}");
    }
    let checked = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .spawn();
    let mut checked = checked.unwrap();
    checked
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    assert!(checked.wait().unwrap().success(), "promtool");

    // No webhook is called here, so its series is empty; all others have values.
    let expressions = dashboard();
    assert!(expressions.len() > 15);
    let started = Instant::now();
    let mut silent: BTreeSet<_> = expressions.iter().collect();
    while !silent.is_empty() && started.elapsed() < MOST {
        user.get(&program, "/api/v1/jobs");
        silent.retain(|expression| {
            let found = prometheus.query(expression).unwrap_or_default();
            found.is_empty() && !expression.contains("slovo_webhook_calls_total")
        });
        std::thread::sleep(Duration::from_millis(200));
        // Rates of what happened once end when the interval has passed.
        if started.elapsed() > Duration::from_secs(10) && !silent.is_empty() {
            user.transcript(&program, &user.job(&program, &recording));
        }
    }
    assert!(silent.is_empty(), "{silent:?}");

    let rules = get(&prometheus.address, "/api/v1/rules").unwrap();
    let rules: Value = serde_json::from_str(&rules).unwrap();
    let rules = rules["data"]["groups"][0]["rules"]
        .as_array()
        .unwrap()
        .clone();
    assert!(rules.len() >= 10);
    for rule in rules {
        assert_ne!(rule["health"], "err", "{rule}");
        assert_eq!(rule["state"], "inactive", "{rule}");
    }
    program.terminate();
}
