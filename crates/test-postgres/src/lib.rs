//! A private PostgreSQL server for tests: no port, no password, no durable data.
//!
//! Tests call [`url`]. If `SLOVO_TEST_POSTGRES` names a server, that one is used (`cargo xtask
//! test` starts one with [`Cluster::start`] and sets the variable). Otherwise the test processes of
//! one target folder share a cluster, which the first of them starts.
//!
//! It needs no explicit stop. A small shell process watches the processes that use the cluster, and
//! stops and removes it when the last one has ended, in whatever way: a panic, Ctrl-C, `kill -9`.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};

/// The variable that names a server to use instead of starting one.
pub const VARIABLE: &str = "SLOVO_TEST_POSTGRES";

/// Settings of a cluster whose data need not survive.
const SETTINGS: &[&str] = &[
    "listen_addresses=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    // Autovacuum would keep a template database busy while a test's database is copied from it.
    "autovacuum=off",
    "max_connections=200",
    "shared_buffers=64MB",
    // The log of changes stays small enough for a file system in memory.
    "max_wal_size=256MB",
];

/// Stops the cluster in folder `$1` with a fast shutdown, which disconnects all clients.
const STOP: &str = r#"
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -INT "$pid"
tries=0
while [ -e "$1/data/postmaster.pid" ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
rm -rf "$1"
"#;

/// A running cluster; it is stopped and removed when this is dropped or the process ends.
pub struct Cluster {
    url: String,
    server: Server,
    watcher: Child,
}

impl Cluster {
    /// Starts a new cluster in a temporary folder. Takes a second or two.
    ///
    /// # Errors
    /// Names the missing package, or contains the message of `initdb` or the server.
    pub fn start() -> Result<Self> {
        Self::start_with(&[])
    }

    /// [`Cluster::start`], for tests that call [`Cluster::crash`]: what is committed survives it.
    ///
    /// # Errors
    /// As [`Cluster::start`].
    pub fn start_durable() -> Result<Self> {
        Self::start_with(&["synchronous_commit=on"])
    }

    fn start_with(settings: &[&str]) -> Result<Self> {
        let server = create(settings)?;
        // Its standard input is closed when this process ends.
        let watcher = shell(&format!("read -r _; {STOP}"), &[&server.folder])
            .stdin(Stdio::piped())
            .spawn()
            .context("cannot start a shell that watches PostgreSQL")?;
        Ok(Self {
            url: url_of(&server.folder),
            server,
            watcher,
        })
    }

    /// The connection address of its owner.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends the server in the middle of everything; it recovers at its next start.
    ///
    /// # Errors
    /// If it does not run.
    pub fn crash(&self) -> Result<()> {
        self.server
            .run("pg_ctl", &["-s", "-w", "-m", "immediate", "stop"])
    }

    /// Starts it again after [`Cluster::crash`], with the same data.
    ///
    /// # Errors
    /// Contains the message of the server.
    pub fn restart(&self) -> Result<()> {
        self.server.start()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        self.watcher.wait().ok();
    }
}

/// The PostgreSQL address for the tests of this process; starts a server if necessary.
///
/// # Panics
/// If no server can be started: tests on PostgreSQL are never skipped.
pub fn url() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    URL.get_or_init(|| match std::env::var(VARIABLE) {
        Ok(url) if !url.is_empty() => url,
        _ => match shared() {
            Ok(url) => url,
            Err(error) => panic!("no PostgreSQL for the tests: {error:#}"),
        },
    })
}

/// The cluster that all test processes of this target folder share.
fn shared() -> Result<String> {
    let program = std::env::current_exe()?;
    let state = program
        .parent()
        .context("a test has no folder")?
        .join("slovo-test-postgres");
    fs::create_dir_all(&state)?;
    // Held as a shared lock until this process ends; a process that gets it exclusively knows that
    // no users are left.
    let users = File::create(state.join("users.lock"))?;
    users.lock_shared()?;
    std::mem::forget(users);
    let starting = File::create(state.join("starting.lock"))?;
    starting.lock()?;
    let marker = state.join("folder");
    if let Ok(folder) = fs::read_to_string(&marker).map(PathBuf::from)
        && std::os::unix::net::UnixStream::connect(folder.join(".s.PGSQL.5432")).is_ok()
    {
        return Ok(url_of(&folder));
    }
    let folder = create(&[])?.folder;
    fs::write(&marker, folder.as_os_str().as_encoded_bytes())?;
    let watch = format!(
        r#"while sleep 5; do
             if flock -n 9; then {STOP} exit; fi
           done 9>"$2/users.lock""#
    );
    shell(&watch, &[&folder, &state])
        .stdin(Stdio::null())
        .spawn()
        .context("cannot start a shell that watches PostgreSQL")?;
    Ok(url_of(&folder))
}

fn url_of(folder: &Path) -> String {
    format!(
        "postgres://slovo@localhost/postgres?host={}",
        folder.display()
    )
}

/// A shell script that survives this process and a Ctrl-C in its terminal.
fn shell(script: &str, arguments: &[&Path]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).args(arguments);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    command
}

/// A cluster's programs and its folder, which contains its socket.
struct Server {
    folder: PathBuf,
    binaries: PathBuf,
    /// User and group that it runs as, if not those of this process.
    owner: Option<(u32, u32)>,
    /// Options of the server program.
    options: String,
}

impl Server {
    /// Runs one of the programs on the cluster's data, and waits for it.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(self.binaries.join(program));
        command
            .arg("-D")
            .arg(self.folder.join("data"))
            .args(arguments)
            .current_dir(&self.folder)
            .process_group(0);
        command
            .env_remove("LC_ALL")
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null());
        if let Some((user, group)) = self.owner {
            command.uid(user).gid(group);
        }
        let output = command
            .output()
            .with_context(|| format!("cannot start {program}"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            bail!("{program} failed: {message}{log}");
        }
        Ok(())
    }

    fn start(&self) -> Result<()> {
        let log = self.folder.join("log");
        let log = log
            .to_str()
            .context("the temporary folder's name is not text")?;
        let start = [
            "-s",
            "-w",
            "-t",
            "60",
            "-l",
            log,
            "-o",
            &self.options,
            "start",
        ];
        self.run("pg_ctl", &start)
    }
}

/// Creates and starts a cluster. `settings` take precedence over [`SETTINGS`].
fn create(settings: &[&str]) -> Result<Server> {
    let binaries = binaries()?;
    let owner = owner()?;
    // Short, because a socket's path has at most 107 bytes.
    let folder = tempfile::Builder::new()
        .prefix("slovo-pg-")
        .tempdir_in(parent_folder())?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700))?;
    if let Some((user, group)) = owner {
        chown(folder.path(), Some(user), Some(group))?;
    }
    let mut options = format!("-k {}", folder.path().display());
    for setting in SETTINGS.iter().chain(settings) {
        options.push_str(&format!(" -c {setting}"));
    }
    let mut server = Server {
        folder: folder.path().to_owned(),
        binaries,
        owner,
        options,
    };
    server.run(
        "initdb",
        &[
            "-U",
            "slovo",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
        ],
    )?;
    server.start()?;
    server.folder = folder.keep();
    Ok(server)
}

/// Linux's file system in memory.
const MEMORY: &str = "/dev/shm";

/// Free space that the cluster needs in memory, in bytes: a dozen databases of 11 MB at a time and
/// the log of changes, several times over.
const ENOUGH_MEMORY: u64 = 2 << 30;

/// Where the cluster's folder is created: in memory if there is room. Each database of a test is
/// some 700 small files, and creating them on a disk with ext4 takes 5 to 15 times as much processor
/// time.
fn parent_folder() -> PathBuf {
    let has_room = rustix::fs::statvfs(MEMORY)
        .is_ok_and(|system| system.f_bavail.saturating_mul(system.f_frsize) >= ENOUGH_MEMORY);
    let is_writable = || rustix::fs::access(MEMORY, rustix::fs::Access::WRITE_OK).is_ok();
    if has_room && is_writable() {
        PathBuf::from(MEMORY)
    } else {
        std::env::temp_dir()
    }
}

/// The folder with the programs of the newest PostgreSQL version.
fn binaries() -> Result<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for entry in fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
    {
        let version = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        found.extend(version.map(|version| (version, entry.path().join("bin"))));
    }
    found.sort();
    let on_path = std::env::var_os("PATH");
    let on_path = on_path.iter().flat_map(std::env::split_paths);
    let mut candidates = found.into_iter().rev().map(|(_, path)| path).chain(on_path);
    candidates
        .find(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file())
        .context("initdb is not installed; on Debian it comes with the package `postgresql`")
}

/// The user and group that the server runs as if this process is root, because PostgreSQL refuses
/// to run as root.
fn owner() -> Result<Option<(u32, u32)>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").context("cannot read the list of users")?;
    let ids = |expected: &str| {
        users.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            let (user, group) = (fields.nth(1)?, fields.next()?);
            (name == expected).then_some((user.parse().ok()?, group.parse().ok()?))
        })
    };
    match ids("postgres").or_else(|| ids("nobody")) {
        Some(ids) => Ok(Some(ids)),
        None => bail!("root cannot run PostgreSQL and there is no user `postgres` or `nobody`"),
    }
}

/// The README's example is compiled by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crashed_cluster_starts_again() {
        let cluster = Cluster::start_durable().unwrap();
        let folder = PathBuf::from(cluster.url().split_once("host=").unwrap().1);
        let answers =
            || std::os::unix::net::UnixStream::connect(folder.join(".s.PGSQL.5432")).is_ok();
        cluster.crash().unwrap();
        assert!(!answers());
        cluster.restart().unwrap();
        assert!(answers());
    }

    #[test]
    fn a_cluster_accepts_connections_and_is_removed_when_dropped() {
        let cluster = Cluster::start().unwrap();
        let folder = PathBuf::from(cluster.url().split_once("host=").unwrap().1);
        assert!(std::os::unix::net::UnixStream::connect(folder.join(".s.PGSQL.5432")).is_ok());
        drop(cluster);
        assert!(!folder.exists());
    }
}
