//! Recognition.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// Where administrators may have models downloaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelsSource {
    /// The models' public home, or its mirror
    // Name in earlier releases, which had two sources.
    #[value(alias = "any")]
    Hub,
    /// None: what is not in the models folder is missing
    None,
}

/// The GPU for recognition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuChoice {
    /// The first one, if there is any
    Auto,
    /// None: the processor
    Off,
    /// The one with this number, from 0; it must exist
    Number(u32),
}

impl FromStr for GpuChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "off" => Ok(Self::Off),
            _ => text
                .parse()
                .map(Self::Number)
                .map_err(|_| "auto, off or the number of a GPU from 0".to_owned()),
        }
    }
}

/// Recognition.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Recognition")]
pub struct Engine {
    /// Folder of the models [default: $XDG_DATA_HOME/slovo/models]
    #[arg(long, env = "SLOVO_MODELS", value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// Model for Full mode [default: the one selected with `slovo models`, else base-q8_0]
    #[arg(long, env = "SLOVO_FULL_MODEL", value_name = "ID")]
    pub full_model: Option<String>,
    /// Model for Lite mode [default: the one selected with `slovo models`, else tiny.en-q8_0]
    #[arg(long, env = "SLOVO_LITE_MODEL", value_name = "ID")]
    pub lite_model: Option<String>,
    /// Threads for recognition, shared by all jobs [default: the machine's cores]
    #[arg(long, env = "SLOVO_THREADS", value_name = "N")]
    pub threads: Option<usize>,
    /// GPU for Whisper models: `auto` (the first one, if the program was built with a backend for
    /// it), `off`, or a number from 0
    #[arg(long, env = "SLOVO_GPU", value_name = "GPU", default_value = "auto")]
    pub gpu: GpuChoice,
    /// Where administrators can download models from
    #[arg(
        long,
        env = "SLOVO_MODELS_SOURCE",
        value_name = "SOURCE",
        value_enum,
        default_value_t = ModelsSource::Hub
    )]
    pub models_source: ModelsSource,
    /// Model hub to download from [default: the public one]
    #[arg(long, env = "HF_ENDPOINT", value_name = "URL")]
    pub models_hub: Option<String>,
    /// ONNX file of another speaker embedding, with a .json description next to it
    #[arg(long, env = "SLOVO_SPEAKER_EMBEDDING", value_name = "FILE")]
    pub speaker_embedding: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        engine: Engine,
    }

    fn source(word: &str) -> Result<ModelsSource, clap::Error> {
        let line = Line::try_parse_from(["slovo", "--models-source", word]);
        line.map(|line| line.engine.models_source)
    }

    #[test]
    fn a_gpu_is_automatic_off_or_a_number() {
        let gpu = |word: &str| Line::try_parse_from(["slovo", "--gpu", word]);
        let choice = |word| gpu(word).map(|line| line.engine.gpu).unwrap();
        assert_eq!(choice("auto"), GpuChoice::Auto);
        assert_eq!(choice("off"), GpuChoice::Off);
        assert_eq!(choice("1"), GpuChoice::Number(1));
        for wrong in ["", "-1", "cuda", "4294967296"] {
            assert!(gpu(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_former_models_source_any_is_accepted_and_packages_is_refused() {
        assert_eq!(source("hub").unwrap(), ModelsSource::Hub);
        assert_eq!(source("any").unwrap(), ModelsSource::Hub);
        assert_eq!(source("none").unwrap(), ModelsSource::None);
        let refused = source("packages").unwrap_err().to_string();
        assert!(
            refused.contains("[possible values: hub, none]"),
            "{refused}"
        );
    }
}
