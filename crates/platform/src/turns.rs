//! One at a time for each key, for as long as anybody holds or waits for it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::Mutex as AsyncMutex;

/// Locks by key. Clones share them.
#[derive(Clone, Debug)]
pub struct Turns<K>(Arc<Mutex<HashMap<K, Weak<AsyncMutex<()>>>>>);

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Eq + Hash> Turns<K> {
    /// The lock of this key.
    #[must_use]
    pub fn of(&self, key: K) -> Arc<AsyncMutex<()>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = all.get(&key).and_then(Weak::upgrade) {
            return turn;
        }
        let new = Arc::default();
        all.insert(key, Arc::downgrade(&new));
        new
    }
}
