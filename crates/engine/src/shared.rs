//! What all jobs of an engine share.

use std::sync::Mutex;

use crate::config::EngineConfig;
use crate::pool::Pool;
use crate::stages::StageTimes;

/// Settings, loaded models and times of an [`crate::Engine`].
pub(crate) struct Shared {
    pub config: EngineConfig,
    pub pool: Pool,
    /// Time spent by stage, over all jobs.
    pub times: Mutex<StageTimes>,
}
