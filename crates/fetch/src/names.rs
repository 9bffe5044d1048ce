//! Names of downloaded recordings.

use percent_encoding::percent_decode_str;
use reqwest::Url;
use slovo_rules::upload::display_name;

/// Longest `Content-Disposition` that is read, in bytes.
const MAX_HEADER: usize = 8 * 1024;

/// The name from the response's `Content-Disposition`, else from the URL.
#[must_use]
pub fn of_answer(disposition: Option<&[u8]>, url: &Url) -> String {
    let stated = disposition.and_then(of_disposition);
    stated.unwrap_or_else(|| of_url(url))
}

/// The name in a URL: the last segment of its path, else the host.
#[must_use]
pub fn of_url(url: &Url) -> String {
    let steps = url.path_segments().into_iter().flatten();
    let last = steps.rev().find(|step| !step.is_empty());
    let name = last.and_then(|step| display_name(&percent_decode_str(step).decode_utf8_lossy()));
    name.or_else(|| display_name(url.host_str()?))
        .unwrap_or_else(|| "url".to_owned())
}

/// A title as a file name with this extension.
#[must_use]
pub fn of_title(title: &str, extension: &str) -> Option<String> {
    // A title is not a path.
    let title = title.replace(['/', '\\'], " ");
    let plain = !extension.is_empty() && extension.chars().all(|c| c.is_ascii_alphanumeric());
    if plain {
        display_name(&title)?;
        display_name(&format!("{title}.{extension}"))
    } else {
        display_name(&title)
    }
}

/// The file name in a `Content-Disposition` (RFC 6266): `filename*` before `filename`.
fn of_disposition(header: &[u8]) -> Option<String> {
    let header = header.get(..MAX_HEADER).unwrap_or(header);
    // Servers that do not encode the name send UTF-8 or Latin-1.
    let text = match std::str::from_utf8(header) {
        Ok(text) => text.to_owned(),
        Err(_) => latin_1(header),
    };
    let mut plain = None;
    for (name, value) in parameters(&text) {
        if name.eq_ignore_ascii_case("filename*") {
            if let Some(display) = extended(&value).and_then(|name| display_name(&name)) {
                return Some(display);
            }
        } else if name.eq_ignore_ascii_case("filename") && plain.is_none() {
            plain = display_name(&value);
        }
    }
    plain
}

fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// The parameters after the first semicolon, unquoted and unescaped.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim_matches([';', ' ', '\t']).to_owned();
        let after = after.trim_start();
        let mut value = String::new();
        let end = match after.strip_prefix('"') {
            Some(quoted) => 1 + unquote(quoted, &mut value),
            None => {
                let end = after.find(';').unwrap_or(after.len());
                value.push_str(after[..end].trim());
                end
            }
        };
        found.push((name, value));
        rest = &after[end..];
    }
    found
}

/// Reads up to the closing quote, and returns the number of bytes consumed.
fn unquote(quoted: &str, value: &mut String) -> usize {
    let mut characters = quoted.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return at + 1,
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            c => value.push(c),
        }
    }
    quoted.len()
}

/// `UTF-8'en'na%C3%AFve` (RFC 8187).
fn extended(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_, encoded) = rest.split_once('\'')?;
    let bytes: Vec<u8> = percent_decode_str(encoded).collect();
    if charset.eq_ignore_ascii_case("utf-8") {
        String::from_utf8(bytes).ok()
    } else if charset.eq_ignore_ascii_case("iso-8859-1") {
        Some(latin_1(&bytes))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(header: &str) -> Option<String> {
        of_disposition(header.as_bytes())
    }

    #[test]
    fn file_names_are_parsed_from_content_disposition() {
        for (header, name) in [
            ("attachment; filename=talk.mp3", "talk.mp3"),
            ("attachment; filename=\"a b.mp3\"", "a b.mp3"),
            (
                r#"inline;filename="a \"b\"; c.mp3" ; x=y"#,
                "a \"b\"; c.mp3",
            ),
            (
                "attachment; filename=\"x.mp3\"; filename*=UTF-8''%D0%9F%D1%80%D0%B8%D0%B2%D1%96%D1%82.mp3",
                "Привіт.mp3",
            ),
            ("attachment; filename*=iso-8859-1'en'%A3.mp3", "£.mp3"),
            // An invalid extended parameter is ignored in favour of the plain one.
            ("attachment; filename*=UTF-8''%FF; filename=b.mp3", "b.mp3"),
            ("attachment; filename=\"../../etc/passwd\"", "passwd"),
            ("attachment; filename=\"a\u{202e}3pm.exe\"", "a3pm.exe"),
            ("attachment; filename=\"open", "open"),
        ] {
            assert_eq!(named(header).as_deref(), Some(name), "{header}");
        }
        for none in [
            "",
            "attachment",
            "attachment; filename=",
            "attachment; filename=\"..\"",
            "x;=;=\"",
            ";\\",
        ] {
            assert_eq!(named(none), None, "{none}");
        }
        assert_eq!(
            of_disposition(b"a; filename=\"\xe4.mp3\"").unwrap(),
            "ä.mp3"
        );
    }

    #[test]
    fn file_names_are_derived_from_urls_and_titles() {
        for (url, name) in [
            ("https://a.example/x/talk%20one.mp3?token=1", "talk one.mp3"),
            ("https://a.example/x/", "x"),
            ("https://a.example/", "a.example"),
            ("https://a.example/%2e%2e%2f", "a.example"),
            ("https://a.example/a%2Fb.mp3", "b.mp3"),
        ] {
            assert_eq!(of_url(&Url::parse(url).unwrap()), name, "{url}");
        }
        assert_eq!(of_title("AC/DC live", "webm").unwrap(), "AC DC live.webm");
        assert_eq!(of_title("A", "../x").unwrap(), "A");
        assert_eq!(of_title(" ", "mp3"), None);
    }
}
