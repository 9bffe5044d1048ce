//! Shell commands for use in messages.

use std::path::Path;

use slovo_engine::models;

/// `slovo models pull …` for these models, into this folder.
pub fn pull(ids: &str, folder: &Path) -> String {
    let mut command = "slovo models pull".to_owned();
    if !ids.is_empty() {
        command = format!("{command} {ids}");
    }
    with_folder(command, folder)
}

/// `slovo models use full …` for a model of this folder.
pub fn use_for_full(id: &str, folder: &Path) -> String {
    with_folder(format!("slovo models use full {id}"), folder)
}

/// The command for the models of this folder.
fn with_folder(command: String, folder: &Path) -> String {
    if models::default_dir().as_deref() == Some(folder) {
        return command;
    }
    format!("{command} --models {}", quoted(&folder.to_string_lossy()))
}

/// What to do if no model can be downloaded into this folder.
pub fn without_hub(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "Other ways to get them: set HF_ENDPOINT to a mirror of the model hub; copy the files \
         from the models folder of another Slovo to {folder}, then run `slovo models verify`; or \
         make them with `cargo xtask models` in Slovo's source code."
    )
}

/// A word quoted for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_custom_folder_is_quoted_for_the_shell() {
        assert_eq!(
            pull("base-q8_0", Path::new("/srv/models")),
            "slovo models pull base-q8_0 --models /srv/models"
        );
        assert_eq!(
            pull("", Path::new("/my models/o'clock")),
            r"slovo models pull --models '/my models/o'\''clock'"
        );
        if let Some(default_folder) = models::default_dir() {
            assert_eq!(
                pull("base-q8_0", &default_folder),
                "slovo models pull base-q8_0"
            );
        }
    }
}
