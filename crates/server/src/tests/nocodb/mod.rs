//! The synchronisation against a fake NocoDB, and against recorded responses of the real one.

mod conflicts;
mod fake;
mod field_directions;
mod hostile;
mod recorded;
mod sync;
mod world;
