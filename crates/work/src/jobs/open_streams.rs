//! Counts each user's open event streams, in memory: streams end with the process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Streams that one user may have open. Each browser tab has one.
pub const MAX_STREAMS: usize = 10;

/// The open streams by user. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct OpenStreams(Arc<Mutex<HashMap<String, usize>>>);

/// One stream's slot; released when dropped.
#[derive(Debug)]
pub struct StreamSlot {
    streams: OpenStreams,
    user_id: String,
}

impl OpenStreams {
    fn all(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot for one more stream of this user, if the limit allows.
    #[must_use]
    pub fn open(&self, user_id: &str) -> Option<StreamSlot> {
        self.open_limited(user_id, MAX_STREAMS)
    }

    /// A slot for this user with this limit.
    #[must_use]
    pub fn open_limited(&self, user_id: &str, limit: usize) -> Option<StreamSlot> {
        let mut all = self.all();
        let open = all.entry(user_id.to_owned()).or_default();
        if *open >= limit {
            return None;
        }
        *open += 1;
        Some(StreamSlot {
            streams: self.clone(),
            user_id: user_id.to_owned(),
        })
    }

    /// Whether this user has a free slot with this limit.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn is_free(&self, user_id: &str, limit: usize) -> bool {
        self.all().get(user_id).is_none_or(|open| *open < limit)
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut all = self.streams.all();
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
        let streams = OpenStreams::default();
        let mut places: Vec<_> = (0..MAX_STREAMS).map(|_| streams.open("a")).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(streams.open("a").is_none());
        assert!(streams.open("b").is_some());
        places.pop();
        assert!(streams.open("a").is_some());
        drop(places);
        assert!(streams.all().is_empty());
    }
}
