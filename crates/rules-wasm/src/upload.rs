//! Files and their names.

use slovo_rules::Violations;
use slovo_rules::convert::{Converted, give, give_name, read_name, single, verdict};
use slovo_rules::settings::Source;
use slovo_rules::upload::{self, AudioType, Container};
use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

/// Checks a file by its name, MIME type and size in bytes. `most` is the largest that the server
/// takes, 500 MB unless given.
#[wasm_bindgen(js_name = validateFile)]
pub fn validate_file(
    name: &str,
    mime: &str,
    size: f64,
    most: Option<f64>,
) -> Converted<Ts<Violations>> {
    // The casts saturate: what is not a size becomes 0 or the largest.
    let most = most.map_or(upload::MAX_UPLOAD_BYTES, |most| most as u64);
    verdict(upload::validate_file_within(name, mime, size as u64, most))
}

/// The format by MIME type or extension.
#[wasm_bindgen(js_name = audioType)]
#[must_use]
pub fn audio_type(name: &str, mime: &str) -> Option<Ts<AudioType>> {
    let kind = AudioType::of_mime(mime).or_else(|| AudioType::of_name(name));
    kind.map(give_name)
}

/// The MIME types of a format.
#[wasm_bindgen(js_name = mimeTypes)]
pub fn mime_types(kind: &Ts<AudioType>) -> Converted<Vec<String>> {
    Ok(read_name(kind)?
        .mime_types()
        .iter()
        .map(ToString::to_string)
        .collect())
}

/// Checks a file by its first bytes.
#[wasm_bindgen(js_name = checkContent)]
pub fn check_content(first_bytes: &[u8]) -> Converted<Ts<Violations>> {
    single(upload::check_content(first_bytes))
}

/// What a file is by its first bytes.
#[wasm_bindgen]
#[must_use]
pub fn sniff(first_bytes: &[u8]) -> Option<Ts<Container>> {
    upload::sniff(first_bytes).map(give_name)
}

/// What to say when the user goes on with nothing chosen, or with a file not yet uploaded.
#[wasm_bindgen(js_name = nothingChosen)]
pub fn nothing_chosen(source: &Ts<Source>, chosen: bool) -> Converted<Ts<Violations>> {
    give(&upload::nothing_chosen(read_name(source)?, chosen).into())
}

/// The name to show; undefined where nothing is left to show.
#[wasm_bindgen(js_name = displayName)]
#[must_use]
pub fn display_name(sent: &str) -> Option<String> {
    upload::display_name(sent)
}
