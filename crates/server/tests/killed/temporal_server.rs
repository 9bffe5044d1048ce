//! A real server of Temporal: the development server of its command-line program, which
//! `SLOVO_TEST_TEMPORAL` names. It keeps its state in a file, so that it can be killed.

use std::fs::{self, File};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::object_store::free_port;
use super::program::TIMEOUT;

/// The running server.
pub struct TemporalServer {
    program: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    process: Option<Child>,
}

impl TemporalServer {
    /// Starts it; `None`, with a message, if the program was not built for it.
    pub fn start() -> Option<Self> {
        let Some(program) = std::env::var_os("SLOVO_TEST_TEMPORAL") else {
            eprintln!("not tested: only in wider runs: cargo xtask test temporal");
            return None;
        };
        let free = free_port();
        let mut server = Self {
            program: program.into(),
            folder: tempfile::tempdir().unwrap(),
            port: free.local_addr().unwrap().port(),
            process: None,
        };
        drop(free);
        server.run();
        Some(server)
    }

    /// Runs it with what it has stored.
    pub fn run(&mut self) {
        let log = File::create(self.folder.path().join("temporal.log")).unwrap();
        let process = Command::new(&self.program)
            .args(["server", "start-dev", "--headless", "--log-level", "warn"])
            .args(["--ip", "127.0.0.1", "--port", &self.port.to_string()])
            .arg("--db-filename")
            .arg(self.folder.path().join("temporal.db"))
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        self.process = Some(process.unwrap());
        let started = Instant::now();
        while !self.answers() {
            let process = self.process.as_mut().unwrap();
            let has_ended = process.try_wait().unwrap().is_some();
            assert!(!has_ended && started.elapsed() < TIMEOUT, "{}", self.log());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn answers(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok()
            && self
                .command(&["operator", "namespace", "describe", "default"])
                .output()
                .is_ok_and(|output| output.status.success())
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("temporal.log")).unwrap()
    }

    /// Kills it; what it has acknowledged stays.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// The variables of a program that it drives.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let url = format!("http://127.0.0.1:{}", self.port);
        vec![("SLOVO_TEMPORAL_URL", url)]
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .args(["--address", &format!("127.0.0.1:{}", self.port)])
            .args(["--output", "json"]);
        command
    }

    /// Asks it as an administrator of Temporal would.
    pub fn ask(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        match output.stdout.is_empty() {
            true => Value::Null,
            false => serde_json::from_slice(&output.stdout).unwrap(),
        }
    }

    /// The ids of the jobs' workflows that have not ended.
    pub fn running_jobs(&self) -> Vec<String> {
        let query = "WorkflowType = 'job' AND ExecutionStatus = 'Running'";
        let found = self.ask(&["workflow", "list", "--query", query]);
        let found = found.as_array().unwrap().iter();
        found
            .map(|workflow| workflow["execution"]["workflowId"].as_str().unwrap().into())
            .collect()
    }

    /// Waits until all workflows of jobs have ended.
    pub fn assert_no_running_jobs(&self) {
        let started = Instant::now();
        loop {
            let running = self.running_jobs();
            if running.is_empty() {
                return;
            }
            assert!(started.elapsed() < TIMEOUT, "still running: {running:?}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for TemporalServer {
    fn drop(&mut self) {
        self.kill();
    }
}
