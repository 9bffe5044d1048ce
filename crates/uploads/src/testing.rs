//! The uploads of a server without HTTP, with a fresh database and data folder per test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use slovo_db::Database;
use slovo_db::testing::{Backend, account, with_database_at};
use slovo_engine::{Engine, EngineConfig};
use slovo_platform::clock::Clock;
use slovo_platform::testing::TestClock;
use slovo_server_settings::ServerSettings;
use slovo_storage::Storage;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::{Parts, Uploads};

/// The uploads with their dependencies.
pub struct Server {
    pub db: Database,
    pub storage: Storage,
    pub clock: TestClock,
    pub shutdown: CancellationToken,
    pub uploads: Uploads,
    /// An account that may upload.
    pub user_id: String,
    data: tempfile::TempDir,
}

impl Server {
    /// The data folder.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    async fn new(db: Database) -> Self {
        let data = tempfile::tempdir().unwrap();
        let storage = Storage::open(data.path()).unwrap();
        let (clock, shutdown) = (TestClock::new(), CancellationToken::new());
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let user_id = "user".to_owned();
        let mut transaction = db.write().await.unwrap();
        account(&mut transaction, &user_id).await;
        transaction.commit().await.unwrap();
        let uploads = Uploads::new(Parts {
            db: db.clone(),
            storage: storage.clone(),
            settings: ServerSettings::new(db.clone(), Arc::clone(&shared)),
            clock: shared,
            engine: Engine::new(EngineConfig::new(PathBuf::new()))
                .expect("an engine without models opens files"),
            shutdown: shutdown.clone(),
            tasks: TaskTracker::new(),
        });
        Self {
            db,
            storage,
            clock,
            shutdown,
            uploads,
            user_id,
            data,
        }
    }
}

/// Runs `test` with the uploads of a fresh server on a database of this kind.
pub fn with_server<F: AsyncFnOnce(Server)>(backend: Backend, test: F) {
    with_database_at(backend, slovo_test_postgres::url, async |db| {
        test(Server::new(db).await).await;
    });
}
