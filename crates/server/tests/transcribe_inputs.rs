//! What `slovo transcribe` takes: several files, folders, standard input, pipes, addresses, formats
//! besides the ten; and the language that it takes from the system. On real speech.
#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use slovo_test_media::{containers, prompts, speech};

fn slovo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slovo"));
    command
        .arg("transcribe")
        .args(arguments)
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env_remove("LANG")
        .env_remove("SLOVO_FETCH_ALLOW")
        .stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    slovo(arguments).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", errors(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn is_transcribed(text: &str) -> bool {
    speech::error_rate(prompts::WELCOME.text, text) <= 0.3
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_broken_file_in_a_folder_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("below");
    std::fs::create_dir(&below).unwrap();
    let sound = prompts::WELCOME.path();
    std::fs::write(folder.path().join("a broken.mp3"), "this is no sound").unwrap();
    std::fs::copy(&sound, folder.path().join("b.wav")).unwrap();
    std::fs::copy(&sound, below.join("b.WAV")).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no recording").unwrap();
    let texts = tempfile::tempdir().unwrap();
    let texts = texts.path().join("new");
    let output = run(&[
        path(folder.path()),
        "--mode",
        "lite",
        "--output",
        path(&texts),
    ]);
    assert_eq!(output.status.code(), Some(3), "{}", errors(&output));
    assert!(
        errors(&output).contains("a broken.mp3"),
        "{}",
        errors(&output)
    );
    for file in ["b.txt", "below/b.txt"] {
        let transcript = std::fs::read_to_string(texts.join(file)).unwrap();
        assert!(is_transcribed(&transcript), "{file}: {transcript}");
    }
    assert!(!texts.join("a broken.txt").exists());
    assert!(!texts.join("notes.txt").exists());
}

#[test]
fn several_transcripts_on_standard_output_have_headings() {
    let sound = prompts::WELCOME.path();
    let sound = path(&sound);
    let stdout = text(&run(&[sound, sound, "--mode", "lite"]));
    assert_eq!(
        stdout.matches(&format!("==> {sound} <==")).count(),
        2,
        "{stdout}"
    );
    let output = run(&[sound, sound, "--mode", "lite", "--format", "json"]);
    let documents = serde_json::Deserializer::from_slice(text(&output).as_bytes())
        .into_iter::<Value>()
        .map(|document| document.unwrap()["mode"].clone())
        .collect::<Vec<_>>();
    assert_eq!(documents, ["lite", "lite"]);
    let output = run(&[sound, sound, "--mode", "lite", "--format", "srt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors(&output).contains("--output DIR"),
        "{}",
        errors(&output)
    );
}

#[test]
fn standard_input_and_pipes_are_read() {
    let sound = std::fs::read(prompts::WELCOME.path()).unwrap();
    let mut child = slovo(&["-", "--mode", "lite"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&sound).unwrap();
    let transcript = text(&child.wait_with_output().unwrap());
    assert!(is_transcribed(&transcript), "{transcript}");

    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let child = slovo(&[path(&pipe), "--mode", "lite"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::fs::write(&pipe, &sound).unwrap();
    let transcript = text(&child.wait_with_output().unwrap());
    assert!(is_transcribed(&transcript), "{transcript}");

    // Nothing comes: as unreadable as an empty file.
    assert_eq!(run(&["-", "--mode", "lite"]).status.code(), Some(3));
    assert_eq!(run(&["-", "-", "--mode", "lite"]).status.code(), Some(2));
}

/// Answers one request with this.
fn answer(listener: &TcpListener, head: &str, body: &[u8]) {
    let (mut connection, _) = listener.accept().unwrap();
    read_head(&mut connection);
    let length = body.len();
    let head = format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    connection.write_all(head.as_bytes()).unwrap();
    connection.write_all(body).unwrap();
}

fn read_head(connection: &mut TcpStream) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        assert_eq!(
            connection.read(&mut byte).unwrap(),
            1,
            "the request breaks off"
        );
        head.push(byte[0]);
    }
}

#[test]
fn a_url_is_fetched_only_if_allowed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap().to_string();
    let address = format!("http://{place}/talk.wav?token=s3cret");
    // Nobody answers: the guard refuses before anybody is asked.
    let output = run(&[&address, "--mode", "lite"]);
    assert_eq!(output.status.code(), Some(3), "{}", errors(&output));
    assert!(errors(&output).contains("refused"), "{}", errors(&output));
    assert!(!errors(&output).contains("s3cret"), "{}", errors(&output));

    let folder = tempfile::tempdir().unwrap();
    let served = std::thread::spawn(move || {
        let sound = std::fs::read(prompts::WELCOME.path()).unwrap();
        answer(&listener, "200 OK", &sound);
        answer(&listener, "404 Not Found", b"");
        answer(&listener, "200 OK", b"%PDF-1.7 no recording");
    });
    let options = [
        "--mode",
        "lite",
        "--fetch-allow",
        &place,
        "--output",
        path(folder.path()),
    ];
    let arguments = [&[address.as_str()][..], &options].concat();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let transcript = std::fs::read_to_string(folder.path().join("talk.txt")).unwrap();
    assert!(is_transcribed(&transcript), "{transcript}");
    for expected in ["404", "pdf"] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(3), "{}", errors(&output));
        assert!(errors(&output).contains(expected), "{}", errors(&output));
    }
    served.join().unwrap();
    assert_eq!(
        run(&["http://me:pw@example.com/a.mp3"]).status.code(),
        Some(2)
    );
}

#[test]
fn other_formats_are_read_with_ffmpeg() {
    let folder = tempfile::tempdir().unwrap();
    for external in containers::EXTERNAL {
        let file = containers::make_container(external, folder.path());
        let transcript = text(&run(&[path(&file), "--mode", "lite"]));
        assert!(is_transcribed(&transcript), "{}: {transcript}", external.0);
        let output = slovo(&[path(&file), "--mode", "lite"])
            .env("PATH", "/nowhere")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", errors(&output));
        assert!(
            errors(&output).contains("not installed"),
            "{}",
            errors(&output)
        );
    }
}

#[test]
fn the_system_language_is_used_unless_one_is_given() {
    let sound = prompts::WELCOME.path();
    let language_with = |arguments: &[&str], system: &str| {
        let output = slovo(&[&[path(&sound), "--format", "json"][..], arguments].concat())
            .env("LANG", system)
            .output()
            .unwrap();
        let json: Value = serde_json::from_str(&text(&output)).unwrap();
        json["language"].as_str().unwrap().to_owned()
    };
    assert_eq!(language_with(&[], "de_DE.UTF-8"), "de");
    assert_eq!(language_with(&["--language", "en"], "de_DE.UTF-8"), "en");
    assert_eq!(language_with(&[], "C.UTF-8"), "en", "it is found");
    assert_eq!(language_with(&["--mode", "lite"], "de_DE.UTF-8"), "en");
}
