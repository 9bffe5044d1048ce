//! Searching for words in texts.

use slovo_rules::search::{self, Query};
use wasm_bindgen::prelude::wasm_bindgen;

/// The text as it is compared: any case, any apostrophe, any white space.
#[wasm_bindgen(js_name = foldText)]
#[must_use]
pub fn fold_text(text: &str) -> String {
    search::fold(text).text
}

/// Where the query stands in many texts: `[text, from, to, text, from, to, …]`, the texts by
/// their position, the rest in UTF-16 units.
#[wasm_bindgen(js_name = findInTexts)]
#[must_use]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a list crosses the boundary only as a Vec"
)]
pub fn find_in_texts(texts: Vec<String>, query: &str) -> Vec<u32> {
    let query = Query::new(query);
    let mut scratch = String::new();
    let mut found = Vec::new();
    for (number, text) in (0..).zip(&texts) {
        let ranges = query.find(text, &mut scratch);
        for range in search::in_utf16(text, &ranges) {
            found.extend([number, range.start, range.end]);
        }
    }
    found
}
