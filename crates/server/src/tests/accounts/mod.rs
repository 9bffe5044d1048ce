//! Sessions, trials, and messages of visitors.

mod known_sessions;
mod site_messages;
mod trials;
