//! Where each recording's text and results are written: determined and checked before hours of
//! work.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use slovo_export::Format;

use super::inputs::{Input, InputSource, Inputs};
use super::output;

/// The relevant options.
pub struct TargetOptions<'a> {
    /// `--output`.
    pub output: Option<&'a Path>,
    /// `--results`.
    pub results: Option<&'a Path>,
    /// `--format`.
    pub format: Format,
    /// Whether there are results besides the text.
    pub makes: bool,
}

/// Where the output for one recording is written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Target {
    /// File for the text; standard output if `None`.
    pub text: Option<PathBuf>,
    /// File for the results. If `None`, they are part of the JSON, or follow the text on standard
    /// output.
    pub results: Option<PathBuf>,
}

/// A target for each recording.
///
/// # Errors
/// The option that cannot be used, and why.
pub fn of(options: &TargetOptions<'_>, inputs: &Inputs) -> Result<Vec<Target>, String> {
    if let Some(results) = options.results {
        if !options.makes {
            return Err("--results: nothing is made besides the text".to_owned());
        }
        if inputs.several {
            return Err(
                "--results: is for one recording; with --output DIR each has its own file"
                    .to_owned(),
            );
        }
        output::check(results, Path::new(""))
            .map_err(|refusal| format!("--results: {}: {refusal}", results.display()))?;
    }
    let Some(output_path) = options.output else {
        to_stdout(options, inputs.several)?;
        let target = Target {
            text: None,
            results: options.results.map(Path::to_owned),
        };
        return Ok(vec![target; inputs.all.len()]);
    };
    let folder = inputs.several || output_path.is_dir();
    if folder {
        std::fs::create_dir_all(output_path).map_err(|error| {
            let folder = output_path.display();
            format!(
                "--output: {folder}: several recordings need a folder ({})",
                error.kind()
            )
        })?;
    }
    let mut used_paths = HashSet::new();
    let targets = inputs.all.iter().map(|input| {
        let text = if folder {
            unused_path(output_path, input, options.format, &mut used_paths)
        } else {
            output_path.to_owned()
        };
        target(text, input, options)
    });
    targets.collect()
}

/// Checks that standard output can be used.
fn to_stdout(options: &TargetOptions<'_>, several: bool) -> Result<(), String> {
    let name = options.format.name();
    let follows = matches!(options.format, Format::Txt | Format::Md | Format::Json);
    if several && !follows {
        return Err(format!(
            "--format {name}: several recordings need a folder for it (--output DIR)"
        ));
    }
    if options.makes && !follows && options.results.is_none() {
        return Err(format!(
            "--format {name}: what is made besides the text needs a file: \
             --output FILE or --results FILE"
        ));
    }
    Ok(())
}

fn target(text: PathBuf, input: &Input, options: &TargetOptions<'_>) -> Result<Target, String> {
    let refused = |path: &Path, why: String| format!("--output: {}: {why}", path.display());
    if let Some(folder) = text
        .parent()
        .filter(|_| input.name.components().count() > 1)
    {
        std::fs::create_dir_all(folder)
            .map_err(|error| refused(&text, error.kind().to_string()))?;
    }
    let recording = match &input.source {
        InputSource::File(path) => path.as_path(),
        _ => Path::new(""),
    };
    output::check(&text, recording).map_err(|why| refused(&text, why))?;
    let results = match options.results {
        Some(results) => Some(results.to_owned()),
        None if !options.makes || options.format == Format::Json => None,
        // Results cannot be written next to a device.
        None if text.exists() && !text.is_file() => {
            return Err(refused(
                &text,
                "what is made besides the text needs a file of its own (--results FILE)".to_owned(),
            ));
        }
        None => Some(text.with_extension("results.md")),
    };
    Ok(Target {
        text: Some(text),
        results,
    })
}

/// A file name in the folder that is not used for another recording.
fn unused_path(
    folder: &Path,
    input: &Input,
    format: Format,
    used_paths: &mut HashSet<PathBuf>,
) -> PathBuf {
    let extension = format.name();
    let named = |stem: &Path| {
        let mut name = stem.as_os_str().to_owned();
        name.push(".");
        name.push(extension);
        folder.join(name)
    };
    let stem = input.name.with_extension("");
    let numbered = (2..).map(|number| {
        let mut name = stem.clone().into_os_string();
        name.push(format!("-{number}"));
        PathBuf::from(name)
    });
    let mut names = [stem.clone(), input.name.clone()]
        .into_iter()
        .chain(numbered)
        .map(|stem| named(&stem));
    // The numbers never run out.
    let path = names
        .find(|path| !used_paths.contains(path))
        .unwrap_or_default();
    used_paths.insert(path.clone());
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &str) -> Input {
        Input {
            display_name: name.to_owned(),
            name: name.into(),
            source: InputSource::Stdin,
        }
    }

    fn inputs(names: &[&str]) -> Inputs {
        Inputs {
            all: names.iter().map(|name| input(name)).collect(),
            several: names.len() > 1,
        }
    }

    fn options_for(output: Option<&Path>, format: Format, makes: bool) -> TargetOptions<'_> {
        TargetOptions {
            output,
            results: None,
            format,
            makes,
        }
    }

    #[test]
    fn each_recording_gets_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let output_folder = folder.path().join("new");
        let all = inputs(&["a.mp3", "a.wav", "a.mp3", "b/a.mp3", "c"]);
        let targets = of(&options_for(Some(&output_folder), Format::Srt, true), &all).unwrap();
        let texts: Vec<_> = targets
            .iter()
            .map(|target| target.text.clone().unwrap())
            .collect();
        let expected = ["a.srt", "a.wav.srt", "a.mp3.srt", "b/a.srt", "c.srt"];
        assert_eq!(texts, expected.map(|name| output_folder.join(name)));
        assert_eq!(
            targets[1].results,
            Some(output_folder.join("a.wav.results.md"))
        );
        assert!(output_folder.join("b").is_dir());
    }

    #[test]
    fn one_recording_is_written_into_an_existing_folder() {
        let folder = tempfile::tempdir().unwrap();
        let single = inputs(&["talk.mp3"]);
        let targets = of(
            &options_for(Some(folder.path()), Format::Txt, false),
            &single,
        )
        .unwrap();
        let text = Some(folder.path().join("talk.txt"));
        assert_eq!(
            targets,
            [Target {
                text,
                results: None
            }]
        );
    }

    #[test]
    fn results_are_never_written_into_subtitles_tables_or_documents() {
        let single = inputs(&["talk.mp3"]);
        for format in [
            Format::Srt,
            Format::Vtt,
            Format::Csv,
            Format::Docx,
            Format::Pdf,
        ] {
            assert!(
                of(&options_for(None, format, true), &single).is_err(),
                "{format:?}"
            );
            assert!(
                of(&options_for(None, format, false), &single).is_ok(),
                "{format:?}"
            );
            let device = Path::new("/dev/null");
            assert!(
                of(&options_for(Some(device), format, true), &single).is_err(),
                "{format:?}"
            );
        }
        for format in [Format::Txt, Format::Md, Format::Json] {
            assert_eq!(
                of(&options_for(None, format, true), &single).unwrap(),
                [Target::default()]
            );
        }
    }

    #[test]
    fn impossible_targets_are_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let two = inputs(&["a.mp3", "b.mp3"]);
        let refused = of(&options_for(Some(&file), Format::Txt, false), &two).unwrap_err();
        assert!(refused.contains("folder"), "{refused}");
        let refused = of(&options_for(None, Format::Srt, false), &two).unwrap_err();
        assert!(refused.contains("--output DIR"), "{refused}");
        let results = TargetOptions {
            results: Some(&file),
            ..options_for(None, Format::Txt, true)
        };
        assert!(of(&results, &two).unwrap_err().contains("one recording"));
        let nothing = TargetOptions {
            makes: false,
            ..results
        };
        assert!(
            of(&nothing, &inputs(&["a"]))
                .unwrap_err()
                .contains("nothing is made")
        );
    }
}
