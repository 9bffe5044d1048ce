//! Makes the models that Slovo uses out of Python packages, for builds on machines that cannot
//! reach the models' home. Only build verbs use it; `slovo` itself downloads and verifies.
//!
//! The packages are pinned by version and checksum, and so is every file that is made of them:
//! equal weights make equal bytes. See the crate's README.

pub mod home;
mod make;
mod packages;
mod recipes;
mod speakers;
mod whisper;

pub use make::{Made, MakeError, Maker};
pub use packages::PackageError;
pub use recipes::{BuiltFor, Package, RECIPES, Recipe, find};
pub use speakers::{SpeakerConvertError, convert_embedding, convert_segmentation};
pub use whisper::{ConvertError, convert};
