//! Tests of mails, from their sentences to delivery.

mod delivery;
mod service;
mod words;
