//! Mails from the first sentence to the receiving server.

mod delivery;
mod service;
mod words;
