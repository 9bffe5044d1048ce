//! The work on jobs: the queue's worker and the stages of a job, analyses of its text, calls of
//! webhook services and of engines elsewhere, and the mail at its end. Serves no HTTP, reads no configuration.

pub mod analysis;
pub mod completion_mails;
pub mod condition;
pub mod endpoint_keys;
pub mod endpoint_test;
pub mod jobs;
mod language_names;
pub mod live;
pub mod messages;
pub mod minutes;
pub mod processes;
pub mod quality;
pub mod queues;
pub mod speech_endpoint;
#[cfg(feature = "testing")]
pub mod testing;
pub mod webhooks;
