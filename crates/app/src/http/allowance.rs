//! What is left of a client's rate limit, in response headers: `RateLimit-Policy` and `RateLimit` of
//! draft-ietf-httpapi-ratelimit-headers-10.

use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use slovo_accounts::auth::{Allowance, Limits, RateLimited};

/// Carries the figures from the extractor that counts the request to the edge, which writes the
/// headers. An extension of the request.
#[derive(Clone, Default)]
pub(crate) struct ReportedAllowance(Arc<OnceLock<Allowance>>);

impl ReportedAllowance {
    /// Counts the request, unless that was done: an action may extract its caller twice.
    ///
    /// # Errors
    /// [`RateLimited`].
    pub(crate) fn count(&self, limits: &Limits, user_id: &str) -> Result<(), RateLimited> {
        let mut outcome = Ok(());
        self.0.get_or_init(|| {
            let allowance;
            (allowance, outcome) = limits.api_request(user_id);
            allowance
        });
        outcome
    }

    /// Adds the headers, if the request was counted.
    pub(super) fn write(&self, headers: &mut HeaderMap) {
        let Some(Allowance {
            limit,
            remaining,
            window,
        }) = self.0.get()
        else {
            return;
        };
        // All that is used is refilled evenly over the window.
        let used = u64::from(limit.saturating_sub(*remaining));
        let reset = (used * window).div_ceil(u64::from((*limit).max(1)));
        let policy = format!("\"requests\";q={limit};w={window}");
        let left = format!("\"requests\";r={remaining};t={reset}");
        for (name, value) in [("ratelimit-policy", policy), ("ratelimit", left)] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}
