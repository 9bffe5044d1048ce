//! Sign-in with Google, against a real provider (`web/e2e/services/oidc.mjs`) and a forger.

mod browser;
mod forged;
mod forger;
mod handoffs;
mod mark;
mod people;
mod provider;
mod refusals;
