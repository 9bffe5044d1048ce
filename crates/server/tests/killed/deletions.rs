//! An account deletion interrupted by a kill: afterwards either everything or nothing of it exists.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::program::{Program, TIMEOUT, kills};
use crate::user::{PASSWORD, User};

/// Recordings of the account.
const RECORDINGS: usize = 5;

/// Names of what is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

pub fn picture(folder: &Path) -> Vec<u8> {
    let file = folder.join("me.png");
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x64"]);
    command.args(["-frames:v", "1"]).arg(&file);
    assert!(command.status().unwrap().success());
    fs::read(file).unwrap()
}

#[test]
fn an_interrupted_account_deletion_is_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let image = picture(folder.path());
    let data = folder.path().join("data");
    let mut program = Program::start(folder.path(), None, "first");
    // The first account is the last administrator's and stays.
    User::sign_up(&program);
    let rounds = kills(8);
    let mut removed = 0;
    for round in 0..rounds {
        let email = format!("u{round}@example.com");
        let user = User::sign_up_as(&program, &email);
        let bytes = vec![b'x'; 100_000];
        let uploads: Vec<String> = (0..RECORDINGS)
            .map(|_| {
                // A recording's first bytes are looked at: those of a WAV file.
                let mut bytes = bytes.clone();
                bytes[..16].copy_from_slice(b"RIFF\xa0\x86\x01\0WAVEfmt ");
                let path = user.begin(&program, bytes.len() + 1);
                user.append(&program, &path, 0, &bytes);
                path.rsplit('/').next().unwrap().to_owned()
            })
            .collect();
        user.set_avatar(&program, &image);
        let id = user.id(&program);
        assert_eq!(names(&data.join("media")).len(), RECORDINGS);

        program = std::thread::scope(|scope| {
            let leaving = scope.spawn(|| {
                user.try_leave(&program);
            });
            // Every other one in the moment between the rows and the files.
            if round % 2 == 0 {
                while !program.log().contains("an account was removed") && !leaving.is_finished() {
                    std::hint::spin_loop();
                }
            } else {
                std::thread::sleep(Duration::from_millis(20 * round as u64));
            }
            program.kill_now();
            leaving.join().unwrap();
            Program::start(folder.path(), None, &format!("round-{round}"))
        });

        let form = json!({"email": email, "password": PASSWORD}).to_string();
        let headers = [("Content-Type", "application/json")];
        let login = program.send("POST", "/api/v1/auth/login", &headers, form.as_bytes());
        let of_account = || {
            let media = names(&data.join("media"));
            let remaining = uploads.iter().filter(|id| media.contains(id)).count();
            (remaining, data.join("avatars").join(&id).exists())
        };
        if login.status == 200 {
            assert_eq!(of_account(), (RECORDINGS, true), "all of it is there");
            let token = login.json()["access_token"].as_str().unwrap().to_owned();
            User::of_token(&token).leave(&program);
        } else {
            assert_eq!(login.status, 401, "{}", login.json());
            removed += 1;
        }
        // At the start, not after days.
        let started = Instant::now();
        while of_account() != (0, false) {
            assert!(started.elapsed() < TIMEOUT, "{:?} stays", of_account());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    println!("{removed} of {rounds} were removed when the program was killed");
    assert!(removed > 0);
    program.terminate();
}
