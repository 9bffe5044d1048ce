//! The work on jobs: the queue's worker and the stages of a job, analyses of its text, calls of
//! webhook services, and the mail at its end. Serves no HTTP, reads no configuration.

pub mod analysis;
pub mod completion_mails;
pub mod condition;
pub mod jobs;
pub mod live;
pub mod minutes;
pub mod processes;
pub mod quality;
#[cfg(feature = "testing")]
pub mod testing;
pub mod webhooks;
