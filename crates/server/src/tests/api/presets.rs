//! Presets through the real router, on both databases.

mod actions;
mod imports;
mod quick;
mod stock;
mod support;
