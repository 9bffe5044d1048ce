//! Models: which there are, what a file must be, what it needs of the machine, and the folder in
//! which files are kept with their records. No network.

mod catalogue;
mod choice;
mod fit;
mod origin;
mod shape;
mod store;

pub use catalogue::{
    Checksum, DEFAULT_FULL, DEFAULT_LITE, HUB, Kind, MODELS, Model, SENTENCES, SPEAKER_EMBEDDING,
    SPEAKER_SEGMENTATION, VOICE_ACTIVITY, file_name, find,
};
pub use choice::Choice;
pub use fit::{Fit, Machine};
pub use origin::{Origin, Way};
pub use shape::{AUDIO_CONTEXT, FREQUENCY_BINS, Precision, Shape, Storage, TEXT_CONTEXT, Tensor};
pub use store::{
    Digests, Record, State, StoreError, default_dir, install, lock_path, record, remove, state,
    verify,
};
