//! A download from a slow server while the program is killed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use slovo_test_postgres::Cluster;

use crate::program::{Program, TIMEOUT};
use crate::user::User;

/// Bytes of the recording.
const SIZE: u32 = 40 * 1024 * 1024;
/// The first connection comes no further.
const STALLS_AT: usize = 21 * 1024 * 1024;
/// What must have been noted when so much has come: a note is made every 8 MiB.
const NOTED: usize = 16 * 1024 * 1024;

/// Somebody else's server: gives one file, in parts where asked, and stalls the first time.
struct RemoteServer {
    address: SocketAddr,
    /// First byte of every answer, and whether the client named the file that it has.
    asked: Arc<Mutex<Vec<(usize, bool)>>>,
}

impl RemoteServer {
    fn start(file: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&requests);
        // Ends with the test's process.
        std::thread::spawn(move || {
            let mut stalled = None;
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let (from, knows) = read(&stream);
                let is_first = shared.lock().unwrap().is_empty();
                shared.lock().unwrap().push((from, knows));
                let end = if is_first { STALLS_AT } else { file.len() };
                let status = match from {
                    0 => "200 OK".to_owned(),
                    _ => format!(
                        "206 Partial Content\r\nContent-Range: bytes {from}-{}/{}",
                        file.len() - 1,
                        file.len()
                    ),
                };
                let head = format!(
                    "HTTP/1.1 {status}\r\nETag: \"one\"\r\nAccept-Ranges: bytes\r\n\
                     Content-Length: {}\r\nConnection: close\r\n\r\n",
                    file.len() - from
                );
                // The program may be killed meanwhile.
                let _ = stream.write_all(head.as_bytes());
                let _ = stream.write_all(&file[from..end]);
                if is_first {
                    stalled = Some(stream);
                }
            }
            drop(stalled);
        });
        Self {
            address,
            asked: requests,
        }
    }
}

/// Reads a request: the first byte that it asks for, and whether it says of which file.
fn read(stream: &TcpStream) -> (usize, bool) {
    let lines = BufReader::new(stream).lines().map(Result::unwrap);
    let lines: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    let field = |name: &str| {
        let mut fields = lines.iter().filter_map(|line| line.split_once(": "));
        fields.find(|(key, _)| key.eq_ignore_ascii_case(name))
    };
    let from = field("range").map_or(0, |(_, range)| {
        let first = range.trim_start_matches("bytes=").split('-').next();
        first.unwrap().parse().unwrap()
    });
    (
        from,
        field("if-range").is_some_and(|(_, tag)| tag == "\"one\""),
    )
}

/// Silence, but every byte is another one.
fn recording() -> Vec<u8> {
    let mut bytes = fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap()[..44].to_vec();
    bytes.extend((44..SIZE).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8));
    bytes[4..8].copy_from_slice(&(SIZE - 8).to_le_bytes());
    bytes[40..44].copy_from_slice(&(SIZE - 44).to_le_bytes());
    bytes
}

#[test]
fn a_download_is_resumed_after_a_kill() {
    download_survives_a_kill(None);
}

#[test]
fn a_download_is_resumed_after_a_kill_on_postgresql() {
    let cluster = Cluster::start().unwrap();
    download_survives_a_kill(Some(cluster.url()));
}

fn download_survives_a_kill(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let complete = recording();
    let remote = RemoteServer::start(complete.clone());
    // Without a model the job ends as soon as its recording is there.
    let models = folder.path().join("no-models");
    fs::create_dir(&models).unwrap();
    let place = remote.address.to_string();
    let options = [
        "--fetch-allow",
        &place,
        "--models",
        models.to_str().unwrap(),
    ];
    let program = Program::start_with(folder.path(), database, "first", &options);
    let user = User::sign_up(&program);
    let job = user.job_of(&program, &format!("http://{place}/a.wav?token=hunter2"));
    let media = folder.path().join("data/media");
    let size = || {
        let files = fs::read_dir(&media).unwrap().flatten();
        files
            .map(|file| file.metadata().unwrap().len())
            .sum::<u64>()
    };
    let mut waited = Duration::ZERO;
    while size() < 20 * 1024 * 1024 {
        assert!(waited < TIMEOUT, "{}", program.log());
        std::thread::sleep(Duration::from_millis(20));
        waited += Duration::from_millis(20);
    }
    program.kill();

    let program = Program::start_with(folder.path(), database, "second", &options);
    let finished = user.ended(&program, &job);
    assert_eq!(finished["file_size"], SIZE, "{finished}\n{}", program.log());
    let files: Vec<_> = fs::read_dir(&media).unwrap().flatten().collect();
    assert_eq!(files.len(), 1);
    assert!(
        fs::read(files[0].path()).unwrap() == complete,
        "byte by byte"
    );
    let requests = remote.asked.lock().unwrap().clone();
    println!("{STALLS_AT} bytes sent, asked for {requests:?}");
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0], (0, false));
    assert!(requests[1].0 >= NOTED && requests[1].1, "{requests:?}");
    for log in [
        fs::read_to_string(folder.path().join("first.log")).unwrap(),
        program.terminate(),
    ] {
        assert!(!log.contains("hunter2"));
    }
}
