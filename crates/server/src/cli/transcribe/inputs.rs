//! Inputs to transcribe: files, folders, standard input, named pipes, URLs.

use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use reqwest::Url;
use slovo_fetch::names;
use slovo_rules::upload::is_media_name;
use slovo_rules::url::{self, UrlKind};

use super::sentences;

/// Stands for standard input.
const STDIN: &str = "-";

/// A recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Name in messages. The query of a URL is left out, because it may contain a secret.
    pub display_name: String,
    /// Base of the output file's name, with folders relative to the given one.
    pub name: PathBuf,
    /// Where it is.
    pub source: InputSource,
}

/// Where a recording is.
#[derive(Debug, Clone, PartialEq)]
pub enum InputSource {
    /// A file.
    File(PathBuf),
    /// A named pipe.
    Pipe(PathBuf),
    /// Standard input.
    Stdin,
    /// A URL.
    Address(Url, UrlKind),
    /// Not available, for this reason.
    Nowhere(String),
}

/// The recordings that the arguments stand for.
pub struct Inputs {
    /// In the order of the arguments; files in a folder by name.
    pub all: Vec<Input>,
    /// Whether there are several arguments, or a folder.
    pub several: bool,
}

/// Parses the arguments.
///
/// # Errors
/// A message for each invalid argument.
pub fn of(arguments: &[PathBuf]) -> Result<Inputs, Vec<String>> {
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    let mut several = arguments.len() > 1;
    for argument in arguments {
        let text = argument.to_str().unwrap_or_default();
        if text == STDIN {
            if all
                .iter()
                .any(|input: &Input| input.source == InputSource::Stdin)
            {
                wrong.push("-: standard input can be read only once".to_owned());
            }
            all.push(Input {
                display_name: "standard input".to_owned(),
                name: PathBuf::from("stdin"),
                source: InputSource::Stdin,
            });
        } else if is_address(text) {
            match at_address(text) {
                Ok(input) => all.push(input),
                Err(sentence) => wrong.push(sentence),
            }
        } else if argument.is_dir() {
            several = true;
            in_folder(argument, &mut all);
        } else {
            all.push(at_path(argument));
        }
    }
    if wrong.is_empty() {
        Ok(Inputs { all, several })
    } else {
        Err(wrong)
    }
}

/// The file at a path, or the recordings in a folder and its subfolders.
pub fn at(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let mut all = Vec::new();
    walk(path, path, &mut all);
    let files = all.into_iter().filter_map(|input| match input.source {
        InputSource::File(file) => Some(file),
        _ => None,
    });
    files.collect()
}

fn is_address(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    })
}

fn at_address(text: &str) -> Result<Input, String> {
    let kind = url::classify(text).map_err(|violation| {
        format!(
            "the address cannot be used: {}",
            sentences::of_one(&violation)
        )
    })?;
    let url =
        Url::parse(text.trim()).map_err(|error| format!("the address cannot be used: {error}"))?;
    let mut display_url = url.clone();
    display_url.set_query(None);
    display_url.set_fragment(None);
    Ok(Input {
        display_name: display_url.to_string(),
        name: PathBuf::from(names::of_url(&url).replace('/', " ")),
        source: InputSource::Address(url, kind),
    })
}

fn at_path(path: &Path) -> Input {
    let is_pipe = std::fs::metadata(path).is_ok_and(|about| about.file_type().is_fifo());
    let source = if is_pipe {
        InputSource::Pipe(path.to_owned())
    } else {
        InputSource::File(path.to_owned())
    };
    Input {
        display_name: path.display().to_string(),
        name: path.file_name().unwrap_or(path.as_os_str()).into(),
        source,
    }
}

/// Adds the recordings in a folder and its subfolders, by name; an entry with an error if there are
/// none.
fn in_folder(folder: &Path, all: &mut Vec<Input>) {
    let before = all.len();
    walk(folder, folder, all);
    if all.len() == before {
        all.push(unavailable_folder(
            folder,
            "there are no recordings in this folder".to_owned(),
        ));
    }
}

fn walk(top: &Path, folder: &Path, all: &mut Vec<Input>) {
    let entries = match sorted(folder) {
        Ok(entries) => entries,
        Err(error) => {
            all.push(unavailable_folder(
                folder,
                format!("it cannot be read ({})", error.kind()),
            ));
            return;
        }
    };
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        // A symbolic link to a folder may form a cycle.
        let is_folder = std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_dir());
        if is_folder {
            walk(top, &path, all);
        } else if is_media_name(&name) && path.is_file() {
            all.push(Input {
                display_name: path.display().to_string(),
                name: path.strip_prefix(top).unwrap_or(&path).to_owned(),
                source: InputSource::File(path),
            });
        }
    }
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn unavailable_folder(folder: &Path, reason: String) -> Input {
    Input {
        display_name: folder.display().to_string(),
        name: folder.file_name().unwrap_or_default().into(),
        source: InputSource::Nowhere(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(inputs: &[Input]) -> Vec<String> {
        let names = inputs.iter().map(|input| input.name.display().to_string());
        names.collect()
    }

    #[test]
    fn a_folder_stands_for_its_recordings_sorted_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("b/c");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::create_dir(folder.path().join("empty.mp3")).unwrap();
        for file in [
            "z.mp3",
            "a.OPUS",
            "notes.txt",
            ".hidden.mp3",
            "b/2.wav",
            "b/c/1.aac",
        ] {
            std::fs::write(folder.path().join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(folder.path(), below.join("round")).unwrap();
        let inputs = of(&[folder.path().to_owned()]).unwrap();
        assert!(inputs.several);
        assert_eq!(
            names(&inputs.all),
            ["a.OPUS", "b/2.wav", "b/c/1.aac", "z.mp3"]
        );
    }

    #[test]
    fn a_folder_without_recordings_is_one_input_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = of(&[folder.path().to_owned()]).unwrap();
        assert_eq!(inputs.all.len(), 1);
        assert!(
            matches!(&inputs.all[0].source, InputSource::Nowhere(reason) if reason.contains("no recording"))
        );
    }

    #[test]
    fn urls_are_recognised_and_displayed_without_secrets() {
        let inputs = of(&["https://example.com/a%20b.mp3?token=s3cret#x".into()]).unwrap();
        assert!(!inputs.several);
        assert_eq!(inputs.all[0].display_name, "https://example.com/a%20b.mp3");
        assert_eq!(names(&inputs.all), ["a b.mp3"]);
        for wrong in [
            "https://",
            "https://me:s3cret@example.com/a.mp3",
            "http://a b/c",
        ] {
            let sentences = of(&[wrong.into()]).err().unwrap();
            assert!(!sentences.concat().contains("s3cret"), "{sentences:?}");
        }
        let inputs = of(&["ftp://example.com/a.mp3".into()]).unwrap();
        assert!(matches!(inputs.all[0].source, InputSource::File(_)));
    }

    #[test]
    fn standard_input_can_be_given_only_once() {
        let inputs = of(&["-".into()]).unwrap();
        assert_eq!(inputs.all[0].source, InputSource::Stdin);
        assert!(of(&["-".into(), "-".into()]).is_err());
    }
}
