//! Sign-in with Google, tested with a real provider (`web/e2e/services/oidc.mjs`) and with one that
//! sends forged answers.

mod browser;
mod forged;
mod forger;
mod handoffs;
mod mark;
mod people;
mod provider;
mod refusals;
