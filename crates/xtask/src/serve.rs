//! A server for measurements: the built `slovo serve` on a free port, with a temporary data folder.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::target_folder;
use crate::step::{command, execute};
use crate::up::{build_release, prepare};

/// Startup timeout.
const START: Duration = Duration::from_secs(60);

/// What is measured.
#[derive(clap::Args)]
pub struct Program {
    /// The program, with the web app as it is built; without it both are built, for release.
    #[arg(long)]
    program: Option<PathBuf>,
}

impl Program {
    /// The path of the program, built if necessary.
    pub fn path(&self, root: &Path) -> Result<PathBuf> {
        if let Some(program) = &self.program {
            return Ok(std::path::absolute(program)?);
        }
        prepare(root)?;
        build_release(root)
    }
}

/// A free port.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Creates an empty folder below the target folder.
pub fn fresh_folder(root: &Path, name: &str) -> Result<PathBuf> {
    let folder = target_folder(root).join("tmp").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A process that listens on a local port; dropping this stops it and deletes its folder.
pub struct Server {
    child: Child,
    folder: PathBuf,
    /// Host and port.
    pub address: String,
}

impl Server {
    /// Starts `slovo serve` as in production, with the built web app, logging to a file.
    pub fn slovo(root: &Path, program: &Path) -> Result<Self> {
        let port = free_port()?;
        let folder = fresh_folder(root, &format!("site-{port}"))?;
        // A copy of the web app: its file names contain hashes, and a concurrent build would delete
        // them.
        let web = folder.join("web");
        execute(
            command(root, "cp")
                .arg("-r")
                .arg(root.join("web/dist"))
                .arg(&web),
        )
        .context("the web app is not built: `npm run build` in web/")?;
        let mut serve = command(root, program);
        serve
            .args(["serve", "--host", "127.0.0.1"])
            .args(["--port", &port.to_string()])
            .args(["--public-url", &format!("http://127.0.0.1:{port}")])
            .arg("--data")
            .arg(&folder)
            .arg("--web")
            .arg(&web)
            // The developer's own database is not for this server.
            .env_remove("DATABASE_URL");
        Self::start(&mut serve, port, folder, "Slovo is at ")
    }

    /// Starts a program and waits until it accepts connections and reports that it is serving, so
    /// that startup does not count towards the first response.
    pub fn start(program: &mut Command, port: u16, folder: PathBuf, marker: &str) -> Result<Self> {
        let log = folder.join("log");
        let file = File::create(&log)?;
        let child = program
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .with_context(|| format!("cannot start {}", program.get_program().display()))?;
        let address = format!("127.0.0.1:{port}");
        let mut server = Self {
            child,
            folder,
            address,
        };
        let started = Instant::now();
        loop {
            let output = fs::read_to_string(&log).unwrap_or_default();
            if TcpStream::connect(&server.address).is_ok() && output.contains(marker) {
                break;
            }
            if let Some(status) = server.child.try_wait()? {
                bail!("the server ended ({status}): {output}");
            }
            ensure!(started.elapsed() < START, "the server does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// Its temporary folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Requests a page on a new connection, with gzip accepted or not.
    pub fn get(&self, path: &str, gzip: bool) -> Result<Answer> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(START))?;
        stream.set_nodelay(true)?;
        let (address, encoding) = (&self.address, if gzip { "gzip" } else { "identity" });
        // HTTP/1.0: the body ends with the connection and is not chunked.
        let question = format!(
            "GET {path} HTTP/1.0\r\nHost: {address}\r\nAccept: text/html\r\n\
             Accept-Encoding: {encoding}\r\n\r\n"
        );
        let started = Instant::now();
        stream.write_all(question.as_bytes())?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        let took = started.elapsed();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.with_context(|| format!("{path} was not answered in HTTP"))?;
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        ensure!(
            head.split(' ').nth(1) == Some("200"),
            "{path} was answered with {}",
            head.lines().next().unwrap_or_default()
        );
        Ok(Answer {
            gzipped: head.contains("\r\ncontent-encoding: gzip"),
            body: bytes.split_off(end + 4),
            took,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Errors mean that it has exited by itself, or that its folder was deleted.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A response with status 200.
pub struct Answer {
    /// Whether the body is gzipped.
    pub gzipped: bool,
    /// The raw body.
    pub body: Vec<u8>,
    /// From the first byte of the request to the last byte of the response.
    pub took: Duration,
}
