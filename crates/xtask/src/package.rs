//! `cargo xtask package`: the Debian package. `cargo xtask test debian` installs it in a fresh system.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::cargo::{run_cargo, target_folder};
use crate::step::{command, execute, fetch, step};
use crate::{setup, up};

/// Makes the package from what `cargo build` has built.
const CARGO_DEB: &str = "cargo-deb@3.8.0";

/// A system without anything that the package does not bring: mmdebstrap makes it, chroot enters it.
const TEST: &[setup::Requirement] = &[setup::need(
    "mmdebstrap",
    "mmdebstrap",
    "makes a fresh system in which the package is installed",
)];

/// Builds the package; returns its path.
pub fn build(root: &Path) -> Result<PathBuf> {
    up::prepare(root)?;
    let build = [
        "build",
        "--release",
        "--locked",
        "--package",
        "slovo-server",
        "--features",
        "slovo-server/embedded-web",
    ];
    step(
        "Building the server (release)",
        "the compiler's message above names the cause",
        || run_cargo(root, &build),
    )?;
    let target = target_folder(root);
    let made = target.join("package");
    step("Manual pages and completions", "", || {
        execute(
            command(root, target.join("release/slovo"))
                .arg("manuals")
                .arg(&made),
        )
    })?;
    step("Debian package", "", || {
        let tools = target.join("tools");
        if !tools.join("bin/cargo-deb").is_file() {
            let mut install = command(root, "cargo");
            install.args(["install", "--locked", "--quiet", CARGO_DEB, "--root"]);
            fetch(install.arg(&tools))?;
        }
        let mut deb = command(root, tools.join("bin/cargo-deb"));
        deb.args(["--package", "slovo-server", "--no-build", "--output"])
            .arg(&made);
        execute(&mut deb)
    })?;
    package_in(&made)
}

fn package_in(folder: &Path) -> Result<PathBuf> {
    let files = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let newest = files
        .filter(|file| file.extension().is_some_and(|ending| ending == "deb"))
        .max_by_key(|file| fs::metadata(file).and_then(|found| found.modified()).ok());
    newest.context("cargo-deb has made no package")
}

/// Installs the package in a fresh system, transcribes there, and serves a page.
pub fn test(root: &Path) -> Result<()> {
    step("Requirements of the test", "", || setup::ensure(&[TEST]))?;
    let package = build(root)?;
    let system = target_folder(root).join("package/system");
    let inside = Inside {
        root,
        system: &system,
    };
    step(
        "A fresh Debian",
        "this needs root and Debian's mirror",
        || {
            if system.exists() {
                fs::remove_dir_all(&system)?;
            }
            let mut make = command(root, "mmdebstrap");
            make.args(["--variant=apt", "--quiet", "bookworm"])
                .arg(&system);
            fetch(make.args(sources()?))
        },
    )?;
    step("Installing the package there", "", || {
        fs::copy(&package, system.join("slovo.deb"))?;
        fs::copy("/etc/resolv.conf", system.join("etc/resolv.conf"))?;
        execute(&mut inside.run(&["apt-get", "update", "--quiet"]))?;
        let mut install = inside.run(&["apt-get", "install", "--yes", "--no-install-recommends"]);
        // Services are not started in a folder.
        install
            .env("DEBIAN_FRONTEND", "noninteractive")
            .arg("/slovo.deb");
        execute(&mut install)
    })?;
    step("From nothing to a transcript", "", || transcribe(&inside))?;
    step("A server there", "", || serve(&inside))
}

/// The lists of packages of this system, which know its mirror.
fn sources() -> Result<Vec<PathBuf>> {
    let mut lists = vec![PathBuf::from("/etc/apt/sources.list")];
    if let Ok(entries) = fs::read_dir("/etc/apt/sources.list.d") {
        lists.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    lists.retain(|list| fs::read_to_string(list).is_ok_and(|text| text.contains("deb")));
    ensure!(!lists.is_empty(), "this system has no list of packages");
    Ok(lists)
}

/// A system in a folder.
struct Inside<'a> {
    root: &'a Path,
    system: &'a Path,
}

impl Inside<'_> {
    fn run(&self, arguments: &[&str]) -> std::process::Command {
        let mut inside = command(self.root, "chroot");
        inside.arg(self.system).args(arguments);
        inside
    }
}

/// The default models, which would be downloaded, are copied from this machine.
fn transcribe(inside: &Inside<'_>) -> Result<()> {
    let models = std::env::var_os("SLOVO_MODELS").map(PathBuf::from);
    let at_home =
        || Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/share/slovo/models"));
    let models = models.or_else(at_home).context("there is no home folder")?;
    let theirs = inside.system.join("var/lib/slovo/models");
    for entry in fs::read_dir(&models)? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, theirs.join(name))?;
        }
    }
    execute(&mut inside.run(&["chown", "-R", "slovo:slovo", "/var/lib/slovo/models"]))?;
    fs::copy(PROMPT, inside.system.join("tmp/recording.wav"))?;
    let script = "export SLOVO_MODELS=/var/lib/slovo/models SLOVO_DATA=/var/lib/slovo/data; slovo transcribe /tmp/recording.wav \
                  --language en | grep -i congratulations && slovo doctor";
    execute(&mut inside.run(&["sh", "-c", script]))
}

/// The public page, the app and a script of it, from the program alone.
fn serve(inside: &Inside<'_>) -> Result<()> {
    fs::write(inside.system.join("tmp/serve.sh"), SERVE)?;
    execute(&mut inside.run(&["sh", "/tmp/serve.sh"]))
}

/// A prompt that begins with “Congratulations”.
const PROMPT: &str = "/usr/share/asterisk/sounds/en_US_f_Allison/demo-congrats.wav";

/// bash opens connections itself, so that nothing has to be installed.
const SERVE: &str = r#"set -e
test "$(stat -c %U:%a /var/lib/slovo/data)" = slovo:700
test "$(stat -c %a /etc/slovo/slovo.env)" = 600
export SLOVO_PORT=18787 SLOVO_DATA=/var/lib/slovo/data SLOVO_MODELS=/var/lib/slovo/models
setpriv --reuid=slovo --regid=slovo --clear-groups slovo serve > /tmp/log 2>&1 &
for _ in $(seq 300); do grep -q "Slovo is at" /tmp/log && break; sleep 0.1; done
get() { bash -c "exec 3<>/dev/tcp/127.0.0.1/18787; printf 'GET $1 HTTP/1.0
Host: x

' >&3; cat <&3"; }
get / | grep -q "Slovo"
get /login > /tmp/page
grep -q "200 OK" /tmp/page
script=$(grep -o '/assets/[^"]*\.js' /tmp/page | head -1)
get "$script" | head -1 | grep -q "200 OK"
get /healthz | grep -q '"status":"ok"'
kill $!
wait
test -f /usr/share/man/man1/slovo.1.gz
test -f /usr/share/bash-completion/completions/slovo
apt-get remove --yes --quiet slovo > /dev/null
test ! -e /usr/bin/slovo
test -f /var/lib/slovo/data/slovo.db
"#;
