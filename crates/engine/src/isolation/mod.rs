//! Runs of the engine in a process of its own.
//!
//! Recordings come from strangers, and whisper.cpp, libopus and ffmpeg are not written in Rust. With an
//! [`crate::Isolation`] in its settings, an [`crate::Engine`] only sends requests to a child process, which
//! decodes and recognises. All runs share one such process, and with it the loaded models. If it
//! crashes, its runs end with [`crate::EngineError::Crashed`], and the next one starts a new process. A
//! run that may be the cause is repeated with [`crate::Request::alone`], in a process for it alone.
//!
//! What the child process can do is limited before it reads its first request, see [`crate::host`]. It
//! opens no recording itself: the parent opens those of the running requests and passes the open
//! files. An engine on another machine ([`crate::Remote`]) is also asked by the parent.

mod client;
pub(crate) mod messages;
mod process;
pub(crate) mod wire;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use client::Client;

/// Locks; what a panic left is still whole, since nothing is changed in several steps.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
