//! Models: which there are, what a file must be, what it needs of the machine,
//! and the conversion of the weights that package registries carry. No network.

mod catalogue;
mod choice;
mod convert;
mod ct2;
mod fit;
mod ggml;
mod mel;
mod origin;
mod q8_0;
mod shape;
mod speakers;
mod store;
mod tokens;

pub use catalogue::{
    BuiltFor, Checksum, DEFAULT_FULL, DEFAULT_LITE, Kind, MODELS, Model, Package, Packaged,
    SENTENCES, SPEAKER_EMBEDDING, SPEAKER_SEGMENTATION, VOICE_ACTIVITY, file_name, find,
};
pub use choice::Choice;
pub use convert::{ConvertError, convert};
pub use fit::{Fit, Machine};
pub use origin::{Origin, Way};
pub use shape::{Precision, Shape};
pub use speakers::{SpeakerConvertError, convert_embedding, convert_segmentation};
pub use store::{
    Digests, Record, State, StoreError, default_dir, install, record, remove, state, verify,
};
