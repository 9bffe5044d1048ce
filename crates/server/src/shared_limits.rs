//! Limits of attempts that web processes on one database count together.

use std::sync::Arc;

use slovo_accounts::auth::{Attempts, Limits};
use slovo_work::messages::Words;

/// The limits of this process.
pub struct SharedLimits(pub Arc<Limits>);

impl Words for SharedLimits {
    fn gather(&self) -> Vec<String> {
        let attempts = self.0.gather().into_iter();
        attempts.map(|attempts| attempts.to_string()).collect()
    }

    fn receive(&self, word: &str) {
        if let Ok(attempts) = word.parse::<Attempts>() {
            self.0.count(&attempts);
        }
    }
}
