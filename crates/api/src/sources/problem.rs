//! Why a source cannot be read, as it is stored.

use std::collections::BTreeMap;

use slovo_db::sources::Problem;
use slovo_sources::SourceError;

/// A problem without parameters.
pub(super) fn problem(code: &str, detail: Option<String>) -> Problem {
    Problem {
        code: code.to_owned(),
        params: BTreeMap::new(),
        detail,
    }
}

/// The problem of a source that could not be read.
pub(super) fn unread(error: &SourceError) -> Problem {
    problem(error.code(), error.detail())
}

/// An internal error, which is logged.
pub(super) fn internal(error: impl std::fmt::Display) -> Problem {
    tracing::error!(%error, "a source could not be looked at");
    problem("internal", None)
}
