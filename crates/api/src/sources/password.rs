//! Passwords of sources. They are stored encrypted, never shown, and sent only to the origin that
//! they were entered for.

use anyhow::{Context as _, Result};
use slovo_app::state::AppState;
use slovo_db::sources::{Problem, SealedPassword, Source};
use slovo_platform::sealed;
use slovo_rules::source::SourceForm;
use slovo_work::endpoint_keys::place_of;

use super::problem::problem;

/// Purpose of the encryption key.
const SEALED_FOR: &str = "passwords of sources";

/// The password of a source after a change: the one entered, or the stored one if the location still
/// has its origin.
///
/// # Errors
/// If the location is not an address.
pub(crate) fn after(
    state: &AppState,
    form: &SourceForm,
    stored: Option<SealedPassword>,
) -> Result<Option<SealedPassword>> {
    let place = || place_of(&form.location);
    match form.password.as_deref() {
        None => Ok(stored.filter(|stored| place().is_some_and(|place| place == stored.place))),
        Some("") => Ok(None),
        Some(password) => {
            let place = place().context("a password needs a valid address")?;
            let random = &*state.random;
            let sealed = sealed::seal(&state.secret, SEALED_FOR, &place, password, random)?;
            Ok(Some(SealedPassword { place, sealed }))
        }
    }
}

/// The password of a source.
///
/// # Errors
/// It was encrypted with another server secret and has to be entered again.
pub(super) fn open(state: &AppState, source: &Source) -> Result<Option<String>, Problem> {
    let Some(stored) = &source.password else {
        return Ok(None);
    };
    // A stored password is never sent to another origin, whatever the row says.
    let is_meant = place_of(&source.location).is_some_and(|place| place == stored.place);
    let opened =
        is_meant.then(|| sealed::open(&state.secret, SEALED_FOR, &stored.place, &stored.sealed));
    match opened {
        Some(Ok(password)) => Ok(Some(password)),
        _ => Err(problem("source_password_lost", None)),
    }
}
