//! Speech models: from CTranslate2's weights to whisper.cpp's file.

mod convert;
mod ct2;
mod error;
mod ggml;
mod mel;
mod q8_0;
mod tokens;

pub use convert::convert;
pub use error::ConvertError;
