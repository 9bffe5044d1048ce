//! Passwords of sources and targets. They are stored encrypted, never shown, and sent only to the
//! origin that they were entered for.

use anyhow::{Context as _, Result};
use slovo_app::state::AppState;
use slovo_db::sources::{Problem, SealedPassword};
use slovo_platform::sealed;
use slovo_work::endpoint_keys::place_of;

use super::problem::problem;

/// Purpose of the encryption key.
const SEALED_FOR: &str = "passwords of sources";

/// The password after a change: the one entered, or the stored one if the location still has its
/// origin.
///
/// # Errors
/// If the location is not an address.
pub(crate) fn after(
    state: &AppState,
    (location, entered): (&str, Option<&str>),
    stored: Option<SealedPassword>,
) -> Result<Option<SealedPassword>> {
    let place = || place_of(location);
    match entered {
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

/// The password for a location.
///
/// # Errors
/// It was encrypted with another server secret and has to be entered again.
pub(crate) fn open(
    state: &AppState,
    location: &str,
    stored: Option<&SealedPassword>,
) -> Result<Option<String>, Problem> {
    let Some(stored) = stored else {
        return Ok(None);
    };
    // A stored password is never sent to another origin, whatever the row says.
    let is_meant = place_of(location).is_some_and(|place| place == stored.place);
    let opened =
        is_meant.then(|| sealed::open(&state.secret, SEALED_FOR, &stored.place, &stored.sealed));
    match opened {
        Some(Ok(password)) => Ok(Some(password)),
        _ => Err(problem("source_password_lost", None)),
    }
}
