//! The synchronisation against a NocoDB of the tests' own, and against what the real one answered.

mod conflicts;
mod fake;
mod hostile;
mod recorded;
mod sync;
mod ways;
mod world;
