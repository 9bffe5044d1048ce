//! Files and their names.

use slovo_rules::Violations;
use slovo_rules::convert::{JsResult, read_name, single, to_js, verdict};
use slovo_rules::settings::Source;
use slovo_rules::upload::{self, AudioType};
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
) -> JsResult<Ts<Violations>> {
    // The casts saturate: a value that is not a size becomes 0 or the maximum.
    let most = most.map_or(upload::MAX_UPLOAD_BYTES, |most| most as u64);
    verdict(upload::validate_file_within(name, mime, size as u64, most))
}

/// The MIME types of a format.
#[wasm_bindgen(js_name = mimeTypes)]
pub fn mime_types(kind: &Ts<AudioType>) -> JsResult<Vec<String>> {
    Ok(read_name(kind)?
        .mime_types()
        .iter()
        .map(ToString::to_string)
        .collect())
}

/// Checks a file by its first bytes. `external` tells whether the server has the decoder that reads
/// more than the ten formats; it has none unless that is said.
#[wasm_bindgen(js_name = checkContent)]
pub fn check_content(first_bytes: &[u8], external: Option<bool>) -> JsResult<Ts<Violations>> {
    single(upload::check_content_with(
        first_bytes,
        external.unwrap_or(false),
    ))
}

/// What to say when the user goes on with nothing chosen, or with a file not yet uploaded.
#[wasm_bindgen(js_name = nothingChosen)]
pub fn nothing_chosen(source: &Ts<Source>, chosen: bool) -> JsResult<Ts<Violations>> {
    to_js(&upload::nothing_chosen(read_name(source)?, chosen).into())
}
