//! An object store in memory, for tests.

use std::path::Path;
use std::sync::Arc;

use futures_util::TryStreamExt;
use object_store::memory::InMemory;
use object_store::{ObjectStore, ObjectStoreExt};

use crate::Storage;
use crate::objects::Objects;

/// The beginning of the keys of all storages.
pub const PREFIX: &str = "some/prefix";

/// An object store in memory, which several machines can use.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(Arc<InMemory>);

impl MemoryStore {
    /// The storage of a machine with this data folder, whose copies may take so many bytes.
    #[must_use]
    pub fn storage(&self, data: &Path, cache_bytes: u64) -> Storage {
        let objects = Objects::in_memory(&self.0, &data.join("cache"), cache_bytes);
        Storage::in_objects(objects, data)
    }

    /// The keys of all objects, in order.
    ///
    /// # Panics
    /// Never.
    pub async fn keys(&self) -> Vec<String> {
        let listed: Vec<_> = self.0.list(None).try_collect().await.expect("a list");
        let keys = listed.iter().map(|object| object.location.to_string());
        let mut keys: Vec<_> = keys.collect();
        keys.sort();
        keys
    }

    /// Stores an object.
    ///
    /// # Panics
    /// Never.
    pub async fn put(&self, key: &str, content: &'static str) {
        let put = self.0.put(&key.into(), content.into()).await;
        put.expect("an object");
    }

    /// Removes an object.
    ///
    /// # Panics
    /// If it does not exist.
    pub async fn delete(&self, key: &str) {
        let deleted = self.0.delete(&key.into()).await;
        deleted.expect("an object");
    }
}
