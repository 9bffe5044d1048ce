//! The real program, killed (`kill -9`) and stopped (SIGTERM) in the middle of its work: uploads go
//! on at the right byte, jobs go on where they were and end with the same text.
//!
//! The recording is made of Debian's telephone prompts with pauses between them.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use slovo_test_media::prompts;

/// Seconds of silence between two prompts.
const PAUSE: f64 = 1.5;
/// How long anything may take before the test gives up on it. Ten times what it takes on two
/// busy cores; a test that hangs must end some day.
const PATIENCE: Duration = Duration::from_secs(600);

/// The running program.
struct Program {
    child: Child,
    address: String,
    log: PathBuf,
}

impl Program {
    /// Starts the program on `data`; `run` names its log.
    fn start(data: &Path, run: &str) -> Self {
        let log = data.join(format!("{run}.log"));
        let out = File::create(&log).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_slovo"))
            .args(["serve", "--port", "0", "--data"])
            .arg(data.join("data"))
            .env("SLOVO_LOG_FORMAT", "json")
            .env("SLOVO_LOG", "info")
            .env_remove("DATABASE_URL")
            .stdin(Stdio::null())
            .stdout(out.try_clone().unwrap())
            .stderr(out)
            .spawn()
            .unwrap();
        let mut program = Self {
            child,
            address: String::new(),
            log,
        };
        let said = program.wait_for(|log| log.contains("Slovo is at http://"));
        let address = said.split_once("Slovo is at http://").unwrap().1;
        program.address = address.lines().next().unwrap().trim().to_owned();
        program
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Waits until the log is as asked for, and gives it.
    fn wait_for(&mut self, is_there: impl Fn(&str) -> bool) -> String {
        let mut waited = Duration::ZERO;
        loop {
            let log = self.log();
            if is_there(&log) {
                return log;
            }
            assert!(
                self.child.try_wait().unwrap().is_none(),
                "the program ended: {log}"
            );
            assert!(waited < PATIENCE, "nothing came: {log}");
            std::thread::sleep(Duration::from_millis(20));
            waited += Duration::from_millis(20);
        }
    }

    fn wait_for_windows(&mut self, count: usize) {
        self.wait_for(|log| log.matches("window recognised").count() >= count);
    }

    fn kill(mut self) {
        // SIGKILL: nothing of the program runs after it.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn terminate(mut self) -> String {
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

    /// Sends a request over a connection of its own and gives status, headers and body.
    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .write_all(&self.head(method, path, headers, body.len()))
            .unwrap();
        stream.write_all(body).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Answer::read(&bytes)
    }

    fn head(&self, method: &str, path: &str, headers: &[(&str, &str)], length: usize) -> Vec<u8> {
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

struct Answer {
    status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
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

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    fn header(&self, name: &str) -> &str {
        let line = self.headers.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        });
        line.unwrap_or_else(|| panic!("no {name} in {}", self.headers))
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(line) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length =
            usize::from_str_radix(std::str::from_utf8(&bytes[..line]).unwrap(), 16).unwrap();
        whole.extend_from_slice(&bytes[line + 2..line + 2 + length]);
        bytes = &bytes[line + 4 + length..];
    }
    whole
}

/// Somebody who is signed in.
struct User(String);

impl User {
    fn sign_up(program: &Program) -> Self {
        let password = "Correct-Horse-7";
        let form = json!({"email": "a@example.com", "password": password,
            "confirm_password": password, "terms": true});
        let headers = [("Content-Type", "application/json")];
        let body = form.to_string();
        let answer = program.send("POST", "/api/v1/auth/signup", &headers, body.as_bytes());
        assert_eq!(answer.status, 201, "{}", answer.json());
        Self(format!(
            "Bearer {}",
            answer.json()["access_token"].as_str().unwrap()
        ))
    }

    fn get(&self, program: &Program, path: &str) -> Answer {
        program.send("GET", path, &[("Authorization", &self.0)], b"")
    }

    fn post(&self, program: &Program, path: &str, body: &Value) -> Answer {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Content-Type", "application/json"),
        ];
        program.send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Begins an upload and gives its path.
    fn begin(&self, program: &Program, size: usize) -> String {
        let size = size.to_string();
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Tus-Resumable", "1.0.0"),
            ("Upload-Length", &size),
            ("Upload-Metadata", "filename dGFsay53YXY="),
        ];
        let answer = program.send("POST", "/api/v1/uploads", &headers, b"");
        assert_eq!(answer.status, 201);
        answer.header("location").to_owned()
    }

    fn patch_headers<'a>(&'a self, at: &'a str) -> [(&'a str, &'a str); 4] {
        [
            ("Authorization", self.0.as_str()),
            ("Tus-Resumable", "1.0.0"),
            ("Content-Type", "application/offset+octet-stream"),
            ("Upload-Offset", at),
        ]
    }

    fn append(&self, program: &Program, path: &str, at: usize, bytes: &[u8]) {
        let at = at.to_string();
        let answer = program.send("PATCH", path, &self.patch_headers(&at), bytes);
        assert_eq!(
            answer.status,
            204,
            "{}",
            String::from_utf8_lossy(&answer.body)
        );
    }

    fn offset(&self, program: &Program, path: &str) -> usize {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Tus-Resumable", "1.0.0"),
        ];
        let answer = program.send("HEAD", path, &headers, b"");
        assert_eq!(answer.status, 200);
        answer.header("upload-offset").parse().unwrap()
    }

    /// Makes a job of these bytes and gives its path.
    fn job(&self, program: &Program, bytes: &[u8]) -> String {
        let upload = self.begin(program, bytes.len());
        self.append(program, &upload, 0, bytes);
        let upload = upload.rsplit('/').next().unwrap();
        let settings = json!({"transcription_type": "lite", "language_code": "en"});
        let body = json!({"upload_id": upload, "settings": settings});
        let answer = self.post(program, "/api/v1/jobs", &body);
        assert_eq!(answer.status, 201, "{}", answer.json());
        format!(
            "/api/v1/jobs/{}",
            answer.json()["my_job_id"].as_str().unwrap()
        )
    }

    /// Follows the job to its end and gives its transcript.
    fn transcript(&self, program: &Program, job: &str) -> Value {
        let told = self.get(program, &format!("{job}/events"));
        let told = String::from_utf8(told.body).unwrap();
        assert!(
            told.contains("event: completed"),
            "{told}\n{}",
            program.log()
        );
        self.get(program, &format!("{job}/transcript")).json()
    }
}

/// About two minutes of speech with pauses.
fn recording(folder: &Path) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-y"]);
    let mut parts = 0;
    let mut seconds = 0.0;
    let mut graph = String::new();
    while seconds < 130.0 {
        for prompt in prompts::ALL {
            command.arg("-i").arg(prompt.path());
            graph += &format!("[{parts}:a]apad=pad_dur={PAUSE}[p{parts}];");
            parts += 1;
            seconds += prompt.seconds + PAUSE;
        }
    }
    for part in 0..parts {
        graph += &format!("[p{part}]");
    }
    graph += &format!("concat=n={parts}:v=0:a=1[all]");
    let file = folder.join("recording.wav");
    command
        .args(["-filter_complex", &graph, "-map", "[all]"])
        .arg(&file);
    assert!(command.status().unwrap().success());
    fs::read(file).unwrap()
}

/// The numbers of the windows that were recognised, in order.
fn recognised(log: &str) -> Vec<u64> {
    let lines = log
        .lines()
        .filter(|line| line.contains("window recognised"));
    let lines = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.map(|line| line["chunk"].as_u64().unwrap()).collect()
}

/// How often a window was recognised although it had been before.
fn repeated(mut windows: Vec<u64>) -> usize {
    let all = windows.len();
    windows.sort_unstable();
    windows.dedup();
    all - windows.len()
}

#[test]
fn a_job_goes_on_after_a_kill_and_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording(folder.path());
    let mut program = Program::start(folder.path(), "first");
    let user = User::sign_up(&program);

    let job = user.job(&program, &recording);
    program.wait_for_windows(2);
    let before = recognised(&program.log()).len();
    program.kill();

    let mut program = Program::start(folder.path(), "second");
    program.wait_for_windows(2);
    let log = program.terminate();
    assert!(log.contains("going on where it stopped"), "{log}");

    let program = Program::start(folder.path(), "third");
    let interrupted = user.transcript(&program, &job);
    let mut windows = Vec::new();
    for run in ["first", "second", "third"] {
        let log = fs::read_to_string(folder.path().join(format!("{run}.log"))).unwrap();
        windows.extend(recognised(&log));
    }
    let all = windows.len();
    let again = repeated(windows);
    println!("{all} windows, {before} before the kill, {again} repeated");
    assert!(again <= 1, "{again} windows were recognised twice");

    let other = user.job(&program, &recording);
    let uninterrupted = user.transcript(&program, &other);
    assert_eq!(interrupted, uninterrupted);
    assert!(interrupted["segments"].as_array().unwrap().len() > 10);
    program.terminate();
}

#[test]
fn an_upload_goes_on_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    // 40 MB of a valid recording: a second of noise over and over is no matter here.
    let header = &fs::read(prompts::WELCOME.path()).unwrap()[..44];
    let size = 40 * 1024 * 1024;
    let mut recording = header.to_vec();
    recording.extend((44..size).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as u8));
    recording[4..8].copy_from_slice(&(size - 8).to_le_bytes());
    recording[40..44].copy_from_slice(&(size - 44).to_le_bytes());

    let program = Program::start(folder.path(), "first");
    let user = User::sign_up(&program);
    let upload = user.begin(&program, recording.len());
    let mut stream = TcpStream::connect(&program.address).unwrap();
    let head = program.head("PATCH", &upload, &user.patch_headers("0"), recording.len());
    stream.write_all(&head).unwrap();
    stream.write_all(&recording[..30_000_000]).unwrap();
    program.kill();
    drop(stream);

    let program = Program::start(folder.path(), "second");
    let at = user.offset(&program, &upload);
    println!("30000000 bytes sent, {at} stored");
    assert!(at <= 30_000_000);
    let id = upload.rsplit('/').next().unwrap();
    let file = folder.path().join("data/media").join(id);
    assert!(
        fs::read(&file).unwrap()[..at] == recording[..at],
        "what is stored is right"
    );

    // A connection that is reset in the middle: what came is kept.
    let middle = at + 1_000_003;
    let mut stream = TcpStream::connect(&program.address).unwrap();
    let at_text = at.to_string();
    let head = program.head(
        "PATCH",
        &upload,
        &user.patch_headers(&at_text),
        recording.len() - at,
    );
    stream.write_all(&head).unwrap();
    stream.write_all(&recording[at..middle]).unwrap();
    // All of it must have arrived before the reset, which throws away what is under way.
    let mut waited = Duration::ZERO;
    while fs::metadata(&file).unwrap().len() < (at + 512 * 1024) as u64 && waited < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
        waited += Duration::from_millis(20);
    }
    reset(&stream);
    drop(stream);
    let mut now_at = at;
    while now_at == at && waited < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
        waited += Duration::from_millis(20);
        now_at = user.offset(&program, &upload);
    }
    assert!(
        now_at > at && now_at <= middle,
        "{at} < {now_at} <= {middle}"
    );
    user.append(&program, &upload, now_at, &recording[now_at..]);
    assert!(fs::read(&file).unwrap() == recording);
    program.terminate();
}

/// Makes the connection end with a reset instead of in order.
fn reset(stream: &TcpStream) {
    rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO)).unwrap();
}
