//! A confined external program: no shell, its own environment, its own process group that is killed
//! with the run, and limits on its time, memory and output.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, setrlimit};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdout, Command};
use tokio_util::task::AbortOnDropHandle;

/// How much of its standard error is kept, in bytes.
const MAX_COMPLAINTS: u64 = 64 * 1024;
/// Longest line that it may print, in bytes: the description of a page has some 100 KB.
pub const MAX_LINE: usize = 8 * 1024 * 1024;
/// Memory limit in bytes, for the program and for each of its children: a page may be a
/// decompression bomb. Memory that is only reserved does not count, since JavaScript engines
/// reserve many times what they use.
pub const MAX_MEMORY: u64 = 1024 * 1024 * 1024;
/// How long its last output is awaited after it has exited: a child may still hold the pipe.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A running program. Dropping it kills it with all its children.
pub struct Program {
    child: tokio::process::Child,
    group: Option<Pid>,
    lines: BufReader<ChildStdout>,
    /// The beginning of an incomplete line.
    partial_line: Vec<u8>,
    complaints: AbortOnDropHandle<String>,
}

impl Program {
    /// Starts the program in this folder, which is also its home and temporary folder, and writes
    /// `input` to its standard input: at most some kilobytes, which fit into the pipe.
    ///
    /// # Errors
    /// If it cannot be started.
    pub async fn start(
        program: &Path,
        arguments: &[OsString],
        input: &str,
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
        // Not an argument, because every user of the machine can read arguments.
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            command.env(name, proxy).env(name.to_uppercase(), proxy);
        }
        command.env("LANG", "C.UTF-8").env("PYTHONUNBUFFERED", "1");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        #[expect(
            unsafe_code,
            reason = "limits must hold before the program's first instruction"
        )]
        // SAFETY: between fork and exec only system calls are made: no allocation, no lock.
        unsafe {
            command.pre_exec(confine);
        }
        let mut child = command.spawn()?;
        let group = child
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
            return Err(io::Error::other("the program has no pipes"));
        };
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read its input reports its reasons itself.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
        Ok(Self {
            child,
            group,
            lines: BufReader::new(stdout),
            partial_line: Vec::new(),
            complaints: AbortOnDropHandle::new(tokio::spawn(listen(stderr))),
        })
    }

    /// The next line of its output; `None` at the end. Cancel-safe: dropping the future loses
    /// nothing.
    ///
    /// # Errors
    /// The line is too long, or the pipe broke.
    pub async fn line(&mut self) -> io::Result<Option<String>> {
        next_line(&mut self.lines, &mut self.partial_line).await
    }

    /// Waits for it to exit: whether it succeeded, and its standard error.
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
            // The group may be empty already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Keeps the beginning and discards the rest, so that the program is not blocked.
async fn listen(mut from: impl AsyncRead + Unpin) -> String {
    let mut output = Vec::new();
    // Output that cannot be read is treated as missing.
    let _ = (&mut from)
        .take(MAX_COMPLAINTS)
        .read_to_end(&mut output)
        .await;
    let _ = tokio::io::copy(&mut from, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&output).into_owned()
}

/// The next line; an incomplete one stays in `partial` until its end arrives.
async fn next_line(
    from: &mut (impl AsyncBufRead + Unpin),
    partial: &mut Vec<u8>,
) -> io::Result<Option<String>> {
    let room = MAX_LINE.saturating_sub(partial.len());
    let room = u64::try_from(room).unwrap_or(u64::MAX);
    from.take(room).read_until(b'\n', partial).await?;
    if partial.is_empty() {
        return Ok(None);
    }
    if partial.len() >= MAX_LINE {
        return Err(io::Error::from(io::ErrorKind::FileTooLarge));
    }
    let line = std::mem::take(partial);
    Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
}

/// Runs in the child between fork and exec: system calls only.
fn confine() -> io::Result<()> {
    let limit = |resource, value| {
        setrlimit(
            resource,
            Rlimit {
                current: Some(value),
                maximum: Some(value),
            },
        )
    };
    limit(Resource::Data, MAX_MEMORY)?;
    limit(Resource::Core, 0)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_line_read_in_pieces_survives_cancellation() {
        let (mut writer, reader) = tokio::io::duplex(64);
        let (mut lines, mut partial) = (BufReader::new(reader), Vec::new());
        writer.write_all(b"slovo-progress 1").await.unwrap();
        for _ in 0..3 {
            // Cancelled before the line was complete.
            tokio::select! {
                biased;
                line = next_line(&mut lines, &mut partial) => panic!("{line:?}"),
                () = tokio::task::yield_now() => {}
            }
        }
        writer.write_all(b"0 20 NA\nx").await.unwrap();
        drop(writer);
        let mut next = async || next_line(&mut lines, &mut partial).await.unwrap();
        assert_eq!(next().await.as_deref(), Some("slovo-progress 10 20 NA"));
        assert_eq!(next().await.as_deref(), Some("x"));
        assert_eq!(next().await, None);
    }
}
