//! A cache for answers that are expensive to compute and requested often.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The most answers that are kept. Beyond it the whole cache is cleared; the answers are then
/// computed again.
const MAX_ENTRIES: usize = 1_000;

/// One cached answer for each question.
#[derive(Debug)]
pub struct Cache<K, V>(Mutex<HashMap<K, Slot<V>>>);

/// Locked by the caller that computes the answer; the others wait for it.
type Slot<V> = Arc<tokio::sync::Mutex<Option<V>>>;

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// The cached answer if it is still valid, otherwise a newly computed one. Concurrent callers
    /// with the same question share one lookup; if it fails or is cancelled, the next caller looks
    /// it up.
    ///
    /// # Errors
    /// Those of `find`; nothing is cached then.
    pub async fn get<E>(
        &self,
        question: K,
        holds: impl Fn(&V) -> bool,
        find: impl AsyncFnOnce() -> Result<V, E>,
    ) -> Result<V, E> {
        let mut slot = self.slot(question).lock_owned().await;
        if let Some(known) = slot.as_ref().filter(|known| holds(known)) {
            return Ok(known.clone());
        }
        let found = find().await?;
        *slot = Some(found.clone());
        Ok(found)
    }

    fn slot(&self, question: K) -> Slot<V> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MAX_ENTRIES && !slots.contains_key(&question) {
            slots.clear();
        }
        Arc::clone(slots.entry(question).or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn concurrent_requests_share_one_lookup_until_it_is_outdated() {
        let cache = Arc::new(Cache::<&str, u32>::default());
        let lookups = Arc::new(AtomicU32::new(0));
        let ask = |question: &'static str, least: u32| {
            let (cache, lookups) = (Arc::clone(&cache), Arc::clone(&lookups));
            async move {
                let find = async || {
                    tokio::task::yield_now().await;
                    Ok::<_, Infallible>(lookups.fetch_add(1, Ordering::SeqCst) + 1)
                };
                let Ok(found) = cache.get(question, |known| *known >= least, find).await;
                found
            }
        };
        let (first, second, third) = tokio::join!(ask("a", 0), ask("a", 0), ask("a", 1));
        assert_eq!([first, second, third], [1, 1, 1]);
        assert_eq!(ask("b", 0).await, 2);
        assert_eq!(ask("a", 2).await, 3);
        assert_eq!(ask("a", 2).await, 3);
    }

    #[tokio::test]
    async fn errors_are_not_cached_and_many_questions_are_answered() {
        let cache = Cache::<usize, usize>::default();
        let failed = cache.get(1, |_| true, async || Err("no")).await;
        assert_eq!(failed, Err("no"));
        for question in 0..3 * MAX_ENTRIES {
            let found = cache
                .get(question, |_| true, async || Ok::<_, Infallible>(question))
                .await;
            assert_eq!(found, Ok(question));
        }
    }
}
