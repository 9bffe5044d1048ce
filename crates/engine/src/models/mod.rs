//! Models: which there are, what a file must be, what it needs of the machine,
//! and the conversion of the weights that package registries carry. No network.

mod convert;
mod ct2;
mod ggml;
mod mel;
mod q8_0;
mod shape;
mod tokens;

pub use convert::{ConvertError, convert};
pub use shape::{Precision, Shape};
