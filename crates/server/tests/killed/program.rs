//! The program as a process, and what it answers.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// How long anything may take before the test gives up on it. Ten times what it takes on two
/// busy cores; a test that hangs must end some day.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// Kills of a loop: as many as belong to each change, or what `SLOVO_TEST_KILLS` says.
pub fn kills(default: usize) -> usize {
    std::env::var("SLOVO_TEST_KILLS").map_or(default, |kills| kills.parse().unwrap())
}

/// The running program.
pub struct Program {
    child: Child,
    pub address: String,
    log: PathBuf,
}

impl Program {
    /// Starts the program on `data`, with SQLite or this PostgreSQL; `run` names its log.
    pub fn start(data: &Path, database: Option<&str>, run: &str) -> Self {
        Self::start_with(data, database, run, &[])
    }

    /// [`Program::start`] with options of `slovo serve`.
    pub fn start_with(data: &Path, database: Option<&str>, run: &str, options: &[&str]) -> Self {
        let mut program = Self::spawn("serve", data, database, run, options, &[]);
        program.find_address();
        program
    }

    /// `slovo web`: pages and the API alone.
    pub fn start_web(data: &Path, database: Option<&str>, run: &str) -> Self {
        Self::start_web_with(data, database, run, &[])
    }

    /// [`Program::start_web`] with variables of the environment.
    pub fn start_web_with(
        data: &Path,
        database: Option<&str>,
        run: &str,
        variables: &[(&str, &str)],
    ) -> Self {
        let mut program = Self::spawn("web", data, database, run, &[], variables);
        program.find_address();
        program
    }

    /// `slovo work` on these queues.
    pub fn start_work(data: &Path, database: Option<&str>, run: &str, queues: &str) -> Self {
        Self::start_work_with(data, database, run, queues, &[])
    }

    /// [`Program::start_work`] with variables of the environment.
    pub fn start_work_with(
        data: &Path,
        database: Option<&str>,
        run: &str,
        queues: &str,
        variables: &[(&str, &str)],
    ) -> Self {
        let options = ["--queues", queues];
        let mut program = Self::spawn("work", data, database, run, &options, variables);
        program.wait_for(|log| log.contains("Slovo works on "));
        program
    }

    /// What `slovo serve` prints if it does not start.
    pub fn refusal(data: &Path, database: Option<&str>, variables: &[(&str, &str)]) -> String {
        let mut program = Self::spawn("serve", data, database, "refused", &[], variables);
        let status = program.child.wait().unwrap();
        assert!(!status.success(), "it started: {}", program.log());
        program.log()
    }

    fn find_address(&mut self) {
        let output = self.wait_for(|log| log.contains("Slovo is at http://"));
        let address = output.split_once("Slovo is at http://").unwrap().1;
        self.address = address.lines().next().unwrap().trim().to_owned();
    }

    fn spawn(
        verb: &str,
        data: &Path,
        database: Option<&str>,
        run: &str,
        options: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let log = data.join(format!("{run}.log"));
        let out = File::create(&log).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_slovo"));
        command.env_remove("DATABASE_URL");
        if let Some(url) = database {
            command.env("DATABASE_URL", url);
        }
        let child = command
            .args([verb, "--port", "0", "--data"])
            .arg(data.join("data"))
            .args(options)
            // No trial comes between a test and what it says of minutes.
            .env("SLOVO_EDITION", "organisation")
            // What a test finds in an account is what it has put there.
            .env("SLOVO_SAMPLE", "false")
            .env("SLOVO_LOG_FORMAT", "json")
            .env("SLOVO_LOG", "info")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(out.try_clone().unwrap())
            .stderr(out)
            .spawn()
            .unwrap();
        Self {
            child,
            address: String::new(),
            log,
        }
    }

    /// The program's data folder, which is beside its log.
    pub fn data(&self) -> PathBuf {
        self.log.with_file_name("data")
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Waits until the log is as asked for, and gives it.
    fn wait_for(&mut self, condition: impl Fn(&str) -> bool) -> String {
        let mut waited = Duration::ZERO;
        loop {
            let log = self.log();
            if condition(&log) {
                return log;
            }
            assert!(
                self.child.try_wait().unwrap().is_none(),
                "the program ended: {log}"
            );
            assert!(waited < TIMEOUT, "nothing came: {log}");
            std::thread::sleep(Duration::from_millis(20));
            waited += Duration::from_millis(20);
        }
    }

    pub fn wait_for_windows(&mut self, count: usize) {
        self.wait_for(|log| log.matches("window recognised").count() >= count);
    }

    pub fn kill(mut self) {
        // SIGKILL: nothing of the program runs after it.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// [`Program::kill`] of a program that others are just asking.
    pub fn kill_now(&self) {
        self.signal(rustix::process::Signal::KILL);
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, signal).unwrap();
    }

    pub fn terminate(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {}", self.log());
        self.log()
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request that may stay without an answer because the program is killed.
    pub fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let head = self.head(method, path, headers, body.len());
        stream.write_all(&head).ok()?;
        stream.write_all(body).ok()?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok()?;
        Answer::complete(&bytes)
    }

    /// Sends a request over a connection of its own and gives status, headers and body.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .write_all(&self.head(method, path, headers, body.len()))
            .unwrap();
        stream.write_all(body).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Answer::read(&bytes)
    }

    pub fn head(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        length: usize,
    ) -> Vec<u8> {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {length}\r\n",
            self.address
        );
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        (head + "\r\n").into_bytes()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Also when the test has failed; one that has ended already is no matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Answer {
    pub status: u16,
    headers: String,
    pub body: Vec<u8>,
}

impl Answer {
    /// The answer, if all of it came: what a killed program has begun to send is none.
    fn complete(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
        let headers = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let is_complete = match headers.split_once("content-length: ") {
            Some((_, length)) => length.lines().next()?.trim().parse() == Ok(bytes.len() - end),
            None => bytes.ends_with(b"0\r\n\r\n"),
        };
        is_complete.then(|| Self::read(bytes))
    }

    fn read(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .unwrap();
        let headers = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
        let mut body = bytes[end + 4..].to_vec();
        if headers
            .to_lowercase()
            .contains("transfer-encoding: chunked")
        {
            body = unchunked(&body);
        }
        Self {
            status,
            headers,
            body,
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    pub fn header(&self, name: &str) -> &str {
        let line = self.headers.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        });
        line.unwrap_or_else(|| panic!("no {name} in {}", self.headers))
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    while let Some(line) = bytes.windows(2).position(|window| window == b"\r\n") {
        let length =
            usize::from_str_radix(std::str::from_utf8(&bytes[..line]).unwrap(), 16).unwrap();
        decoded.extend_from_slice(&bytes[line + 2..line + 2 + length]);
        bytes = &bytes[line + 4 + length..];
    }
    decoded
}
