//! Output of the text: to standard output, or to a file that appears only when it is complete.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use serde_json::Value;
use slovo_export::{Error, Extras, Format, Options, Source};

/// Writes to standard output. A closed pipe (`| head`) is not an error.
pub fn to_stdout(
    format: Format,
    options: Options,
    content: (Source<'_>, Extras<'_>),
    analyses: Option<Value>,
) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write_document(format, options, content, analyses, &mut out) {
        Err(Error::Io(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Writes more to standard output after the text.
pub fn append_to_stdout(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// The text in its format; in JSON, `analyses` become a field.
fn write_document(
    format: Format,
    options: Options,
    (source, extras): (Source<'_>, Extras<'_>),
    analyses: Option<Value>,
    out: &mut impl Write,
) -> Result<(), Error> {
    let Some(analyses) = analyses else {
        slovo_export::write_with(format, source, options, extras, out)?;
        return Ok(out.flush()?);
    };
    let mut text = Vec::new();
    slovo_export::write_with(format, source, options, extras, &mut text)?;
    let mut document: Value = serde_json::from_slice(&text).map_err(io::Error::other)?;
    document["analyses"] = analyses;
    serde_json::to_writer_pretty(&mut *out, &document).map_err(io::Error::other)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Checks that the text can be written to `path`, before hours of work.
///
/// # Errors
/// The reason, to be printed after the path.
pub fn check(path: &Path, input: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err("that is a folder; name a file".to_owned());
    }
    let same = |first: &Path, second: &Path| {
        Some(first.canonicalize().ok()? == second.canonicalize().ok()?)
    };
    if same(path, input) == Some(true) {
        return Err("that is the recording itself".to_owned());
    }
    if path.exists() && !path.is_file() {
        return Ok(());
    }
    tempfile::Builder::new()
        .prefix(".slovo-")
        .tempfile_in(folder_of(path))
        .map(drop)
        .map_err(|error| format!("nothing can be written there ({})", error.kind()))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes the text to a file.
pub fn to_file(
    path: &Path,
    format: Format,
    options: Options,
    content: (Source<'_>, Extras<'_>),
    analyses: Option<Value>,
) -> Result<(), Error> {
    replace(path, |out| {
        write_document(format, options, content, analyses, out)
    })
}

/// Writes the analyses to a file of their own.
pub fn results_to_file(path: &Path, text: &str) -> io::Result<()> {
    replace(path, |out| {
        out.write_all(text.as_bytes())?;
        out.flush()
    })
}

/// Writes a temporary file and renames it at the end, so that the file is never incomplete.
fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut std::fs::File>) -> Result<(), E>,
) -> Result<(), E> {
    // A terminal, pipe or /dev/null cannot be replaced by a file and need not be.
    if path.exists() && !path.is_file() {
        let mut device = std::fs::OpenOptions::new().write(true).open(path)?;
        return write(&mut BufWriter::new(&mut device));
    }
    let mut file = tempfile::Builder::new()
        .prefix(".slovo-")
        .tempfile_in(folder_of(path))?;
    write(&mut BufWriter::new(file.as_file_mut()))?;
    file.as_file().sync_all()?;
    readable_as_usual(file.as_file())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Temporary files are readable by their owner only; the final file gets the usual permissions
/// (umask).
fn readable_as_usual(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let mask = rustix::process::umask(rustix::fs::Mode::empty());
    rustix::process::umask(mask);
    file.set_permissions(std::fs::Permissions::from_mode(0o666 & !mask.bits()))
}

#[cfg(test)]
mod tests {
    use slovo_rules::edit::EditedTranscript;
    use slovo_rules::settings::TranscriptionType;
    use slovo_rules::transcript::Transcript;

    use super::*;

    fn transcript() -> EditedTranscript {
        slovo_export::unedited(Transcript {
            language: "en".into(),
            duration: 1.0,
            mode: TranscriptionType::Full,
            model: "base".into(),
            segments: Vec::new(),
            warnings: Vec::new(),
            removed: Vec::new(),
        })
    }

    fn source(transcript: &EditedTranscript) -> (Source<'_>, Extras<'_>) {
        let source = Source {
            title: "",
            date: None,
            transcript,
        };
        (source, Extras::default())
    }

    #[test]
    fn a_file_is_replaced_completely_without_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text.vtt");
        std::fs::write(&path, "old").unwrap();
        to_file(
            &path,
            Format::Vtt,
            Format::Vtt.defaults(),
            source(&transcript()),
            None,
        )
        .unwrap();
        assert!(
            std::fs::read_to_string(&path)
                .unwrap()
                .starts_with("WEBVTT")
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/text.txt");
        assert!(
            to_file(
                &path,
                Format::Txt,
                Format::Txt.defaults(),
                source(&transcript()),
                None
            )
            .is_err()
        );
    }

    #[test]
    fn unwritable_targets_are_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("talk.mp3");
        std::fs::write(&input, "sound").unwrap();
        let refused = |path: &Path| check(path, &input).unwrap_err();
        assert!(refused(folder.path()).contains("folder"));
        assert!(refused(&folder.path().join("./talk.mp3")).contains("recording"));
        assert!(refused(&folder.path().join("missing/text.txt")).contains("not found"));
        check(&folder.path().join("text.txt"), &input).unwrap();
        check(Path::new("/dev/null"), &input).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_device_is_written_to_and_stays_a_device() {
        to_file(
            Path::new("/dev/null"),
            Format::Json,
            Format::Json.defaults(),
            source(&transcript()),
            None,
        )
        .unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}
