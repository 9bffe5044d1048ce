//! The program itself: started, asked, and stopped by signals.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;

mod full_disk;
mod outbox;

/// A running `slovo serve` on a free port; killed when a test fails.
struct Server {
    child: Child,
    address: String,
    /// Reads the log all the time: a pipe that is full would stop the server.
    log: Option<JoinHandle<String>>,
}

impl Server {
    fn start(data: &Path) -> Self {
        Self::start_by(slovo(), data)
    }

    /// [`Server::start`] by this command, which is given the arguments.
    fn start_by(mut command: Command, data: &Path) -> Self {
        let mut child = command
            .args([
                "serve",
                "--port",
                "0",
                "--log-format",
                "json",
                "--log",
                "debug",
                "--data",
            ])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim().rsplit("http://").next().unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{line:?}");
        let mut errors = child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut log = Vec::new();
            errors.read_to_end(&mut log).unwrap();
            String::from_utf8_lossy(&log).into_owned()
        });
        Self {
            child,
            address,
            log: Some(log),
        }
    }

    fn send(&self, request: &str, body: &str) -> String {
        self.send_as("hidden-bearer", request, body)
    }

    /// [`Server::send`] by whoever has this access token.
    fn send_as(&self, token: &str, request: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(
            stream,
            "{request} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: test-1\r\n\
             authorization: Bearer {token}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Makes an account; returns the registration, its code, and the answer with the session.
    fn sign_up(&self, data: &Path, email: &str) -> (String, String, String) {
        let form = format!(
            r#"{{"email":"{email}","password":"Correct-Horse-7","confirm_password":"Correct-Horse-7","terms":true,"locale":"en"}}"#
        );
        let answer = self.send("POST /api/v1/auth/signup", &form);
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        let (registration, code) = (field(&answer, "registration"), outbox::code(data, email));
        let form = format!(r#"{{"registration":"{registration}","code":"{code}"}}"#);
        let answer = self.send("POST /api/v1/auth/verify", &form);
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        (registration, code, answer)
    }

    /// Sends a signal; returns the exit code and the log.
    fn stop(mut self, signal: &str) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
        let log = self.log.take().unwrap().join().unwrap();
        (self.child.wait().unwrap().code(), log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn slovo() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slovo"));
    for variable in [
        "DATABASE_URL",
        "SLOVO_SECRET",
        "SLOVO_LOG",
        "SLOVO_DATA",
        "SLOVO_PORT",
        "SLOVO_PUBLIC_URL",
        "SLOVO_SMTP_URL",
        "SLOVO_MAIL_FROM",
        "SLOVO_CONTACT_TO",
    ] {
        command.env_remove(variable);
    }
    command
}

/// A text in an answer's JSON.
fn field(answer: &str, name: &str) -> String {
    let rest = answer.split(&format!("\"{name}\":\"")).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("no {name} in {answer}"));
    rest.split('"').next().unwrap().to_owned()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

#[test]
fn the_server_serves_stops_on_a_signal_and_logs_no_secrets() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let (registration, mailed_code, answer) = server.sign_up(data.path(), "a@example.com");
    let tokens = ["access_token", "refresh_token"].map(|name| field(&answer, name));
    let refused = server.send("GET /api/v1/auth/me?token=hidden-query", "");
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");

    let (code, log) = server.stop("-TERM");
    assert_eq!(code, Some(0), "{log}");
    assert!(
        log.contains("\"id\":\"test-1\""),
        "the log names requests: {log}"
    );
    let hidden = [
        "hidden-query",
        "hidden-bearer",
        "Correct-Horse-7",
        "$argon2id$",
        &registration,
        &mailed_code,
    ];
    for secret in hidden
        .iter()
        .copied()
        .chain(tokens.iter().map(String::as_str))
    {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }

    // What was committed is there after the next start, and after a kill.
    let server = Server::start(data.path());
    let form = r#"{"email":"a@example.com","password":"Correct-Horse-7"}"#;
    assert!(
        server
            .send("POST /api/v1/auth/login", form)
            .starts_with("HTTP/1.1 200")
    );
    let (code, _) = server.stop("-KILL");
    assert_eq!(code, None);
    let server = Server::start(data.path());
    assert!(
        server
            .send("POST /api/v1/auth/login", form)
            .starts_with("HTTP/1.1 200")
    );
    assert_eq!(server.stop("-INT").0, Some(0));
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let data = tempfile::tempdir().unwrap();
    let mut command = slovo();
    for variable in [
        "SLOVO_EDITION",
        "SLOVO_BEHIND_PROXY",
        "SLOVO_PUBLIC_URL",
        "SLOVO_THREADS",
        "SLOVO_LOG_FORMAT",
    ] {
        command.env(variable, "");
    }
    let server = Server::start_by(command, data.path());
    let answer = server.send("GET /api/v1/auth/options", "");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(server.stop("-TERM").0, Some(0));

    // Except for the data's location: an empty database would look like a loss of all data.
    let refused = slovo()
        .args(["serve", "--port", "0", "--data"])
        .arg(data.path())
        .env("DATABASE_URL", "")
        .output()
        .unwrap();
    assert!(!refused.status.success(), "{}", text(&refused));

    // Another word is still refused.
    let refused = slovo()
        .args(["serve", "--port", "0", "--data"])
        .arg(data.path())
        .env("SLOVO_EDITION", "shop")
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
}

#[test]
fn stored_files_are_accessible_to_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;

    let data = tempfile::tempdir().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    // A folder that somebody made beforehand, with a secret and a folder for all to read.
    let set_mode = |path: &Path, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, permissions).unwrap();
    };
    let media = data.path().join("media");
    std::fs::create_dir(&media).unwrap();
    let secret = data.path().join("secret.key");
    std::fs::write(&secret, [7; 32]).unwrap();
    set_mode(data.path(), 0o755);
    set_mode(&media, 0o777);
    set_mode(&secret, 0o644);
    let server = Server::start(data.path());
    server.sign_up(data.path(), "a@example.com");
    let (code, log) = server.stop("-TERM");
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("it is for its owner only now"), "{log}");
    assert_eq!(mode(data.path()), 0o700);
    let mut folders = vec![data.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path) & 0o077, 0, "{} is open", path.display());
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
}

#[test]
fn a_request_without_a_host_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let send = |head: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        write!(stream, "GET /healthz {head}connection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    for head in ["HTTP/1.1\r\n", "HTTP/1.1\r\nhost: a\r\nhost: b\r\n"] {
        let refused = send(head);
        assert!(refused.starts_with("HTTP/1.1 400"), "{refused}");
        assert!(refused.contains("\"code\":\"host_missing\""), "{refused}");
    }
    assert!(send("HTTP/1.1\r\nhost: a\r\n").starts_with("HTTP/1.1 200"));
    assert!(send("HTTP/1.0\r\n").starts_with("HTTP/1.0 200"));
}

#[test]
fn a_folder_that_does_not_belong_to_the_database_is_refused() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for data in [&first, &second] {
        Server::start(data.path()).stop("-TERM");
    }
    let database = first.path().join("slovo.db");
    let output = slovo()
        .env("DATABASE_URL", format!("sqlite://{}", database.display()))
        .args(["serve", "--port", "0", "--data"])
        .arg(second.path())
        .output()
        .unwrap();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("this database belongs to another data folder than"),
        "{said}"
    );
    // Both go on with what belongs to them.
    for data in [&first, &second] {
        assert_eq!(Server::start(data.path()).stop("-TERM").0, Some(0));
    }
}

#[test]
fn administrators_are_managed_while_the_server_runs() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    for email in ["a@example.com", "b@example.com"] {
        server.sign_up(data.path(), email);
    }
    let admin = |arguments: &[&str]| {
        let output = slovo()
            .arg("admin")
            .arg("--data")
            .arg(data.path())
            .args(arguments)
            .output()
            .unwrap();
        (output.status.code(), text(&output).trim().to_owned())
    };
    assert_eq!(admin(&["list"]), (Some(0), "a@example.com".into()));
    assert_eq!(admin(&["revoke", "a@example.com"]).0, Some(1));
    assert_eq!(admin(&["grant", "b@example.com"]).0, Some(0));
    assert_eq!(admin(&["revoke", "a@example.com"]).0, Some(0));
    assert_eq!(admin(&["list"]), (Some(0), "b@example.com".into()));
    assert_eq!(admin(&["grant"]).0, Some(2));
    // The folder may also follow the verb.
    let after = slovo()
        .args(["admin", "list", "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    assert_eq!(text(&after).trim(), "b@example.com");
    assert_eq!(server.stop("-TERM").0, Some(0));
}

#[test]
fn impossible_configurations_are_reported_at_start() {
    let data = tempfile::tempdir().unwrap();
    let serve = |arguments: &[&str]| {
        let output = slovo()
            .args(["serve", "--port", "0", "--data"])
            .arg(data.path())
            .args(arguments)
            .output()
            .unwrap();
        (output.status.code(), text(&output))
    };
    let (code, message) = serve(&["--database-url", "mysql://me:hunter2@localhost/x"]);
    assert!(code == Some(1) && !message.contains("hunter2"), "{message}");
    let (code, message) = serve(&["--database-url", "postgres://me:hunter2@127.0.0.1:1/x"]);
    assert!(code == Some(1) && !message.contains("hunter2"), "{message}");
    assert!(message.contains("refused"), "{message}");
    let (code, message) = serve(&["--web", "/nowhere"]);
    assert!(code == Some(1) && message.contains("--web"), "{message}");
    assert_eq!(serve(&["--port", "99999"]).0, Some(2));
    assert_eq!(serve(&["--log", "==="]).0, Some(1));

    std::fs::write(data.path().join("slovo.db"), "this is not a database").unwrap();
    let (code, message) = serve(&[]);
    assert!(
        code == Some(1) && message.contains("file is not a database"),
        "{message}"
    );
}

#[test]
fn mail_without_a_server_is_stored_and_a_wrong_server_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let test = |address: &str, variables: &[(&str, &str)]| {
        let mut command = slovo();
        let output = command
            .args(["mail", "test", address, "--locale", "en", "--data"])
            .arg(data.path())
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        (output.status.code(), text(&output))
    };
    let (code, message) = test("a@example.com", &[]);
    assert!(
        code == Some(0) && message.contains("kept and not sent"),
        "{message}"
    );
    assert!(
        message.contains("Mail to a@example.com: Test email from Slovo"),
        "{message}"
    );
    let stored = std::fs::read_dir(data.path().join("outbox")).unwrap();
    assert_eq!(stored.count(), 1);
    let (code, message) = test("a b@example.com", &[]);
    assert!(code == Some(1) && message.contains("address"), "{message}");

    let insecure = [("SLOVO_SMTP_URL", "smtp://me:hunter2@mail.example.com")];
    let (code, message) = test("a@example.com", &insecure);
    assert!(
        code == Some(2) && message.contains("?tls=required"),
        "{message}"
    );
    assert!(!message.contains("hunter2"), "{message}");
    let unreachable = [("SLOVO_SMTP_URL", "smtp://me:hunter2@127.0.0.1:1")];
    let (code, message) = test("a@example.com", &unreachable);
    assert!(code == Some(1) && message.contains("refused"), "{message}");
    assert!(
        message.contains("127.0.0.1:1") && !message.contains("hunter2"),
        "{message}"
    );

    let served = slovo()
        .args(["serve", "--port", "0", "--data"])
        .arg(data.path())
        .envs(insecure)
        .output()
        .unwrap();
    assert_eq!(served.status.code(), Some(1));
    assert!(
        text(&served).contains("SLOVO_SMTP_URL"),
        "{}",
        text(&served)
    );
}

#[test]
fn the_api_document_is_printed() {
    let output = slovo().arg("openapi").output().unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output), slovo_server::openapi::text().unwrap());
}
