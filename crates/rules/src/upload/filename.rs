//! File names from users, made safe for display. They are never used as paths.

/// Longest displayed name, in characters.
pub const MAX_DISPLAY_NAME: usize = 200;

/// Longest extension that is kept when a name is truncated, in characters.
const MAX_KEPT_EXTENSION: usize = 10;

/// The extension of a file name, without dot: the text after the last dot, if there is something
/// before it.
#[must_use]
pub fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.trim().rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}

/// The name for display and downloads: the last component of a path, without control characters and
/// direction marks, with single spaces, at most 200 characters with the extension kept. `None` if
/// nothing is left; the caller then names the file by its format.
#[must_use]
pub fn display_name(sent: &str) -> Option<String> {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let displayed = last
        .chars()
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_whitespace() { ' ' } else { c });
    // Far more than is displayed, so that a name of megabytes is not copied.
    let displayed: String = displayed.take(64 * MAX_DISPLAY_NAME).collect();
    let displayed = displayed
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let meaningful = displayed.chars().any(|c| c != '.' && c != ' ');
    meaningful.then(|| cut(&displayed))
}

/// Removes the middle, so that the extension stays.
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
    let room = MAX_DISPLAY_NAME - tail.chars().count();
    let mut cut: String = name.chars().take(room).collect();
    cut.push_str(&tail);
    cut
}

/// Whether the character is removed: control characters, direction marks, invisible joiners that
/// can disguise a name, the byte order mark and the replacement for unpaired surrogates. The
/// zero-width joiner is kept: emoji and several scripts need it.
fn is_invisible(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
        || matches!(c,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}
