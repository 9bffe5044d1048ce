//! Webhooks: external services, events and deliveries.

pub mod deliveries;
pub mod events;
pub mod services;
