//! Machines without a common folder: recordings are in an object store, rows in PostgreSQL. Each
//! process has a data folder of its own.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use slovo_test_postgres::Cluster;

use super::deletions::picture;
use super::object_store::{BUCKET, ObjectStore};
use super::program::{Program, TIMEOUT};
use super::user::User;
use super::{recognised, recording_of, repeated};

/// Speech with more bytes than two parts of an upload: 576 kB a second.
fn large_recording(folder: &Path) -> Vec<u8> {
    recording_of(folder, 40.0);
    let large = folder.join("large.wav");
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-y", "-i"]);
    command.arg(folder.join("recording.wav"));
    command
        .args(["-ar", "96000", "-ac", "2", "-c:a", "pcm_s24le"])
        .arg(&large);
    assert!(command.status().unwrap().success());
    fs::read(large).unwrap()
}

/// Machines with a database and an object store.
struct Machines {
    store: ObjectStore,
    cluster: Cluster,
    folder: tempfile::TempDir,
}

impl Machines {
    /// `None` if there is no object store.
    fn new() -> Option<Self> {
        Some(Self {
            store: ObjectStore::start()?,
            cluster: Cluster::start().unwrap(),
            folder: tempfile::tempdir().unwrap(),
        })
    }

    fn machine(&self, name: &str) -> std::path::PathBuf {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn start(&self, name: &str, queues: Option<&str>, more: &[(&str, &str)]) -> Program {
        let variables = self.store.variables("slovo");
        let mut variables: Vec<_> = variables
            .iter()
            .map(|(name, value)| (*name, &**value))
            .collect();
        variables.extend(more);
        let (folder, database) = (self.machine(name), Some(self.cluster.url()));
        match queues {
            None => Program::start_web_with(&folder, database, name, &variables),
            Some(queues) => Program::start_work_with(&folder, database, name, queues, &variables),
        }
    }

    fn web(&self, name: &str) -> Program {
        self.start(name, None, &[])
    }

    fn work(&self, name: &str) -> Program {
        self.start(name, Some("recognition,analysis,download,delivery"), &[])
    }
}

/// Waits until something is so.
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let mut waited = Duration::ZERO;
    while !is_so() {
        assert!(waited < TIMEOUT, "{what}");
        std::thread::sleep(Duration::from_millis(100));
        waited += Duration::from_millis(100);
    }
}

/// Gets an absolute address without keys.
fn get(address: &str, range: &str) -> (u16, Vec<u8>) {
    let rest = address.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let request = format!(
        "GET /{path} HTTP/1.1\r\nHost: {host}\r\nRange: {range}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap();
    let status = String::from_utf8_lossy(&answer[9..12]).parse().unwrap();
    (status, answer[end + 4..].to_vec())
}

impl Machines {
    /// Uploads a recording: one web node receives more than a part and is killed, the others continue.
    fn upload(&self, recording: &[u8]) -> (User, String) {
        let size = recording.len();
        let first = self.web("first");
        // The first account is an administrator, who may not leave.
        User::sign_up_as(&first, "first@example.com");
        let user = User::sign_up(&first);
        let upload = user.begin(&first, size);
        user.append(&first, &upload, 0, &recording[..100_000]);
        let mut stream = TcpStream::connect(&first.address).unwrap();
        let headers = user.patch_headers("100000");
        let head = first.head("PATCH", &upload, &headers, size - 100_000);
        stream.write_all(&head).unwrap();
        let sent = size - 500_000;
        let written = stream.write_all(&recording[100_000..sent]);
        written.unwrap_or_else(|error| panic!("{error}: {}", first.log()));
        eventually("two parts", || user.offset(&first, &upload) > 16 << 20);
        first.kill();
        drop(stream);
        let (second, third) = (self.web("second"), self.web("third"));
        let at = user.offset(&second, &upload);
        println!("{sent} bytes sent, {at} stored");
        assert!((16 << 20..=sent).contains(&at));
        user.append(&third, &upload, at, &recording[at..size - 9]);
        user.append(&second, &upload, size - 9, &recording[size - 9..]);
        let stored = self.store.keys();
        assert!(
            !stored.iter().any(|key| key.contains("incoming")),
            "{stored:?}"
        );
        (user, upload)
    }

    /// Recognises an upload: a worker is killed, another one continues from its last window.
    fn job(&self, web: &Program, user: &User, upload: &str) -> String {
        let settings = json!({"transcription_type": "lite", "language_code": "en"});
        let job = user.job_of_upload(web, upload, &settings);
        let mut killed = self.work("killed");
        killed.wait_for_windows(1);
        killed.kill();
        let worker = self.work("worker");
        let transcript = user.transcript(web, &job);
        assert!(
            transcript["segments"].as_array().unwrap().len() > 3,
            "{transcript}"
        );
        let logs = ["killed", "worker"].map(|name| {
            fs::read_to_string(self.machine(name).join(format!("{name}.log"))).unwrap()
        });
        let windows = logs.iter().flat_map(|log| recognised(log)).collect();
        assert!(repeated(windows) <= 1, "{logs:#?}");
        worker.terminate();
        job
    }

    /// Plays a recording from a web node, and from the store itself.
    fn play(&self, web: &Program, user: &User, job: &str, recording: &[u8]) {
        let whole = user.get(web, &format!("{job}/media"));
        assert!(whole.status == 200 && whole.body == recording);
        let link = user
            .post(web, &format!("{job}/media-link"), &json!({}))
            .json();
        let link = link["url"].as_str().unwrap();
        let (from, to) = ((8 << 20) - 5, (8 << 20) + 4);
        let range = format!("bytes={from}-{to}");
        let part = web.send("GET", link, &[("Range", &range)], b"");
        assert!(part.status == 206 && part.body == recording[from..=to]);

        let direct = self.start("direct", None, &[("SLOVO_S3_DIRECT_PLAYBACK", "true")]);
        let sent_on = direct.send("GET", link, &[("Range", &range)], b"");
        assert_eq!(sent_on.status, 307);
        let address = sent_on.header("location").to_owned();
        let store = self.store.address();
        let media = format!("http://{store}/{BUCKET}/slovo/media/");
        assert!(address.starts_with(&media), "{address}");
        assert_eq!(get(&address, &range), (206, recording[from..=to].to_vec()));
        let unsigned = address.split('?').next().unwrap();
        assert!(!self.store.is_complete() || get(unsigned, &range).0 == 403);
        let page = direct.send("GET", "/", &[], b"");
        let policy = page.header("content-security-policy");
        let allowed = format!("media-src 'self' blob: http://{store};");
        assert!(policy.contains(&allowed), "{policy}");
        direct.terminate();
    }
}

#[test]
fn a_recording_passes_from_machine_to_machine_and_leaves_nothing() {
    let Some(machines) = Machines::new() else {
        return;
    };
    let recording = large_recording(machines.folder.path());
    let (user, upload) = machines.upload(&recording);
    let (one, other) = (machines.web("one"), machines.web("other"));
    let job = machines.job(&one, &user, &upload);
    machines.play(&other, &user, &job, &recording);

    // A picture of one node is shown by the other.
    user.set_avatar(&one, &picture(machines.folder.path()));
    eventually("the picture", || {
        let avatar = user.get(&other, "/api/v1/me/avatar");
        avatar.status == 200 && avatar.body.len() > 100
    });
    // What is deleted is gone from the store, also what was not complete.
    let begun = user.begin(&other, recording.len());
    user.append(&other, &begun, 0, &recording[..recording.len() - 500_000]);
    let stored = machines.store.keys();
    assert!(
        stored.iter().any(|key| key.ends_with("/multipart")),
        "{stored:?}"
    );
    user.leave(&one);
    eventually("an empty store", || {
        machines.store.keys() == ["slovo/installation"]
    });
    one.terminate();
    other.terminate();
}

#[test]
fn work_waits_while_the_object_store_is_away() {
    let Some(mut machines) = Machines::new().filter(|machines| machines.store.is_complete()) else {
        return;
    };
    let recording = recording_of(machines.folder.path(), 10.0);
    let web = machines.web("web");
    let user = User::sign_up(&web);
    let job = user.job(&web, &recording);
    machines.store.kill();
    let upload = user.try_begin(&web, "1000").unwrap();
    assert_eq!(upload.status, 201, "it has no bytes yet");
    let ready = web.send("GET", "/readyz", &[], b"");
    assert_eq!(ready.status, 503);
    let media = user.get(&web, &format!("{job}/media"));
    assert_eq!(media.status, 503);
    let overview = user.get(&web, "/api/v1/admin/overview").json();
    let storage = &overview["storage"];
    assert!(
        storage["is_shared"] == true && storage["has_folder"] == false,
        "{overview}"
    );
    assert!(storage["media"].is_null(), "{overview}");
    // A worker that starts now says what is wrong and ends.
    let variables = machines.store.variables("slovo");
    let variables: Vec<_> = variables
        .iter()
        .map(|(name, value)| (*name, &**value))
        .collect();
    let log = Program::refusal(
        &machines.machine("late"),
        Some(machines.cluster.url()),
        &variables,
    );
    assert!(log.contains("does not answer as expected"), "{log}");
    machines.store.run();
    eventually("ready again", || {
        web.send("GET", "/readyz", &[], b"").status == 200
    });
    let worker = machines.work("worker");
    let transcript = user.transcript(&web, &job);
    assert!(!transcript["segments"].as_array().unwrap().is_empty());
    worker.terminate();
    web.terminate();
}

#[test]
fn a_store_that_cannot_be_used_is_refused_with_what_to_do() {
    let Some(store) = ObjectStore::start().filter(ObjectStore::is_complete) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let refused = |changes: &[(&'static str, &str)], expected: &str| {
        let mut variables = store.variables("slovo");
        for (name, value) in changes {
            variables.retain(|(known, _)| known != name);
            variables.push((*name, (*value).to_owned()));
        }
        let variables: Vec<_> = variables
            .iter()
            .map(|(name, value)| (*name, &**value))
            .collect();
        let log = Program::refusal(folder.path(), None, &variables);
        assert!(log.contains(expected), "{changes:?}: {log}");
        assert!(!log.contains("a secret key"), "{log}");
    };
    refused(
        &[("SLOVO_STORAGE", "s3://elsewhere/slovo")],
        "correct its name",
    );
    refused(
        &[("AWS_SECRET_ACCESS_KEY", "another key")],
        "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
    refused(
        &[("AWS_ACCESS_KEY_ID", "nobody")],
        "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
    refused(
        &[("AWS_ENDPOINT_URL", "http://127.0.0.1:9")],
        "correct AWS_ENDPOINT_URL",
    );
    refused(
        &[("SLOVO_STORAGE", "https://example.com/bucket")],
        "expected s3://bucket or s3://bucket/prefix",
    );
    assert!(store.keys().is_empty(), "{:?}", store.keys());
}
