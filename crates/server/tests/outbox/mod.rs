//! What the program has mailed: without an SMTP server each mail is a file in its data folder.

use std::fs;
use std::path::Path;

/// The code in the newest mail to this address, which was asked for in English: its text part is
/// then plain ASCII, with the code alone in an indented line.
pub fn code(data: &Path, email: &str) -> String {
    let folder = data.join("outbox");
    let mails = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut mails: Vec<_> = mails.map(|mail| mail.unwrap().path()).collect();
    mails.sort();
    let mut texts = mails
        .iter()
        .rev()
        .map(|mail| fs::read_to_string(mail).unwrap());
    let mail = texts.find(|mail| mail.contains(&format!("To: {email}\r\n")));
    let mail = mail.unwrap_or_else(|| panic!("no mail to {email} among {mails:?}"));
    let line = mail.lines().find_map(|line| line.strip_prefix("    "));
    line.unwrap_or_else(|| panic!("no code in {mail}"))
        .trim()
        .to_owned()
}
