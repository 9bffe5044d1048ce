use std::fs;
use std::path::Path;

use anyhow::Result;
use slovo_app::installation::{FILE, Parts, check, check_clock};
use slovo_db::core::installation;
use slovo_db::jobs::{uploads, workers};
use slovo_platform::clock::SystemClock;
use slovo_platform::secret::Secret;
use slovo_storage::Storage;
use uuid::Uuid;

use crate::testing::{Backend, SeededRandom, TestServer, apply, each_database, with_server};

struct Start<'a> {
    server: &'a TestServer,
    seed: u64,
    secret: &'a str,
    adopt: bool,
}

impl Start<'_> {
    async fn on(&self, data: &Path) -> Result<()> {
        let storage = Storage::open(data).unwrap();
        check(Parts {
            db: &self.server.state.db,
            storage: &storage,
            secret: &Secret::given(self.secret).unwrap(),
            random: &SeededRandom::new(self.seed),
            now: self.server.state.clock.now_ms(),
            adopt: self.adopt,
        })
        .await
    }
}

const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn starting(server: &TestServer, seed: u64) -> Start<'_> {
    Start {
        server,
        seed,
        secret: SECRET,
        adopt: false,
    }
}

async fn start(server: &TestServer, data: &Path, seed: u64) -> Result<()> {
    starting(server, seed).on(data).await
}

/// The id in a data folder.
fn id_in_folder(data: &Path) -> Option<String> {
    let text = fs::read_to_string(data.join(FILE)).ok()?;
    Some(text.trim().to_owned())
}

async fn id_in_database(server: &TestServer) -> Option<String> {
    let mut connection = server.state.db.read().await.unwrap();
    let known = installation::find(&mut connection).await.unwrap();
    known.map(|known| known.id)
}

/// A recording that the database knows.
async fn record(server: &TestServer, id: Uuid, data: &Path) {
    let me = server.signup(&format!("{id}@example.com")).await;
    let upload = uploads::NewUpload {
        id,
        user_id: me.user_id,
        filename: "a.wav".to_owned(),
        content_type: String::new(),
        kind: slovo_rules::upload::UploadKind::File,
        size: Some(1),
        created_at: 0,
        expires_at: i64::MAX,
    };
    server.state.uploads.create(upload).await.unwrap();
    let mut transaction = server.state.db.write().await.unwrap();
    let stored = uploads::set_stored(&mut transaction, id, 1, i64::MAX).await;
    stored.unwrap();
    transaction.commit().await.unwrap();
    fs::write(data.join("media").join(id.to_string()), "x").unwrap();
}

#[apply(each_database!)]
fn folder_and_database_get_the_same_id_and_keep_it(backend: Backend) {
    with_server(backend, async |server| {
        let data = server.state.config.data();
        start(&server, data, 1).await.unwrap();
        let id = id_in_folder(data).unwrap();
        start(&server, data, 2).await.unwrap();
        assert_eq!(id_in_folder(data).unwrap(), id);
        assert_eq!(id_in_database(&server).await.unwrap(), id);
    });
}

#[apply(each_database!)]
fn an_empty_folder_permanently_replaces_one_without_recordings(backend: Backend) {
    with_server(backend, async |server| {
        let data = server.state.config.data();
        start(&server, data, 1).await.unwrap();
        let empty = tempfile::tempdir().unwrap();
        server.clock.advance_seconds(60);
        start(&server, empty.path(), 2).await.unwrap();
        assert_eq!(id_in_folder(empty.path()), id_in_database(&server).await);
        let error = start(&server, data, 3).await.unwrap_err().to_string();
        assert!(error.contains("belongs to another data folder"), "{error}");
    });
}

#[apply(each_database!)]
fn a_second_folder_is_refused_while_a_process_uses_the_first(backend: Backend) {
    with_server(backend, async |server| {
        let data = server.state.config.data();
        start(&server, data, 1).await.unwrap();
        server.clock.advance_seconds(60);
        let beat = workers::Heartbeat {
            id: "w1",
            host: "first.example.com",
            pid: 7,
            version: "1",
            started_at: 0,
            now: server.state.clock.now_ms(),
        };
        let mut transaction = server.state.db.write().await.unwrap();
        workers::record_heartbeat(&mut transaction, &beat, 0)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let empty = tempfile::tempdir().unwrap();
        let error = start(&server, empty.path(), 2)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("process 7 on first.example.com"), "{error}");
        assert_eq!(id_in_folder(empty.path()), None);
        start(&server, data, 3).await.unwrap();
    });
}

#[apply(each_database!)]
fn a_folder_without_the_known_recordings_is_refused_until_adopted(backend: Backend) {
    with_server(backend, async |server| {
        let data = server.state.config.data();
        start(&server, data, 1).await.unwrap();
        for n in 1..=3 {
            record(&server, Uuid::from_u128(n), data).await;
        }
        server.clock.advance_seconds(60);
        // Its disk is not mounted: neither the id nor the recordings are there.
        let empty = tempfile::tempdir().unwrap();
        let error = start(&server, empty.path(), 2)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("lacks the recordings"), "{error}");
        // A copy of the folder without its recordings.
        fs::copy(data.join(FILE), empty.path().join(FILE)).unwrap();
        let error = start(&server, empty.path(), 2)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("lacks the recordings"), "{error}");
        // A single missing recording does not prevent the start.
        fs::remove_file(server.state.storage.media(Uuid::from_u128(1))).unwrap();
        start(&server, data, 3).await.unwrap();
        let adopting = Start {
            adopt: true,
            ..starting(&server, 4)
        };
        fs::remove_file(empty.path().join(FILE)).unwrap();
        adopting.on(empty.path()).await.unwrap();
        assert_eq!(id_in_folder(empty.path()), id_in_database(&server).await);
        assert!(start(&server, data, 5).await.is_err());
    });
}

#[apply(each_database!)]
fn a_different_secret_is_refused_until_adopted(backend: Backend) {
    with_server(backend, async |server| {
        let data = server.state.config.data();
        start(&server, data, 1).await.unwrap();
        let other = Start {
            secret: "another secret of 32 bytes or more",
            ..starting(&server, 2)
        };
        let error = other.on(data).await.unwrap_err().to_string();
        assert!(error.contains("SLOVO_SECRET"), "{error}");
        assert!(!error.contains("another secret of"), "{error}");
        start(&server, data, 3).await.unwrap();
        let adopting = Start {
            adopt: true,
            ..other
        };
        adopting.on(data).await.unwrap();
        assert!(start(&server, data, 4).await.is_err());
    });
}

#[apply(each_database!)]
fn a_folder_of_another_database_is_refused(backend: Backend) {
    with_server(backend, async |server| {
        let data = server.state.config.data();
        let recording = server.state.storage.media(Uuid::from_u128(1));
        fs::write(&recording, "precious").unwrap();
        let refused = async || {
            let error = start(&server, data, 1).await.unwrap_err().to_string();
            assert!(error.contains("belongs to another data folder"), "{error}");
            assert!(recording.exists());
        };
        // Neither side has an id, and the database knows none of the recordings.
        refused().await;
        // A new database with another one's folder.
        fs::write(data.join(FILE), "another").unwrap();
        refused().await;
        // Two sides with different ids, with or without recordings.
        let mut transaction = server.state.db.write().await.unwrap();
        installation::find_or_insert(&mut transaction, "one", 0)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        refused().await;
        fs::remove_file(&recording).unwrap();
        assert!(start(&server, data, 1).await.is_err());
    });
}

#[apply(each_database!)]
fn an_upgraded_server_starts_if_its_database_knows_the_recordings(backend: Backend) {
    with_server(backend, async |server| {
        let data = server.state.config.data();
        let known = Uuid::from_u128(2);
        record(&server, known, data).await;
        for id in [known, Uuid::from_u128(1)] {
            fs::write(server.state.storage.media(id), "x").unwrap();
        }
        start(&server, data, 1).await.unwrap();
        assert!(id_in_folder(data).is_some());
    });
}

#[apply(each_database!)]
fn the_clock_of_this_machine_is_that_of_the_database(backend: Backend) {
    with_server(backend, async |server| {
        let db = &server.state.db;
        check_clock(db, &SystemClock).await.unwrap();
        // The clock of tests stands still, far from the database's.
        let checked = check_clock(db, &*server.state.clock).await;
        let is_file = db.backend() == Backend::Sqlite;
        assert_eq!(checked.is_ok(), is_file, "{checked:?}");
    });
}
