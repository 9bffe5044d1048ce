//! File names as users send them, made safe to show. They are never used as paths.

/// Longest name that is shown, in characters.
pub const MAX_DISPLAY_NAME: usize = 200;

/// Longest extension that is kept when a name is cut, in characters.
const MAX_KEPT_EXTENSION: usize = 10;

/// The extension of a file name, without dot: what follows the last dot, if the name has
/// something before it.
#[must_use]
pub fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.trim().rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}

/// The name to show and to offer for downloads: the last step of a path, without control
/// characters and without those that turn the direction of writing, white space in single
/// blanks, at most 200 characters with the extension kept. `None` where nothing is left to
/// show; the caller then names the file by its format.
#[must_use]
pub fn display_name(sent: &str) -> Option<String> {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown = last
        .chars()
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_whitespace() { ' ' } else { c });
    // Far more than is shown, so that a name of megabytes is not copied.
    let shown: String = shown.take(64 * MAX_DISPLAY_NAME).collect();
    let shown = shown
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let meaningful = shown.chars().any(|c| c != '.' && c != ' ');
    meaningful.then(|| cut(&shown))
}

/// Cuts the middle out, so that the extension stays.
fn cut(name: &str) -> String {
    let length = name.chars().count();
    if length <= MAX_DISPLAY_NAME {
        return name.to_owned();
    }
    let tail = match extension(name) {
        Some(extension) if extension.chars().count() <= MAX_KEPT_EXTENSION => {
            format!("….{extension}")
        }
        _ => "…".to_owned(),
    };
    let kept = MAX_DISPLAY_NAME - tail.chars().count();
    let mut cut: String = name.chars().take(kept).collect();
    cut.push_str(&tail);
    cut
}

/// Controls, direction overrides, invisible joiners at a name's use for disguise, the
/// byte-order mark and unassigned surrogates' stand-in are not shown. The zero-width joiner
/// stays: emoji and several scripts need it.
fn is_invisible(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
        || matches!(c,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}
