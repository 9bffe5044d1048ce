//! The composed form of Unicode (NFC), and which characters it affects.
//!
//! Browsers have it built in; its tables would be a third of the WASM module.

/// Characters that may be composed with the preceding one, or change places with it. Each entry has
/// the first character in the upper bits, and in the lowest eight how many more follow.
///
/// A test compares the list with Unicode's data.
#[rustfmt::skip]
const JOINING: [u32; 237] = [
    0x3004e, 0x3501f, 0x48304, 0x5912c, 0x5bf00, 0x5c101, 0x5c401, 0x5c702, 0x6100a, 0x64b14,
    0x67000, 0x6d606, 0x6df05, 0x6e701, 0x6ea03, 0x71100, 0x7301a, 0x7eb08, 0x7fd00, 0x81603,
    0x81b08, 0x82502, 0x82904, 0x85902, 0x89708, 0x8ca17, 0x8e31c, 0x93c00, 0x94d00, 0x95103,
    0x9bc00, 0x9be00, 0x9cd00, 0x9d700, 0x9fe00, 0xa3c00, 0xa4d00, 0xabc00, 0xacd00, 0xb3c00,
    0xb3e00, 0xb4d00, 0xb5601, 0xbbe00, 0xbcd00, 0xbd700, 0xc3c00, 0xc4d00, 0xc5501, 0xcbc00,
    0xcc200, 0xccd00, 0xcd501, 0xd3b01, 0xd3e00, 0xd4d00, 0xd5700, 0xdca00, 0xdcf00, 0xddf00,
    0xe3802, 0xe4803, 0xeb802, 0xec803, 0xf1801, 0xf3500, 0xf3700, 0xf3900, 0xf7101, 0xf7400,
    0xf7a03, 0xf8000, 0xf8202, 0xf8601, 0xfc600, 0x102e00, 0x103700, 0x103901, 0x108d00, 0x116114,
    0x11a81a, 0x135d02, 0x171401, 0x173400, 0x17d200, 0x17dd00, 0x18a900, 0x193902, 0x1a1701,
    0x1a6000, 0x1a7507, 0x1a7f00, 0x1ab00d, 0x1abf31, 0x1b3401, 0x1b4400, 0x1b6b08, 0x1baa01,
    0x1be600, 0x1bf201, 0x1c3700, 0x1cd002, 0x1cd40c, 0x1ce206, 0x1ced00, 0x1cf400, 0x1cf801,
    0x1dc03f, 0x20d00c, 0x20e100, 0x20e50b, 0x2cef02, 0x2d7f00, 0x2de01f, 0x302a05, 0x309901,
    0xa66f00, 0xa67409, 0xa69e01, 0xa6f001, 0xa80600, 0xa82c00, 0xa8c400, 0xa8e011, 0xa92b02,
    0xa95300, 0xa9b300, 0xa9c000, 0xaab000, 0xaab202, 0xaab701, 0xaabe01, 0xaac100, 0xaaf600,
    0xabed00, 0xfb1e00, 0xfe200f, 0x101fd00, 0x102e000, 0x1037604, 0x10a0d00, 0x10a0f00, 0x10a3802,
    0x10a3f00, 0x10ae501, 0x10d2403, 0x10d6904, 0x10eab01, 0x10ecb04, 0x10ef00b, 0x10efd02,
    0x10f460a, 0x10f8203, 0x1104600, 0x1107000, 0x1107f00, 0x110b901, 0x1110002, 0x1112700,
    0x1113301, 0x1117300, 0x111c000, 0x111ca00, 0x1123501, 0x112e901, 0x1133b01, 0x1133e00,
    0x1134d00, 0x1135700, 0x1136606, 0x1137004, 0x113b800, 0x113bb00, 0x113c200, 0x113c500,
    0x113c702, 0x113ce02, 0x1144200, 0x1144600, 0x1145e00, 0x114b000, 0x114ba00, 0x114bd00,
    0x114c201, 0x115af00, 0x115bf01, 0x1163f00, 0x116b601, 0x1172b00, 0x1183901, 0x1193000,
    0x1193d01, 0x1194300, 0x119e000, 0x11a3400, 0x11a4700, 0x11a9900, 0x11c3f00, 0x11d4200,
    0x11d4401, 0x11d9700, 0x11f4101, 0x1611e0b, 0x1612f00, 0x16af004, 0x16b3006, 0x16d6701,
    0x16ff001, 0x1bc9e00, 0x1d12701, 0x1d16504, 0x1d16d05, 0x1d17b07, 0x1d18506, 0x1d1aa03,
    0x1d24202, 0x1d25002, 0x1d25b01, 0x1d25f00, 0x1d28001, 0x1e00006, 0x1e00810, 0x1e01b06,
    0x1e02301, 0x1e02604, 0x1e08f00, 0x1e13006, 0x1e2ae00, 0x1e2ec03, 0x1e4ec03, 0x1e5ee01,
    0x1e6e300, 0x1e6e600, 0x1e6ee01, 0x1e6f500, 0x1e8d006, 0x1e94406,
];

/// Ranges that include all characters with another composed form of their own.
const CHANGING: [(char, char); 13] = [
    ('\u{374}', '\u{387}'),
    ('\u{958}', '\u{9df}'),
    ('\u{a33}', '\u{a5e}'),
    ('\u{b5c}', '\u{b5d}'),
    ('\u{f43}', '\u{fb9}'),
    ('\u{1f71}', '\u{1ffd}'),
    ('\u{2000}', '\u{2001}'),
    ('\u{2126}', '\u{212b}'),
    ('\u{2329}', '\u{232a}'),
    ('\u{2adc}', '\u{2adc}'),
    ('\u{f900}', '\u{fb4e}'),
    ('\u{1d15e}', '\u{1d1c0}'),
    ('\u{2f800}', '\u{2fa1d}'),
];

/// Whether the character belongs to the one before it: a mark, or part of a syllable.
pub fn joins(character: char) -> bool {
    // A fast path for the frequent Latin, Greek and Cyrillic letters.
    if matches!(character, '\0'..='\u{2ff}' | '\u{370}'..='\u{482}') {
        return false;
    }
    let code = u32::from(character);
    let after = JOINING.partition_point(|range| range >> 8 <= code);
    after
        .checked_sub(1)
        .and_then(|at| JOINING.get(at))
        .is_some_and(|range| code <= (range >> 8) + (range & 0xff))
}

/// Whether the character may have another composed form on its own.
pub fn changes(character: char) -> bool {
    character >= '\u{374}'
        && !matches!(character, '\u{388}'..='\u{957}')
        && CHANGING
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&character))
}

/// The composed form.
#[cfg(not(all(target_arch = "wasm32", feature = "wasm")))]
pub fn composed(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfc().collect()
}

/// The composed form.
#[cfg(all(target_arch = "wasm32", feature = "wasm"))]
pub fn composed(text: &str) -> String {
    use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = String)]
        type Text;
        #[wasm_bindgen(method)]
        fn normalize(this: &Text) -> String;
    }
    JsValue::from_str(text).unchecked_into::<Text>().normalize()
}

#[cfg(test)]
mod tests {
    use super::{changes, joins};
    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfc_quick};

    #[test]
    fn the_character_lists_match_unicode() {
        for character in '\0'..=char::MAX {
            let form = is_nfc_quick(std::iter::once(character));
            let joining = canonical_combining_class(character) != 0 || form == IsNormalized::Maybe;
            assert_eq!(joins(character), joining, "{:x}", u32::from(character));
            if form == IsNormalized::No && !joining {
                assert!(changes(character), "{:x}", u32::from(character));
            }
        }
    }
}
