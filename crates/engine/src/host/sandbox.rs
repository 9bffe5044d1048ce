//! What the engine's process may do. It reads models, libraries and ffmpeg, and nothing else that has a
//! name; recordings come to it as open files. It has no network and writes to no file.
//!
//! The kernel enforces it: Landlock (Linux 5.13 and later, see
//! <https://docs.kernel.org/userspace-api/landlock.html>) the files, seccomp the system calls. Programs
//! that it starts inherit both. What this kernel does not support is reported and left out.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::config::EngineConfig;
use crate::device;

/// The newest rules that are asked for; older kernels apply those that they know.
const RULES: ABI = ABI::V6;

/// Programs, libraries, and what the C library and the allocator read about the machine.
const READABLE: [&str; 17] = [
    "/usr",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/self",
    "/sys/devices/system",
    "/sys/fs/cgroup",
];

/// Devices without effects.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/// What a GPU's driver uses; only if the program has a backend for one.
const GPU_DEVICES: &str = "/dev";

/// What it reads.
const GPU_READABLE: [&str; 3] = ["/sys", "/proc", "/etc"];

/// The share of this process in the choice of the kernel when memory runs out, -1000 to 1000: before
/// the server.
const OOM_SCORE: &str = "500";

/// System calls that no run needs: the network, other processes, the system itself, and interfaces of
/// the kernel that were often at fault.
const FORBIDDEN_CALLS: [i64; 30] = [
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_io_uring_setup,
    libc::SYS_open_by_handle_at,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
];

/// Confines this process, which must have a single thread. Returns what could not be done, in words
/// for the log.
pub(super) fn confine(config: &EngineConfig, max_memory: Option<u64>) -> Vec<String> {
    let mut unconfined = Vec::new();
    // Not everywhere is there such a file, and nothing depends on it.
    let _ = std::fs::write("/proc/self/oom_score_adj", OOM_SCORE);
    let limits = [(Resource::Core, Some(0)), (Resource::Data, max_memory)];
    for (resource, limit) in limits {
        if let Some(limit) = limit
            && let Err(error) = lower(resource, limit)
        {
            unconfined.push(format!("the limit of {resource:?}: {error}"));
        }
    }
    match restrict_files(config) {
        Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced) => {}
        Ok(RulesetStatus::NotEnforced) => {
            unconfined.push("files: this kernel has no Landlock".to_owned());
        }
        Err(error) => unconfined.push(format!("files: {error}")),
    }
    if let Err(error) = forbid_calls() {
        unconfined.push(format!("system calls: {error}"));
    }
    unconfined
}

/// Lowers a limit for good.
fn lower(resource: Resource, limit: u64) -> rustix::io::Result<()> {
    let limit = Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    };
    setrlimit(resource, limit)
}

fn restrict_files(config: &EngineConfig) -> Result<RulesetStatus, RulesetError> {
    let read = AccessFs::from_read(RULES);
    let all = AccessFs::from_all(RULES);
    let devices = DEVICES
        .iter()
        .chain(uses_gpu(config).then_some(&GPU_DEVICES));
    let devices = devices.map(|path| (PathBuf::from(path), all));
    let rules = readable(config)
        .into_iter()
        .map(|path| (path, read))
        .chain(devices);
    let mut ruleset = Ruleset::default()
        .handle_access(all)?
        .handle_access(AccessNet::from_all(RULES))?
        .scope(Scope::from_all(RULES))?
        .create()?;
    for (path, access) in rules {
        // What is not there cannot be opened either.
        let Ok(opened) = PathFd::new(&path) else {
            continue;
        };
        let access = if path.is_dir() {
            access
        } else {
            access & AccessFs::from_file(RULES)
        };
        ruleset = ruleset.add_rule(PathBeneath::new(opened, access))?;
    }
    Ok(ruleset.restrict_self()?.ruleset)
}

fn uses_gpu(config: &EngineConfig) -> bool {
    config.gpu.is_some() && !device::backends().is_empty()
}

fn readable(config: &EngineConfig) -> Vec<PathBuf> {
    let mut readable: Vec<_> = READABLE.iter().map(PathBuf::from).collect();
    if uses_gpu(config) {
        readable.extend(GPU_READABLE.iter().map(PathBuf::from));
    }
    readable.push(config.models_dir.clone());
    // Its description is beside it.
    let embedding = config.speaker_embedding.as_deref().and_then(Path::parent);
    readable.extend(embedding.map(Path::to_owned));
    // ffmpeg may be anywhere on the search path.
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    readable.extend(std::env::split_paths(&search_path).filter(|path| path.is_absolute()));
    readable
}

fn forbid_calls() -> Result<(), Box<dyn std::error::Error>> {
    let rules = FORBIDDEN_CALLS
        .iter()
        .map(|call| (*call, Vec::new()))
        .collect();
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        refused,
        std::env::consts::ARCH.try_into()?,
    )?;
    let program: BpfProgram = filter.try_into()?;
    Ok(seccompiler::apply_filter(&program)?)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{ErrorKind, Read};
    use std::net::TcpListener;
    use std::process::Command;

    use super::*;

    /// Runs `test` on a thread that is confined; the rules are those of a thread and its children.
    fn confined(test: impl FnOnce(&Path) + Send) {
        let models = tempfile::tempdir().unwrap();
        std::fs::write(models.path().join("ggml-x.bin"), "a model").unwrap();
        let config = EngineConfig::new(models.path().to_owned());
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                forbid_calls().unwrap();
                if restrict_files(&config).unwrap() == RulesetStatus::NotEnforced {
                    eprintln!("files are not tested: this kernel has no Landlock");
                    return;
                }
                test(models.path());
            });
            thread.join().unwrap();
        });
    }

    #[test]
    fn only_models_and_programs_can_be_read_and_nothing_is_written() {
        let secret = tempfile::NamedTempFile::new().unwrap();
        confined(|models| {
            let denied = |path: &Path| {
                let opened = File::open(path).map_err(|error| error.kind());
                assert_eq!(opened.unwrap_err(), ErrorKind::PermissionDenied, "{path:?}");
            };
            denied(secret.path());
            denied(Path::new("/etc/passwd"));
            denied(&PathBuf::from(format!(
                "/proc/{}/environ",
                std::os::unix::process::parent_id()
            )));
            let mut model = String::new();
            let file = File::open(models.join("ggml-x.bin"));
            file.unwrap().read_to_string(&mut model).unwrap();
            assert_eq!(model, "a model");
            for new in [models.join("new"), std::env::temp_dir().join("new")] {
                let created = File::create(&new).map_err(|error| error.kind());
                assert_eq!(created.unwrap_err(), ErrorKind::PermissionDenied, "{new:?}");
            }
            // As ffmpeg is started.
            assert!(Command::new("true").status().unwrap().success());
            let reads = Command::new("cat").arg(secret.path()).output().unwrap();
            assert!(!reads.status.success());
        });
    }

    #[test]
    fn there_is_no_network() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::scope(|scope| {
            let confined = scope.spawn(|| {
                forbid_calls().unwrap();
                let connected = std::net::TcpStream::connect(address);
                let bound = TcpListener::bind("127.0.0.1:0").map(drop);
                let local = std::os::unix::net::UnixDatagram::unbound().map(drop);
                [connected.map(drop), bound, local].map(|tried| tried.unwrap_err().kind())
            });
            let refusals = confined.join().unwrap();
            assert_eq!(refusals, [ErrorKind::PermissionDenied; 3]);
        });
    }
}
