//! The model that the tests share, and texts for it.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use slovo_analysis::Stop;
use slovo_analysis::embedded::model::Embedder;

/// The model's file, located as the program does it.
pub fn model_file() -> PathBuf {
    let folder = std::env::var_os("SLOVO_MODELS").map_or_else(
        || {
            let data = std::env::var_os("XDG_DATA_HOME").map_or_else(
                || {
                    PathBuf::from(std::env::var_os("HOME").expect("HOME is set"))
                        .join(".local/share")
                },
                PathBuf::from,
            );
            data.join("slovo/models")
        },
        PathBuf::from,
    );
    let file = folder.join("ggml-e5-small-q4.bin");
    assert!(
        file.is_file(),
        "{} is missing: run `cargo xtask models`",
        file.display()
    );
    file
}

/// One model for all tests of a file.
pub fn embedder() -> Arc<Embedder> {
    static EMBEDDER: OnceLock<Arc<Embedder>> = OnceLock::new();
    let load = || Arc::new(Embedder::load(&model_file()).expect("the model is sound"));
    EMBEDDER.get_or_init(load).clone()
}

/// Never stops.
pub struct NeverStop;

impl Stop for NeverStop {
    fn is_set(&self) -> bool {
        false
    }
}
