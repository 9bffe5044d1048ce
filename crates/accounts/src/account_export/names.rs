//! File names within an archive, derived from user-supplied names.

/// Longest part of a name that is kept, in characters: with its folders the path stays far below
/// the 260 characters that Windows allows.
const MAX_NAME: usize = 60;

/// Longest suffix that is treated as an extension, in characters.
const MAX_EXTENSION: usize = 5;

/// Folder of the job with this number (from 1) and this name. The number makes it unique even on
/// case-insensitive file systems, and keeps it from being a reserved Windows device name.
#[must_use]
pub fn job_folder(number: usize, name: &str) -> String {
    format!("jobs/{number}-{}", safe(name))
}

/// Name of a file made from the text with this number (from 1), which makes it unique as in
/// [`job_folder`].
#[must_use]
pub fn numbered(number: usize, title: &str, extension: &str) -> String {
    format!("{number}-{}.{extension}", safe(title))
}

/// Name of the recording itself within its job's folder.
#[must_use]
pub fn original(filename: &str) -> String {
    match filename.rsplit_once('.') {
        Some((_, extension))
            if (1..=MAX_EXTENSION).contains(&extension.len())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            format!("original.{}", extension.to_ascii_lowercase())
        }
        _ => "original".to_owned(),
    }
}

/// A path component that is safe on every system: no separators, no characters that Windows
/// forbids, no invisible ones, no trailing dots or spaces.
#[must_use]
pub fn safe(name: &str) -> String {
    let harmless = |c: char| {
        let hidden = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        let refused = hidden || c.is_control() || "<>:\"/\\|?*".contains(c);
        if refused { '_' } else { c }
    };
    let cleaned: String = name.chars().map(harmless).take(MAX_NAME).collect();
    let cleaned = cleaned
        .trim()
        .trim_end_matches(['.', ' '])
        .trim_start_matches('.');
    if cleaned.is_empty() {
        "recording".to_owned()
    } else {
        cleaned.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archive_names_stay_in_their_folder_and_suit_every_file_system() {
        for (name, folder) in [
            ("Розмова 1.mp3", "jobs/1-Розмова 1.mp3"),
            ("../../etc/passwd", "jobs/1-_.._etc_passwd"),
            ("..\\..\\boot.ini", "jobs/1-_.._boot.ini"),
            ("con", "jobs/1-con"),
            ("a:b*c?.wav", "jobs/1-a_b_c_.wav"),
            ("/", "jobs/1-_"),
            ("...", "jobs/1-recording"),
            ("", "jobs/1-recording"),
            ("trailing. . ", "jobs/1-trailing"),
            ("\u{202e}gpj.exe", "jobs/1-_gpj.exe"),
            ("a\nb\0c", "jobs/1-a_b_c"),
            ("🎙️ podcast.mp3", "jobs/1-🎙️ podcast.mp3"),
        ] {
            assert_eq!(job_folder(1, name), folder, "{name:?}");
        }
        assert_eq!(numbered(1, "../Con", "pdf"), "1-_Con.pdf");
        assert_eq!(numbered(2, ".v1.2", "txt"), "2-v1.2.txt");
        let long = job_folder(12, &"ї".repeat(5000));
        assert_eq!(long.chars().count(), "jobs/12-".len() + MAX_NAME);
    }

    #[test]
    fn the_recording_keeps_only_a_valid_extension() {
        assert_eq!(original("talk.MP3"), "original.mp3");
        assert_eq!(original("talk"), "original");
        assert_eq!(original("a.../../x"), "original");
        assert_eq!(original("a.це"), "original");
        assert_eq!(original("a.toolong"), "original");
    }
}
