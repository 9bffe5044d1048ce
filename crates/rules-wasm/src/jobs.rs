//! Jobs, speakers, minutes, and the recorder's timer.

use slovo_rules::convert::{JsResult, give_name, give_names, read_name, single};
use slovo_rules::job::{JobStatus, STATUS_FILTERS};
use slovo_rules::{Violations, minutes, recording, transcript};
use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

/// Whether a job in this state has ended.
#[wasm_bindgen(js_name = isTerminal)]
pub fn is_terminal(status: &Ts<JobStatus>) -> JsResult<bool> {
    Ok(read_name(status)?.is_terminal())
}

/// Whether a job in this state can be stopped.
#[wasm_bindgen(js_name = canCancel)]
pub fn can_cancel(status: &Ts<JobStatus>) -> JsResult<bool> {
    Ok(read_name(status)?.can_cancel())
}

/// Whether a job in this state can be run again.
#[wasm_bindgen(js_name = canRetry)]
pub fn can_retry(status: &Ts<JobStatus>) -> JsResult<bool> {
    Ok(read_name(status)?.can_retry())
}

/// The state whose label is shown.
#[wasm_bindgen(js_name = statusLabel)]
pub fn status_label(status: &Ts<JobStatus>) -> JsResult<Ts<JobStatus>> {
    Ok(give_name(read_name(status)?.label()))
}

/// The states offered as a filter of the jobs list.
#[wasm_bindgen(js_name = statusFilters)]
#[must_use]
pub fn status_filters() -> Vec<Ts<JobStatus>> {
    give_names(&STATUS_FILTERS)
}

/// The short label of a speaker: `S1` for `SPEAKER_0`.
#[wasm_bindgen(js_name = speakerLabel)]
#[must_use]
pub fn speaker_label(speaker: &str) -> String {
    transcript::speaker_label(speaker)
}

/// Minutes used, as pages show them: a begun minute counts.
#[wasm_bindgen(js_name = wholeMinutesUsed)]
#[must_use]
pub fn whole_minutes_used(used: f64) -> f64 {
    minutes::whole_used(used)
}

/// Minutes left this month, as pages show them: a begun minute is not promised.
#[wasm_bindgen(js_name = wholeMinutesLeft)]
#[must_use]
pub fn whole_minutes_left(monthly_limit: f64, used: f64) -> f64 {
    minutes::whole_left(monthly_limit, used)
}

/// Minutes that a recording of so many seconds costs.
#[wasm_bindgen(js_name = minutesOfDuration)]
#[must_use]
pub fn minutes_of_duration(seconds: f64) -> f64 {
    minutes::of_duration(seconds)
}

/// Whether a job of `needed` minutes may start.
#[wasm_bindgen(js_name = mayStart)]
pub fn may_start(
    monthly_limit: Option<f64>,
    used: f64,
    needed: f64,
    max_file_duration: Option<f64>,
) -> JsResult<Ts<Violations>> {
    single(minutes::may_start(
        monthly_limit,
        used,
        needed,
        max_file_duration,
    ))
}

/// The recorder's `mm:ss`.
#[wasm_bindgen(js_name = recordingTimer)]
#[must_use]
pub fn recording_timer(seconds: f64) -> String {
    recording::timer(seconds)
}
