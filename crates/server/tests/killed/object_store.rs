//! A real server that speaks the protocol of S3: SeaweedFS, which the suite installs (`SLOVO_TEST_WEED`
//! names another program), or for wider runs the `moto_server` that `SLOVO_TEST_MOTO` names, which keeps
//! objects in memory and checks no keys.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::program::TIMEOUT;

pub const BUCKET: &str = "recordings";
const KEY: &str = "AKIDEXAMPLE";
const SECRET: &str = "a secret key";

/// What serves the bucket.
enum Server {
    SeaweedFs(PathBuf),
    Moto(PathBuf),
}

impl Server {
    /// The one that is installed, if there is one.
    fn find() -> Option<Self> {
        if let Some(moto) = std::env::var_os("SLOVO_TEST_MOTO") {
            return Some(Self::Moto(moto.into()));
        }
        let given = std::env::var_os("SLOVO_TEST_WEED").map(PathBuf::from);
        let target = Path::new(env!("CARGO_BIN_EXE_slovo")).ancestors().nth(2)?;
        let program = given.unwrap_or_else(|| target.join("seaweedfs/bin/weed"));
        program.is_file().then_some(Self::SeaweedFs(program))
    }
}

/// A store with an empty bucket.
pub struct ObjectStore {
    server: Server,
    folder: tempfile::TempDir,
    ports: [u16; 8],
    process: Option<Child>,
}

impl ObjectStore {
    /// Starts it; `None`, with a message, if it is not installed.
    pub fn start() -> Option<Self> {
        let Some(server) = Server::find() else {
            eprintln!("not tested: SeaweedFS is not installed; cargo xtask test installs it");
            return None;
        };
        // All at once, so that they differ.
        let listeners = [(); 8].map(|()| free_port());
        let ports = listeners.map(|listener| listener.local_addr().unwrap().port());
        let folder = tempfile::tempdir().unwrap();
        let identity = serde_json::json!({"identities": [{
            "name": "slovo",
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": [format!("Read:{BUCKET}"), format!("Write:{BUCKET}"), format!("List:{BUCKET}")],
        }]});
        fs::write(folder.path().join("s3.json"), identity.to_string()).unwrap();
        let mut store = Self {
            server,
            folder,
            ports,
            process: None,
        };
        fs::create_dir(store.folder.path().join("data")).unwrap();
        store.run();
        let mut made = String::new();
        store.wait(|store| {
            made = match &store.server {
                Server::SeaweedFs(_) => store.ask("POST", &format!("/buckets/{BUCKET}/")),
                Server::Moto(_) => store.ask("PUT", &format!("/{BUCKET}")),
            }
            .unwrap_or_default();
            made.contains(" 201 ") || made.contains(" 200 ")
        });
        Some(store)
    }

    /// Runs it with what it has stored.
    pub fn run(&mut self) {
        let log = File::create(self.folder.path().join("store.log")).unwrap();
        let process = self
            .command()
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        self.process = Some(process.unwrap());
        self.wait(|store| {
            let answer = ask(store.ports[6], "GET", "/");
            answer.is_ok_and(|answer| answer.starts_with("HTTP/"))
        });
    }

    fn wait(&mut self, mut is_ready: impl FnMut(&Self) -> bool) {
        let mut waited = Duration::ZERO;
        while !is_ready(self) {
            let process = self.process.as_mut().unwrap();
            let has_ended = process.try_wait().unwrap().is_some();
            assert!(!has_ended && waited < TIMEOUT, "{}", self.log());
            std::thread::sleep(Duration::from_millis(50));
            waited += Duration::from_millis(50);
        }
    }

    fn command(&self) -> Command {
        let folder = self.folder.path();
        let program = match &self.server {
            Server::SeaweedFs(program) => program,
            Server::Moto(program) => {
                let mut command = Command::new(program);
                command.args(["-H", "127.0.0.1", "-p", &self.ports[6].to_string()]);
                return command;
            }
        };
        let names = [
            "master.port",
            "master.port.grpc",
            "volume.port",
            "volume.port.grpc",
        ]
        .into_iter()
        .chain(["filer.port", "filer.port.grpc", "s3.port", "s3.port.grpc"]);
        let ports = names
            .zip(self.ports)
            .map(|(name, port)| format!("-{name}={port}"));
        let mut command = Command::new(program);
        command
            .arg("server")
            .args([
                "-ip=127.0.0.1",
                "-ip.bind=127.0.0.1",
                "-filer",
                "-s3",
                "-s3.iam=false",
                "-s3.port.iceberg=0",
                "-s3.port.lance=0",
                "-master.telemetry=false",
            ])
            .args(["-volume.max=0", "-master.volumeSizeLimitMB=64"])
            .args(ports)
            .arg(format!("-dir={}", folder.join("data").display()))
            .arg(format!("-s3.config={}", folder.join("s3.json").display()));
        command
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("store.log")).unwrap()
    }

    /// Kills it; what it has acknowledged stays.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Where it answers.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.ports[6])
    }

    /// The variables of a program that uses it with this prefix.
    pub fn variables(&self, prefix: &str) -> Vec<(&'static str, String)> {
        vec![
            ("SLOVO_STORAGE", format!("s3://{BUCKET}/{prefix}")),
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address())),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
            // The machines have no folder in common.
            (
                "SLOVO_SECRET",
                "0123456789abcdef0123456789abcdef".to_owned(),
            ),
        ]
    }

    /// The keys of all objects, without the bucket.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = Vec::new();
        match &self.server {
            Server::SeaweedFs(_) => self.list(&format!("/buckets/{BUCKET}"), &mut keys),
            Server::Moto(_) => {
                let listed = self.ask("GET", &format!("/{BUCKET}?list-type=2")).unwrap();
                let listed = listed.split("<Key>").skip(1);
                keys.extend(
                    listed.filter_map(|rest| Some(rest.split_once("</Key>")?.0.to_owned())),
                );
            }
        }
        keys.sort();
        keys
    }

    fn list(&self, folder: &str, keys: &mut Vec<String>) {
        let answer = self.ask("GET", &format!("{folder}/?limit=1000")).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let Ok(listed) = serde_json::from_str::<Value>(body) else {
            return;
        };
        for entry in listed["Entries"].as_array().into_iter().flatten() {
            let path = entry["FullPath"].as_str().unwrap();
            // A folder has no content, and its mode says so in the highest bit.
            if entry["Mode"].as_u64().unwrap() & (1 << 31) == 0 {
                let key = path.strip_prefix(&format!("/buckets/{BUCKET}/"));
                keys.push(key.unwrap().to_owned());
            } else {
                self.list(path, keys);
            }
        }
    }

    /// Whether it keeps objects over a restart, and refuses wrong keys.
    pub fn is_complete(&self) -> bool {
        matches!(self.server, Server::SeaweedFs(_))
    }

    /// Asks the part of the server that keeps names, which needs no keys.
    fn ask(&self, method: &str, path: &str) -> io::Result<String> {
        let port = match &self.server {
            Server::SeaweedFs(_) => self.ports[4],
            Server::Moto(_) => self.ports[6],
        };
        ask(port, method, path)
    }
}

fn ask(port: u16, method: &str, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    let request = format!(
        "{method} {path} HTTP/1.0\r\nHost: store\r\nAccept: application/json\r\nContent-Length: 0\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    String::from_utf8(answer).map_err(io::Error::other)
}

/// A port that the system gives to no outgoing connection, so that it stays free until the store
/// listens.
pub fn free_port() -> TcpListener {
    let ports = std::iter::repeat_with(|| rand::random_range(12_000..32_000));
    let mut listeners = ports.filter_map(|port: u16| TcpListener::bind(("127.0.0.1", port)).ok());
    listeners.next().unwrap()
}

impl Drop for ObjectStore {
    fn drop(&mut self) {
        self.kill();
    }
}
