//! An outside program on a short lead: no shell, an environment of its own, its own process group
//! that dies with the run, and bounds for its time and its words.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{ChildStdout, Command};
use tokio_util::task::AbortOnDropHandle;

/// What is kept of what it says about itself, in bytes.
const MAX_COMPLAINTS: u64 = 64 * 1024;
/// Longest line that it may print, in bytes: a description of a page has some 100 KB.
pub const MAX_LINE: usize = 8 * 1024 * 1024;
/// How long its last words are waited for when it has ended: a child of it may hold the pipe.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A program that runs. Dropping it kills it with all its children.
pub struct Program {
    child: tokio::process::Child,
    group: Option<Pid>,
    lines: BufReader<ChildStdout>,
    complaints: AbortOnDropHandle<String>,
}

impl Program {
    /// Starts the program in this folder, which is its home and where its temporary files go.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        program: &Path,
        arguments: &[OsString],
        folder: &Path,
        proxy: &str,
    ) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).env_clear();
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        for name in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, folder);
        }
        // Not among the arguments, which everybody on the machine can read.
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            command.env(name, proxy).env(name.to_uppercase(), proxy);
        }
        command.env("LANG", "C.UTF-8").env("PYTHONUNBUFFERED", "1");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        let group = child
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
            return Err(io::Error::other("the program has no pipes"));
        };
        Ok(Self {
            child,
            group,
            lines: BufReader::new(stdout),
            complaints: AbortOnDropHandle::new(tokio::spawn(listen(stderr))),
        })
    }

    /// The next line that it prints; `None` when it prints no more.
    ///
    /// # Errors
    /// The line is too long, or the pipe broke.
    pub async fn line(&mut self) -> io::Result<Option<String>> {
        next_line(&mut self.lines).await
    }

    /// Waits for its end: whether it went well, and what it complained of.
    ///
    /// # Errors
    /// If it cannot be waited for.
    pub async fn end(mut self) -> io::Result<(bool, String)> {
        let status = self.child.wait().await?;
        let complaints = tokio::time::timeout(LAST_WORDS, &mut self.complaints).await;
        let complaints = complaints.ok().and_then(Result::ok).unwrap_or_default();
        Ok((status.success(), complaints))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            // There may be nobody left in it.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Keeps the beginning and reads the rest, so that the program is not held up.
async fn listen(mut from: impl AsyncRead + Unpin) -> String {
    let mut kept = Vec::new();
    // What cannot be read is not said.
    let _ = (&mut from)
        .take(MAX_COMPLAINTS)
        .read_to_end(&mut kept)
        .await;
    let _ = tokio::io::copy(&mut from, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&kept).into_owned()
}

async fn next_line(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let most = u64::try_from(MAX_LINE).unwrap_or(u64::MAX);
    from.take(most).read_until(b'\n', &mut line).await?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() >= MAX_LINE {
        return Err(io::Error::from(io::ErrorKind::FileTooLarge));
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
}
