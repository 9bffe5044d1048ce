//! Why a place cannot be used, as it is stored.

use std::collections::BTreeMap;

use slovo_db::sources::Problem;
use slovo_sources::SourceError;

/// A problem without parameters.
pub(crate) fn problem(code: &str, detail: Option<String>) -> Problem {
    Problem {
        code: code.to_owned(),
        params: BTreeMap::new(),
        detail,
    }
}

/// The problem of a place that could not be used.
pub(crate) fn unread(error: &SourceError) -> Problem {
    problem(error.code(), error.detail())
}

/// An internal error, which is logged.
pub(crate) fn internal(error: impl std::fmt::Display) -> Problem {
    tracing::error!(%error, "a place could not be used");
    problem("internal", None)
}
