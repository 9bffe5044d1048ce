//! Services of others that the server calls, and what it tells them.

pub mod deliveries;
pub mod events;
pub mod services;
