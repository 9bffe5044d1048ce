//! Web processes and workers that are killed now and then, with their database and their storage.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::rngs::StdRng;
use rustix::process::Signal;
use slovo_test_postgres::Cluster;

use super::line::Line;
use super::object_store::ObjectStore;
use super::program::{Program, TIMEOUT};
use super::temporal_server::TemporalServer;

const WEBS: usize = 2;
/// The queues of the workers.
const WORKERS: [&str; 3] = [
    "recognition",
    "recognition,analysis",
    "analysis,download,delivery",
];

/// An object store, and the networks to it and to the database.
struct Shared {
    store: Mutex<ObjectStore>,
    variables: Vec<(&'static str, String)>,
    to_store: Line,
    to_database: Line,
}

/// The database, and where recordings are.
struct Base {
    folder: tempfile::TempDir,
    cluster: Cluster,
    /// How processes find the database.
    database: String,
    /// `None` if they have a folder in common.
    shared: Option<Shared>,
    /// `None` if the database drives the work.
    temporal: Option<Mutex<TemporalServer>>,
}

/// The processes, and what is killed of them.
pub struct World {
    base: Base,
    webs: [RwLock<Program>; WEBS],
    workers: [Mutex<Program>; WORKERS.len()],
    is_over: AtomicBool,
    kills: Mutex<BTreeMap<&'static str, usize>>,
}

impl Base {
    /// The folder of a process.
    fn place(&self, name: &str) -> PathBuf {
        let folder = match &self.shared {
            None => self.folder.path().to_owned(),
            Some(_) => self.folder.path().join(name),
        };
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        let shared = self.shared.iter();
        let mut variables: Vec<_> = shared.flat_map(|shared| shared.variables.clone()).collect();
        if let Some(temporal) = &self.temporal {
            variables.extend(temporal.lock().unwrap().variables());
        }
        variables
    }

    fn start_web(&self, number: usize, run: &str) -> Program {
        let place = self.place(&format!("web-{number}"));
        let variables = self.variables();
        Program::start_web_with(&place, Some(&self.database), run, &borrowed(&variables))
    }

    fn start_worker(&self, number: usize, run: &str) -> Program {
        let (place, queues) = (self.place(&format!("worker-{number}")), WORKERS[number]);
        let variables = self.variables();
        let variables = borrowed(&variables);
        Program::start_work_with(&place, Some(&self.database), run, queues, &variables)
    }
}

fn borrowed<'a>(variables: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    let variables = variables.iter();
    variables.map(|(name, value)| (*name, &**value)).collect()
}

impl World {
    /// All processes have one data folder.
    pub fn with_a_folder() -> Self {
        let cluster = Cluster::start_durable().unwrap();
        Self::start(Base {
            folder: tempfile::tempdir().unwrap(),
            database: cluster.url().to_owned(),
            cluster,
            shared: None,
            temporal: None,
        })
    }

    /// All processes have one data folder, and Temporal drives them; `None` if it is not there.
    pub fn with_temporal() -> Option<Self> {
        let temporal = TemporalServer::start()?;
        let cluster = Cluster::start_durable().unwrap();
        Some(Self::start(Base {
            folder: tempfile::tempdir().unwrap(),
            database: cluster.url().to_owned(),
            cluster,
            shared: None,
            temporal: Some(Mutex::new(temporal)),
        }))
    }

    /// Each process has a data folder of its own; `None` if there is no object store.
    pub fn with_an_object_store() -> Option<Self> {
        let store = ObjectStore::start().filter(ObjectStore::is_complete)?;
        let cluster = Cluster::start_durable().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (server, sockets) = cluster.url().split_once("?host=").unwrap();
        let socket = std::path::Path::new(sockets).join(SOCKET);
        let to_database = Line::to_socket(&socket, &folder.path().join(SOCKET));
        let database = format!("{server}?host={}", folder.path().display());
        let (to_store, address) = Line::to_address(store.address());
        let mut variables = store.variables("slovo");
        variables.push(("AWS_ENDPOINT_URL", format!("http://{address}")));
        Some(Self::start(Base {
            folder,
            cluster,
            database,
            shared: Some(Shared {
                store: Mutex::new(store),
                variables,
                to_store,
                to_database,
            }),
            temporal: None,
        }))
    }

    fn start(base: Base) -> Self {
        Self {
            webs: std::array::from_fn(|number| {
                RwLock::new(base.start_web(number, &format!("web-{number}")))
            }),
            workers: std::array::from_fn(|number| {
                Mutex::new(base.start_worker(number, &format!("worker-{number}")))
            }),
            base,
            is_over: AtomicBool::new(false),
            kills: Mutex::default(),
        }
    }

    /// One of the web processes.
    pub fn web(&self, random: &mut StdRng) -> RwLockReadGuard<'_, Program> {
        self.web_of(random.random_range(0..WEBS))
    }

    /// The web process with this number.
    pub fn web_of(&self, number: usize) -> RwLockReadGuard<'_, Program> {
        let web = self.webs[number].read();
        web.unwrap_or_else(PoisonError::into_inner)
    }

    /// How often what was killed.
    pub fn kills(&self) -> BTreeMap<&'static str, usize> {
        self.kills.lock().unwrap().clone()
    }

    /// Ends [`World::break_things`].
    pub fn end_breaking(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Stops all processes.
    pub fn terminate(&self) {
        for web in &self.webs {
            web.read().unwrap().signal(Signal::TERM);
        }
        for worker in &self.workers {
            worker.lock().unwrap().signal(Signal::TERM);
        }
    }

    /// Kills something now and then until it is over.
    pub fn break_things(&self, outage: Duration, random: &mut StdRng) {
        let mut round = 0;
        std::thread::sleep(Duration::from_secs(1));
        self.crash_database(outage);
        while !self.is_over.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(random.random_range(200..2_000)));
            round += 1;
            let short = Duration::from_millis(random.random_range(0..2_000));
            let faults = match (&self.base.shared, &self.base.temporal) {
                (None, None) => 5,
                (None, Some(_)) => 6,
                (Some(_), _) => 10,
            };
            let what = match random.random_range(0..faults) {
                0 => self.kill_web(random.random_range(0..WEBS), round),
                1 => self.kill_worker(random.random_range(0..WORKERS.len()), round),
                2 => self.kill_engine(random.random_range(0..WORKERS.len())),
                3 => self.pause_worker(random.random_range(0..WORKERS.len()), short),
                4 => self.crash_database(short),
                other => self.break_shared(other, short),
            };
            *self.kills.lock().unwrap().entry(what).or_default() += 1;
        }
    }

    fn kill_web(&self, number: usize, round: usize) -> &'static str {
        let web = &self.webs[number];
        // Whoever is just asking it gets no answer.
        web.read().unwrap().kill_now();
        let mut web = web.write().unwrap();
        *web = self
            .base
            .start_web(number, &format!("web-{number}-{round}"));
        "web"
    }

    fn kill_worker(&self, number: usize, round: usize) -> &'static str {
        let mut worker = self.workers[number].lock().unwrap();
        worker.kill_now();
        let run = format!("worker-{number}-{round}");
        *worker = self.base.start_worker(number, &run);
        "worker"
    }

    fn kill_engine(&self, number: usize) -> &'static str {
        let worker = self.workers[number].lock().unwrap().id().to_string();
        // There is none while nothing is recognised.
        let killed = Command::new("pkill")
            .args(["-KILL", "-P", &worker])
            .status();
        match killed.unwrap().success() {
            true => "engine",
            false => "no engine",
        }
    }

    /// As a machine that is overloaded or suspended, or whose network is cut.
    fn pause_worker(&self, number: usize, pause: Duration) -> &'static str {
        let worker = self.workers[number].lock().unwrap();
        worker.signal(Signal::STOP);
        std::thread::sleep(pause);
        worker.signal(Signal::CONT);
        "pause"
    }

    fn crash_database(&self, away: Duration) -> &'static str {
        self.base.cluster.crash().unwrap();
        std::thread::sleep(away);
        self.base.cluster.restart().unwrap();
        "PostgreSQL"
    }

    /// Breaks what machines have in common.
    fn break_shared(&self, what: usize, time: Duration) -> &'static str {
        if let Some(temporal) = &self.base.temporal {
            let mut temporal = temporal.lock().unwrap();
            temporal.kill();
            std::thread::sleep(time);
            temporal.run();
            return "Temporal";
        }
        let Some(shared) = &self.base.shared else {
            return "nothing";
        };
        match what {
            5 => {
                let mut store = shared.store.lock().unwrap();
                store.kill();
                std::thread::sleep(time);
                store.run();
                "object store"
            }
            6 => {
                shared.to_store.cut(time);
                "network to the store cut"
            }
            7 => {
                shared.to_store.slow_down(time * 2);
                "network to the store slow"
            }
            8 => {
                shared.to_database.cut(time);
                "network to the database cut"
            }
            _ => {
                shared.to_database.slow_down(time * 2);
                "network to the database slow"
            }
        }
    }

    /// The recordings of the remaining jobs are there, and no other: what deletions and killed
    /// processes left is removed at the latest when a process starts.
    pub fn assert_no_other_files(&self, jobs: usize) {
        self.kill_web(0, usize::MAX);
        let started = Instant::now();
        loop {
            let found = self.recordings();
            if found.len() == jobs {
                return;
            }
            assert!(started.elapsed() < TIMEOUT, "{jobs} jobs, but {found:#?}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Temporal has no workflow any more, except for schedules.
    pub fn assert_no_workflows(&self) {
        if let Some(temporal) = &self.base.temporal {
            temporal.lock().unwrap().assert_no_running_jobs();
        }
    }

    /// The names of all files or objects, but for the mark of the storage.
    fn recordings(&self) -> Vec<String> {
        if let Some(shared) = &self.base.shared {
            let mut keys = shared.store.lock().unwrap().keys();
            keys.retain(|key| key != "slovo/installation");
            return keys;
        }
        let media = self.web_of(0).data().join("media");
        let entries = std::fs::read_dir(media).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    }
}

/// The name of PostgreSQL's socket.
const SOCKET: &str = ".s.PGSQL.5432";
