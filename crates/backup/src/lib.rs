//! Backups: everything of a server that cannot be made again, in a folder or an object store.
//!
//! ```text
//! slovo-backups.json                    the format, and an id
//! snapshots/20261130T020000Z.json       one backup: which pieces it needs ([`SnapshotFile`])
//! pieces/3f/3f86c1…                     part of a table, of a recording, or of the list of both
//! ```
//!
//! A piece is stored once, whatever number of backups need it: its name is the SHA-256 of its content
//! (a keyed one in sealed backups), so a backup stores only what has changed since the one before. A
//! backup counts from the moment its file in `snapshots` is there, which is written last. Pieces that
//! no backup needs are removed a day after they were written, because another backup may be under way.
//!
//! In a sealed backup every piece is encrypted for the owners of keys of `age`
//! (<https://age-encryption.org/v1>); the server itself cannot read it.

mod create;
mod manifest;
mod pieces;
mod place;
mod prune;
pub mod restore;
mod seal;
#[cfg(test)]
mod tests;

pub use create::{Created, Recordings, Source, create};
pub use manifest::{FileEntry, Manifest, SnapshotFile, TableEntry};
pub use place::{Place, PlaceError};
pub use prune::{Pruned, keep_newest};
pub use restore::Opened;
pub use restore::verify::Verified;
pub use seal::{Identities, Recipients, new_identity};
