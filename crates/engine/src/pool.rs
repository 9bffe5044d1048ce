//! Loaded models and their states, shared by all jobs of an engine.
//!
//! The number of states in use is bounded over all jobs together, so that many jobs use no more
//! cores or memory than one job with as many threads.

use std::collections::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

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
    /// See [`crate::EngineConfig::gpu`].
    gpu: Option<u32>,
    models: Mutex<HashMap<String, Arc<WhisperModel>>>,
    transducers: Mutex<HashMap<String, Arc<TransducerModel>>>,
    states: Mutex<States>,
    returned: Condvar,
}

#[derive(Default)]
struct States {
    idle: Vec<(String, State)>,
    /// Ids of the models of the states in use.
    at_work: Vec<String>,
    /// When a state of a model was last in use, by its id.
    last_used: HashMap<String, Instant>,
}

impl Pool {
    pub(crate) fn new(folder: PathBuf, capacity: usize, gpu: Option<u32>) -> Self {
        Self {
            folder,
            capacity: capacity.max(1),
            gpu,
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
                let reason = format!("{reason}; see docs/transducers.md");
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

    /// The Whisper model with this id; for a transducer its fallback, see [`whisper_of`]. Loaded on
    /// the first call.
    pub(crate) fn model(&self, id: &str) -> Result<Arc<WhisperModel>, EngineError> {
        // A model may be loaded although no lease follows: a recording may have no speech.
        let mut states = self.lock();
        let entry = states.last_used.entry(id.to_owned());
        entry.or_insert_with(Instant::now);
        drop(states);
        let id = whisper_of(id);
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = models.get(id) {
            return Ok(Arc::clone(model));
        }
        let path = self.file(id)?;
        let model = WhisperModel::load(&path, id, self.gpu)
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
        while states.at_work.len() >= self.capacity {
            if stop.load(Ordering::Acquire) {
                return Err(EngineError::Cancelled);
            }
            (states, _) = self
                .returned
                .wait_timeout(states, CANCEL_CHECK)
                .unwrap_or_else(PoisonError::into_inner);
        }
        states.at_work.push(id.to_owned());
        let fitting = states.idle.iter().position(|(model, _)| model == id);
        let idle = fitting.map(|place| states.idle.swap_remove(place));
        let mut dropped = None;
        if idle.is_none() && states.idle.len() + states.at_work.len() > self.capacity {
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
        let is_needed = |id: &str| ids.iter().any(|kept| whisper_of(kept) == id);
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        let unloaded: Vec<_> = models.extract_if(|id, _| !is_needed(id)).collect();
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
        let States {
            at_work, last_used, ..
        } = &mut *states;
        last_used.retain(|id, _| is_kept(id) || at_work.contains(id));
        drop(states);
        // Outside the locks: freeing hundreds of megabytes takes a while.
        drop(dropped);
        drop((unloaded, unloaded_transducers));
    }

    /// Unloads the models that have not been in use for this long; returns their ids. Does nothing
    /// while a model is being loaded.
    pub(crate) fn unload_idle(&self, after: Duration) -> Vec<String> {
        let mut states = self.lock();
        // With the states locked, no lease of one of these models can begin.
        let (Some(mut models), Some(mut transducers)) =
            (unlocked(&self.models), unlocked(&self.transducers))
        else {
            return Vec::new();
        };
        let States {
            idle,
            at_work,
            last_used,
        } = &mut *states;
        let is_idle =
            |id: &String, used: &Instant| !at_work.contains(id) && used.elapsed() >= after;
        let expired: HashMap<_, _> = last_used.extract_if(|id, used| is_idle(id, used)).collect();
        // A Whisper model may also serve a transducer.
        let used = last_used.keys().chain(&*at_work);
        let used: HashSet<_> = used.map(|id| whisper_of(id)).collect();
        let whisper: HashSet<_> = expired.keys().map(|id| whisper_of(id)).collect();
        let (dropped, retained): (Vec<_>, Vec<_>) = std::mem::take(idle)
            .into_iter()
            .partition(|(id, _)| expired.contains_key(id));
        *idle = retained;
        let unloaded: Vec<_> = models
            .extract_if(|id, _| whisper.contains(id.as_str()) && !used.contains(id.as_str()))
            .collect();
        let unloaded_transducers: Vec<_> = transducers
            .extract_if(|id, _| expired.contains_key(id))
            .collect();
        drop((models, transducers));
        drop(states);
        drop((dropped, unloaded, unloaded_transducers));
        expired.into_keys().collect()
    }

    fn lock(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The guard, unless another thread holds the lock.
fn unlocked<T>(lock: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match lock.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
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
        let place = states.at_work.iter().position(|id| *id == self.id);
        place.map(|place| states.at_work.swap_remove(place));
        states.last_used.insert(self.id.clone(), Instant::now());
        if let Some(state) = self.state.take() {
            states.idle.push((self.id.clone(), state));
        }
        self.pool.returned.notify_one();
    }
}
