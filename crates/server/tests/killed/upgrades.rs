//! Data folders of earlier versions are opened by this one, for ever.
//!
//! `upgrades/` has a small folder of each, made by the program of that version: two jobs with texts, an
//! edit, a link to share, a preset, an upload that is not complete. The database is compressed.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::json;

use super::program::Program;
use super::user::User;

/// The job in English of the folder of version 0.1, at commit ade3590.
const ENGLISH: &str = "/api/v1/jobs/01a22b4b-128b-7ab6-8a60-9cd098668e88";
/// The upload of which 50,000 bytes are stored.
const UPLOAD: &str = "/api/v1/uploads/01a22b4b-36a3-762e-951f-893899328aba";

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else if let Some(name) = name.strip_suffix(".gz") {
            let mut content = Vec::new();
            let mut decoder = GzDecoder::new(fs::File::open(&path).unwrap());
            decoder.read_to_end(&mut content).unwrap();
            fs::write(to.join(name), content).unwrap();
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

fn folder_of(version: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upgrades");
    copy(&stored.join(version), &folder.path().join("data"));
    folder
}

fn sign_in(program: &Program) -> User {
    let account = json!({"email": "oksana@example.com", "password": "Correct-Horse-7"});
    let account = serde_json::to_vec(&account).unwrap();
    let headers = [("content-type", "application/json")];
    let session = program.send("POST", "/api/v1/auth/login", &headers, &account);
    assert_eq!(session.status, 200);
    User::of_token(session.json()["access_token"].as_str().unwrap())
}

#[test]
fn a_folder_of_version_0_1_is_opened() {
    let folder = folder_of("ade3590");
    let program = Program::start(folder.path(), None, "first");
    let user = sign_in(&program);
    let jobs = user.get(&program, "/api/v1/jobs").json();
    assert_eq!(jobs.to_string().matches("my_job_id").count(), 2, "{jobs}");
    let text = user
        .get(&program, &format!("{ENGLISH}/transcript?times=all"))
        .json();
    let first = &text["segments"][0];
    assert_eq!(first["text"], "Good morning, everybody.", "the edit");
    assert_eq!(first["speaker"], "SPEAKER_0");
    let shares = user.get(&program, &format!("{ENGLISH}/shares")).json();
    assert!(shares.to_string().contains("expires_at"), "{shares}");
    let presets = user.get(&program, "/api/v1/presets").json();
    assert!(
        presets.to_string().contains("Morning meetings"),
        "{presets}"
    );
    let found = user.get(&program, "/api/v1/search?q=report").json();
    assert!(found.to_string().contains("report"), "{found}");
    assert_eq!(user.offset(&program, UPLOAD), 50_000);
    // It goes on working, as the administrator that it has always had.
    let again = user.post(
        &program,
        &format!("{ENGLISH}/rerun"),
        &json!({"settings": {
            "transcription_type": "lite", "language_code": "en"
        }}),
    );
    assert!(again.status < 300, "{}", again.json());
    user.transcript(&program, ENGLISH);
    assert_eq!(user.get(&program, "/api/v1/admin/overview").status, 200);
    program.terminate();
    // And is opened once more.
    Program::start(folder.path(), None, "second").terminate();
}

#[test]
fn a_database_from_the_future_is_refused() {
    let folder = folder_of("ade3590");
    Program::start(folder.path(), None, "first").terminate();
    let database = folder.path().join("data/slovo.db");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let options = slovo_db::Options::file(&database);
        let db = slovo_db::Database::connect(&options).await.unwrap();
        let mut transaction = db.write().await.unwrap();
        let newer = "INSERT INTO _sqlx_migrations \
                     (version, description, success, checksum, execution_time) \
                     VALUES (99999, 'later', 1, x'00', 1)";
        slovo_db::testing::execute(&mut transaction, newer).await;
        transaction.commit().await.unwrap();
        db.close().await;
    });
    let before = fs::read(&database).unwrap();
    let refusal = Program::refusal(folder.path(), None, &[]);
    assert!(refusal.contains("newer version of Slovo"), "{refusal}");
    assert!(fs::read(&database).unwrap() == before, "it was changed");
}
