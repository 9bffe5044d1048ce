//! Loaded models and their states, shared by all jobs of an engine.
//!
//! The number of states in use is bounded over all jobs together, so that many jobs use no more
//! cores or memory than one job with as many threads.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::EngineError;
use crate::models::{find_transducer, whisper_of};
use crate::recognition::state::State;
use crate::recognition::transducer::TransducerModel;
use crate::recognition::whisper::WhisperModel;

/// How often a waiting job checks for cancellation.
const CANCEL_CHECK: Duration = Duration::from_millis(100);

/// Models by id, and the states made from them.
pub(crate) struct Pool {
    folder: PathBuf,
    capacity: usize,
    models: Mutex<HashMap<String, Arc<WhisperModel>>>,
    transducers: Mutex<HashMap<String, Arc<TransducerModel>>>,
    states: Mutex<States>,
    returned: Condvar,
}

#[derive(Default)]
struct States {
    idle: Vec<(String, State)>,
    at_work: usize,
}

impl Pool {
    pub(crate) fn new(folder: PathBuf, capacity: usize) -> Self {
        Self {
            folder,
            capacity: capacity.max(1),
            models: Mutex::default(),
            transducers: Mutex::default(),
            states: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// The file of a model, or the folder of a transducer; an error if it does not exist.
    pub(crate) fn file(&self, id: &str) -> Result<PathBuf, EngineError> {
        if let Some(known) = find_transducer(id) {
            let path = self.folder.join(id);
            if let Err(reason) = known.check(&self.folder) {
                let reason = format!("{reason}; docs/transducers.md says how to get it");
                return Err(unusable(path, reason));
            }
            self.file(whisper_of(id))?;
            return Ok(path);
        }
        let path = self.folder.join(format!("ggml-{id}.bin"));
        if path.is_file() {
            Ok(path)
        } else {
            Err(EngineError::ModelMissing {
                id: id.to_owned(),
                path,
            })
        }
    }

    /// The Whisper model, or the one that stands beside a transducer; loaded on the first call.
    pub(crate) fn model(&self, id: &str) -> Result<Arc<WhisperModel>, EngineError> {
        let id = whisper_of(id);
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = models.get(id) {
            return Ok(Arc::clone(model));
        }
        let path = self.file(id)?;
        let model = WhisperModel::load(&path, id)
            .map_err(|reason| EngineError::ModelUnusable { path, reason })?;
        let model = Arc::new(model);
        models.insert(id.to_owned(), Arc::clone(&model));
        Ok(model)
    }

    /// The transducer with this id, if it is one; loaded on the first call.
    fn transducer(&self, id: &str) -> Result<Option<Arc<TransducerModel>>, EngineError> {
        let Some(known) = find_transducer(id) else {
            return Ok(None);
        };
        let mut models = self
            .transducers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = models.get(id) {
            return Ok(Some(Arc::clone(model)));
        }
        let path = self.file(id)?;
        let model = TransducerModel::load(&path, known).map_err(|reason| unusable(path, reason))?;
        let model = Arc::new(model);
        models.insert(id.to_owned(), Arc::clone(&model));
        Ok(Some(model))
    }

    /// A new state of a model.
    fn state(&self, id: &str) -> Result<State, EngineError> {
        let transducer = self.transducer(id)?;
        let whisper = self
            .model(id)?
            .recognizer()
            .map_err(EngineError::Recognition)?;
        Ok(match transducer {
            Some(model) => State::Transducer(model.recognizer(whisper)),
            None => State::Whisper(whisper),
        })
    }

    /// Waits for a free slot and returns a state, an idle one if there is one.
    pub(crate) fn lease(&self, id: &str, stop: &AtomicBool) -> Result<Lease<'_>, EngineError> {
        let mut states = self.lock();
        while states.at_work >= self.capacity {
            if stop.load(Ordering::Acquire) {
                return Err(EngineError::Cancelled);
            }
            (states, _) = self
                .returned
                .wait_timeout(states, CANCEL_CHECK)
                .unwrap_or_else(PoisonError::into_inner);
        }
        states.at_work += 1;
        let fitting = states.idle.iter().position(|(model, _)| model == id);
        let idle = fitting.map(|place| states.idle.swap_remove(place));
        let mut dropped = None;
        if idle.is_none() && states.idle.len() + states.at_work > self.capacity {
            // An idle state of another model is dropped to free its memory.
            dropped = states.idle.pop();
        }
        drop(states);
        drop(dropped);
        let mut lease = Lease {
            pool: self,
            id: id.to_owned(),
            state: None,
        };
        lease.state = match idle {
            Some((_, state)) => Some(state),
            None => Some(self.state(id)?),
        };
        Ok(lease)
    }

    /// Drops all other models and their idle states.
    pub(crate) fn keep_only(&self, ids: &[&str]) {
        let is_kept = |id: &str| ids.contains(&id);
        let stands_beside = |id: &str| ids.iter().any(|kept| whisper_of(kept) == id);
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        let unloaded: Vec<_> = models.extract_if(|id, _| !stands_beside(id)).collect();
        drop(models);
        let mut transducers = self
            .transducers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let unloaded_transducers: Vec<_> = transducers.extract_if(|id, _| !is_kept(id)).collect();
        drop(transducers);
        let mut states = self.lock();
        let idle = std::mem::take(&mut states.idle);
        let (retained, dropped): (Vec<_>, Vec<_>) =
            idle.into_iter().partition(|(id, _)| is_kept(id));
        states.idle = retained;
        drop(states);
        // Outside the locks: freeing hundreds of megabytes takes a while.
        drop(dropped);
        drop((unloaded, unloaded_transducers));
    }

    fn lock(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error about a transducer that cannot be used. Jobs show only the folder; the log has the reason.
fn unusable(path: PathBuf, reason: String) -> EngineError {
    tracing::error!(folder = %path.display(), reason, "a transducer cannot be used");
    EngineError::ModelUnusable { path, reason }
}

/// A state in use; dropping it returns it to the pool.
pub(crate) struct Lease<'a> {
    pool: &'a Pool,
    id: String,
    state: Option<State>,
}

impl Lease<'_> {
    /// Frees the slot but drops the state, after a failure inside it.
    pub(crate) fn discard(mut self) {
        self.state = None;
    }
}

impl Deref for Lease<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        self.state
            .as_ref()
            .expect("a lease has its state until it is dropped")
    }
}

impl DerefMut for Lease<'_> {
    fn deref_mut(&mut self) -> &mut State {
        self.state
            .as_mut()
            .expect("a lease has its state until it is dropped")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut states = self.pool.lock();
        states.at_work -= 1;
        if let Some(state) = self.state.take() {
            states.idle.push((self.id.clone(), state));
        }
        self.pool.returned.notify_one();
    }
}
