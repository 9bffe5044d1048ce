//! Counts each user's open event streams, in memory: streams end with the process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Streams that one user may have open. Each browser tab has one.
pub const MOST_STREAMS: usize = 10;

/// The open streams by user. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Readers(Arc<Mutex<HashMap<String, usize>>>);

/// One stream's slot; released when dropped.
#[derive(Debug)]
pub struct StreamSlot {
    readers: Readers,
    user_id: String,
}

impl Readers {
    fn all(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot for one more stream of this user, if the limit allows.
    #[must_use]
    pub fn enter(&self, user_id: &str) -> Option<StreamSlot> {
        self.enter_one_of(user_id, MOST_STREAMS)
    }

    /// A slot for this user with a limit of `most`.
    #[must_use]
    pub fn enter_one_of(&self, user_id: &str, limit: usize) -> Option<StreamSlot> {
        let mut all = self.all();
        let open = all.entry(user_id.to_owned()).or_default();
        if *open >= limit {
            return None;
        }
        *open += 1;
        Some(StreamSlot {
            readers: self.clone(),
            user_id: user_id.to_owned(),
        })
    }

    /// Whether this user has a free slot with a limit of `most`.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn is_free(&self, user_id: &str, limit: usize) -> bool {
        self.all().get(user_id).is_none_or(|open| *open < limit)
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut all = self.readers.all();
        if let Some(open) = all.get_mut(&self.user_id) {
            *open -= 1;
            if *open == 0 {
                all.remove(&self.user_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_slots_are_limited_per_user_and_released() {
        let readers = Readers::default();
        let mut places: Vec<_> = (0..MOST_STREAMS).map(|_| readers.enter("a")).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(readers.enter("a").is_none());
        assert!(readers.enter("b").is_some());
        places.pop();
        assert!(readers.enter("a").is_some());
        drop(places);
        assert!(readers.all().is_empty());
    }
}
