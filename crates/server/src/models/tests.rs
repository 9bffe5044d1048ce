//! Pulls against a local server in the place of the home.
