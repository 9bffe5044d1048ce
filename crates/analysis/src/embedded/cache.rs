//! A cache of the vectors of recent texts: the parts of one job analyse the same text one after the
//! other, and the model processes it only once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::model::Vector;
use super::units::Unit;

/// Texts that are kept; each takes at most 3 MB.
const TEXTS: usize = 4;

/// A text with the vectors of its sentences; there is at least one sentence.
pub(super) struct EmbeddedText {
    pub units: Vec<Unit>,
    pub vectors: Vec<Vector>,
}

/// The most recent texts, newest first.
#[derive(Default)]
pub(super) struct SentenceCache(Mutex<VecDeque<Arc<EmbeddedText>>>);

impl SentenceCache {
    /// The cached text with exactly these sentences. The sentences themselves are compared, so two
    /// texts cannot be confused.
    pub(super) fn find(&self, units: &[Unit]) -> Option<Arc<EmbeddedText>> {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = texts.iter().position(|text| text.units == units)?;
        let text = texts.remove(place)?;
        texts.push_front(text.clone());
        Some(text)
    }

    pub(super) fn insert(&self, text: Arc<EmbeddedText>) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.push_front(text);
        texts.truncate(TEXTS);
    }
}
