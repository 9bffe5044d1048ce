//! Backups of a database of each kind, with recordings, brought back to either.

use std::path::{Path, PathBuf};

use futures_util::TryStreamExt;
use slovo_db::testing::{account, with_database_at};
use slovo_db::{Backend, Database, Options};
use slovo_platform::clock::Clock;
use slovo_platform::secret::Secret;
use slovo_platform::testing::{SeededRandom, TestClock};
use slovo_storage::Storage;
use tokio::sync::watch;
use uuid::Uuid;

use crate::create::{Created, Recordings, Source, create};
use crate::{Identities, Opened, Place, Recipients, keep_newest, new_identity, pieces};

const DAY_MS: i64 = 86_400_000;

struct World {
    folder: tempfile::TempDir,
    db: Database,
    storage: Storage,
    secret: Secret,
    clock: TestClock,
}

impl World {
    async fn new(db: Database) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(&folder.path().join("data")).unwrap();
        let world = Self {
            secret: Secret::load_or_create(&folder.path().join("data"), &SeededRandom::new(1))
                .unwrap(),
            db,
            storage,
            clock: TestClock::default(),
            folder,
        };
        world.account("oksana").await;
        world.recording(1, vec![7; 20_000_000]).await;
        let picture = world.storage.put_blob("avatars/a/1", b"picture".to_vec());
        picture.await.unwrap();
        world
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    async fn account(&self, name: &str) {
        let mut transaction = self.db.write().await.unwrap();
        account(&mut transaction, name).await;
        transaction.commit().await.unwrap();
    }

    async fn recording(&self, number: u128, content: Vec<u8>) {
        let path = self
            .data()
            .join("media")
            .join(Uuid::from_u128(number).to_string());
        tokio::fs::write(path, content).await.unwrap();
    }

    async fn place(&self) -> Place {
        let storage = Storage::of_blobs(&self.folder.path().join("backups")).unwrap();
        Place::prepare(storage, &SeededRandom::new(2))
            .await
            .unwrap()
    }

    async fn back_up(&self, recipients: &Recipients, recordings: Recordings) -> Created {
        let source = Source {
            db: &self.db,
            storage: &self.storage,
            data: &self.data(),
            secret: &self.secret,
            models: vec!["base".to_owned()],
            clock: &self.clock,
            program: "0.2.0",
        };
        let (progress, _) = watch::channel((0, 0));
        let place = self.place().await;
        let created = create(&source, &place, recipients, recordings, &progress).await;
        created.unwrap()
    }
}

fn with_world(backend: Backend, test: impl AsyncFnOnce(World)) {
    with_database_at(backend, slovo_test_postgres::url, async |db| {
        test(World::new(db).await).await;
    });
}

/// An empty SQLite database in this folder.
async fn empty(folder: &Path) -> Database {
    let options = Options::file(&folder.join("restored.db")).volatile();
    Database::connect(&options).await.unwrap()
}

async fn accounts(db: &Database) -> usize {
    let mut snapshot = db.snapshot().await.unwrap();
    let table = snapshot
        .tables()
        .iter()
        .find(|table| table.name == "accounts");
    let table = table.unwrap().clone();
    let rows: Vec<_> = snapshot.rows(&table).try_collect().await.unwrap();
    snapshot.close().await.unwrap();
    rows.len()
}

/// All content of a folder.
fn content(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(content(&path)),
            false => all.extend(std::fs::read(path).unwrap()),
        }
    }
    all
}

fn contains(haystack: &[u8], needle: &str) -> bool {
    haystack
        .windows(needle.len())
        .any(|window| window == needle.as_bytes())
}

fn comes_back(backend: Backend) {
    with_world(backend, async |world| {
        let none = Recipients::default();
        let first = world.back_up(&none, Recordings::Copied).await;
        assert!(first.total_bytes > 20_000_000, "{first:?}");
        // Three pieces of zeros of which two are equal.
        assert!(first.stored_bytes < 13_000_000, "{first:?}");
        assert_eq!(first.files, 2);
        let second = world.back_up(&none, Recordings::Copied).await;
        assert!(second.stored_bytes < 20_000, "{second:?}");
        world.account("petro").await;
        world.clock.advance_seconds(1);
        world.back_up(&none, Recordings::Copied).await;

        let place = world.place().await;
        assert_eq!(place.names().await.unwrap().len(), 3);
        let no_keys = Identities::default();
        let opened = Opened::open(&place, "latest", &no_keys).await.unwrap();
        let verified = opened.verify().await.unwrap();
        assert_eq!((verified.files, verified.referred), (2, 0));
        assert_eq!(verified.rows, opened.snapshot.rows);
        assert_eq!(
            opened.manifest.secret,
            world.secret.of_file().map(hex::encode)
        );

        let target = tempfile::tempdir().unwrap();
        let db = empty(target.path()).await;
        assert_eq!(opened.fill(&db).await.unwrap(), verified.rows);
        db.migrate().await.unwrap();
        assert_eq!(accounts(&db).await, 2);
        let storage = Storage::open(target.path()).unwrap();
        let files = opened.put_files(&storage).await.unwrap();
        assert_eq!((files.stored, files.present, files.missing), (2, 0, 0));
        let again = opened.put_files(&storage).await.unwrap();
        assert_eq!((again.stored, again.present), (0, 2));
        assert!(
            content(&world.data().join("media")) == content(&target.path().join("media")),
            "the recording is another one"
        );
        let picture = storage.blob("avatars/a/1").await.unwrap();
        assert_eq!(picture.as_deref(), Some(b"picture".as_slice()));
        // The one before.
        let name = &place.names().await.unwrap()[0];
        let older = Opened::open(&place, name, &no_keys).await.unwrap();
        assert!(older.compare(&db).await.is_err(), "it has an account less");
        db.close().await;
    });
}

#[test]
fn everything_comes_back_from_sqlite() {
    comes_back(Backend::Sqlite);
}

#[test]
fn everything_comes_back_from_postgres() {
    comes_back(Backend::Postgres);
}

#[test]
fn recordings_that_stay_where_they_are_are_only_named() {
    with_world(Backend::Sqlite, async |world| {
        let created = world
            .back_up(&Recipients::default(), Recordings::Referred)
            .await;
        assert!(created.stored_bytes < 100_000, "{created:?}");
        let (place, keys) = (world.place().await, Identities::default());
        let opened = Opened::open(&place, "latest", &keys).await.unwrap();
        let verified = opened.verify().await.unwrap();
        assert_eq!((verified.files, verified.referred), (1, 1));
        let files = opened.put_files(&world.storage).await.unwrap();
        assert_eq!((files.present, files.missing), (2, 0));
        let elsewhere = Storage::open(&world.folder.path().join("elsewhere")).unwrap();
        let files = opened.put_files(&elsewhere).await.unwrap();
        assert_eq!((files.stored, files.missing), (1, 1));
    });
}

#[test]
fn a_sealed_backup_opens_only_with_its_key() {
    with_world(Backend::Sqlite, async |world| {
        let (private, public) = new_identity();
        let recipients = Recipients::parse(&[public]).unwrap();
        world.back_up(&recipients, Recordings::Copied).await;
        let again = world.back_up(&recipients, Recordings::Copied).await;
        assert!(again.stored_bytes < 20_000, "{again:?}");
        let stored = content(&world.folder.path().join("backups"));
        for text in ["oksana@example.com", "picture", &hex::encode([7; 32])] {
            assert!(!contains(&stored, text), "{text}");
        }
        assert!(!contains(
            &stored,
            "\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}"
        ));

        let place = world.place().await;
        let (other, _) = new_identity();
        for (keys, message) in [
            (Identities::default(), "--identity"),
            (Identities::parse(&other).unwrap(), "sealed for another one"),
        ] {
            let refused = Opened::open(&place, "latest", &keys).await.unwrap_err();
            assert!(format!("{refused:#}").contains(message), "{refused:#}");
        }
        let keys = Identities::parse(&private).unwrap();
        let opened = Opened::open(&place, "latest", &keys).await.unwrap();
        assert_eq!(opened.verify().await.unwrap().files, 2);
        let target = tempfile::tempdir().unwrap();
        let db = empty(target.path()).await;
        opened.fill(&db).await.unwrap();
        assert_eq!(accounts(&db).await, 1);
        db.close().await;
    });
}

#[test]
fn keys_that_are_none_are_refused_without_being_repeated() {
    let (private, _) = new_identity();
    let refused = Recipients::parse(std::slice::from_ref(&private)).unwrap_err();
    assert!(!refused.to_string().contains("AGE-SECRET"), "{refused}");
    for text in ["", "# nothing\n", "age1qqq", &format!("{private}\nx")] {
        assert!(Identities::parse(text).is_err(), "{text}");
    }
}

#[test]
fn damage_is_found_and_nothing_is_restored() {
    with_world(Backend::Sqlite, async |world| {
        world
            .back_up(&Recipients::default(), Recordings::Copied)
            .await;
        let (place, keys) = (world.place().await, Identities::default());
        let opened = Opened::open(&place, "latest", &keys).await.unwrap();
        let entry = opened
            .manifest
            .tables
            .iter()
            .find(|entry| entry.table.name == "accounts");
        let piece = pieces::key(&entry.unwrap().pieces[0]);
        let good = place.storage().blob(&piece).await.unwrap().unwrap();
        let mut bad = good.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 1;
        let target = tempfile::tempdir().unwrap();
        let db = empty(target.path()).await;
        for (content, message) in [
            (Some(bad), "damaged"),
            (Some(Vec::new()), "damaged"),
            (None, "missing"),
        ] {
            match content {
                Some(content) => place.storage().put_blob(&piece, content).await.unwrap(),
                None => place.storage().remove_blob(&piece).await.unwrap(),
            }
            let found = opened.verify().await.unwrap_err();
            assert!(format!("{found:#}").contains(message), "{found:#}");
            let refused = opened.fill(&db).await.unwrap_err();
            assert!(format!("{refused:#}").contains(message), "{refused:#}");
            assert_eq!(accounts(&db).await, 0);
        }
        place.storage().put_blob(&piece, good).await.unwrap();
        opened.fill(&db).await.unwrap();
        assert_eq!(accounts(&db).await, 1);
        db.close().await;
    });
}

#[test]
fn old_backups_are_removed_with_what_only_they_need() {
    with_world(Backend::Sqlite, async |world| {
        let none = Recipients::default();
        for number in 0..4 {
            world.account(&format!("user{number}")).await;
            world.back_up(&none, Recordings::Copied).await;
            world.clock.advance_seconds(1);
        }
        let place = world.place().await;
        let now = slovo_platform::clock::SystemClock.now_ms();
        let before = pieces::listed(&place).await.unwrap().len();
        let pruned = keep_newest(&place, 2, now).await.unwrap();
        assert_eq!(
            (pruned.snapshots, pruned.pieces),
            (2, 0),
            "they are of today"
        );
        let pruned = keep_newest(&place, 2, now + 2 * DAY_MS).await.unwrap();
        assert!(pruned.snapshots == 0 && pruned.pieces >= 2, "{pruned:?}");
        assert_eq!(
            pieces::listed(&place).await.unwrap().len(),
            before - pruned.pieces
        );
        let keys = Identities::default();
        for name in place.names().await.unwrap() {
            let opened = Opened::open(&place, &name, &keys).await.unwrap();
            opened.verify().await.unwrap();
        }
        // A backup that is unreadable protects everything.
        let name = place.names().await.unwrap().pop().unwrap();
        let file = format!("snapshots/{name}.json");
        place
            .storage()
            .put_blob(&file, b"{".to_vec())
            .await
            .unwrap();
        assert!(keep_newest(&place, 1, now + 9 * DAY_MS).await.is_err());
    });
}

#[tokio::test]
async fn places_without_backups_and_names_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::of_blobs(folder.path()).unwrap();
    let refused = Place::open(storage.clone()).await.unwrap_err();
    assert!(
        refused.to_string().contains("no backups of Slovo"),
        "{refused}"
    );
    let place = Place::prepare(storage.clone(), &SeededRandom::new(1))
        .await
        .unwrap();
    for name in ["latest", "x", "../slovo-backups", "", "a/b"] {
        assert!(place.snapshot(name).await.is_err(), "{name}");
    }
    let newer = serde_json::json!({"format": 99, "id": "x"}).to_string();
    storage
        .put_blob("slovo-backups.json", newer.into_bytes())
        .await
        .unwrap();
    let refused = Place::open(storage).await.unwrap_err();
    assert!(refused.to_string().contains("newer version"), "{refused}");
}
