//! `cargo xtask bench site`: the public pages under load and for one client, alternating with nginx
//! serving the same bytes from a file, and with the server's shortest response.
//!
//! wrk generates the load: a single C thread that takes 12 µs of processor time per response, from
//! a package of 120 kB without a runtime. oha takes long to build, and autocannon would run Node on
//! the same two cores. Conditions are as in production: log and access log are written, connections
//! are kept alive, gzip is accepted.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::{output, verdict};
use crate::serve::{Program, Server, free_port, fresh_folder};
use crate::setup;
use crate::step::{command, step};

/// Pages per second, on two cores shared with the generator.
const PAGES: f64 = 3000.0;

/// Limit of the 99th percentile for one client, in milliseconds.
const ONE_CLIENT_MS: f64 = 5.0;

/// The requested pages: two that are cached, and one that never is.
const SITE: [&str; 3] = ["/", "/pricing?lang=en", "/status"];

/// The minimal response: the fixed cost of server and machine.
const SHORTEST: &str = "/healthz";

/// Files of the web app are read from the disk.
const FILE: &str = "/favicon.svg";

/// Fresh processes whose first response is measured, for each page.
const FRESH: usize = 5;

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    program: Program,
    /// Seconds of load for each page and round.
    #[arg(long, default_value_t = 4)]
    seconds: u32,
    /// Rounds, in which pages and peers take turns.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Connections of the load.
    #[arg(long, default_value_t = 16)]
    connections: u32,
    /// The peer; without it the machine's. Its Debian package starts a server on port 80, so it
    /// is not installed for this.
    #[arg(long, default_value = "/usr/sbin/nginx")]
    nginx: PathBuf,
}

/// The measurements of wrk.
#[derive(Deserialize)]
struct WrkResult {
    requests: f64,
    microseconds: f64,
    p50: f64,
    p99: f64,
    failed: u64,
}

/// A server under test, and its measurements.
struct Target<'a> {
    server: &'a Server,
    path: &'static str,
    name: String,
    bytes: usize,
    load: Vec<WrkResult>,
    one: Vec<WrkResult>,
    /// Processor time under load, in seconds.
    cpu: f64,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    setup::ensure(&[setup::LOAD])?;
    let program = options.program.path(root)?;
    let firsts = step("First answers of fresh processes", "", || {
        SITE.iter()
            .map(|path| first_answer(root, &program, path))
            .collect::<Result<Vec<_>>>()
    })?;
    let server = Server::slovo(root, &program)?;
    let peer = if options.nginx.is_file() {
        Some(nginx(
            root,
            &options.nginx,
            &server.get(SITE[0], true)?.body,
        )?)
    } else {
        println!("   nginx is not installed: the only peer is the server's own shortest response");
        None
    };
    let mut targets = Vec::new();
    for path in SITE.into_iter().chain([FILE, SHORTEST]) {
        targets.push(Target::new(&server, path, path)?);
    }
    if let Some(peer) = &peer {
        targets.push(Target::new(peer, "/", "nginx, the file of /")?);
    }
    step("Load and one client, in turns", "", || {
        (0..options.rounds.max(1)).try_for_each(|round| {
            // Forward and backward, so that a machine that slows down is fair to all.
            let mut order: Vec<&mut Target> = targets.iter_mut().collect();
            if round % 2 == 1 {
                order.reverse();
            }
            order
                .into_iter()
                .try_for_each(|target| target.measure(root, options))
        })
    })?;
    print(&targets, &firsts);
    Ok(())
}

/// Median time of the first page of a fresh process, in milliseconds.
fn first_answer(root: &Path, program: &Path, path: &str) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..FRESH {
        let server = Server::slovo(root, program)?;
        times.push(server.get(path, true)?.took.as_secs_f64() * 1000.0);
    }
    Ok(median(times))
}

/// nginx with one process that serves these bytes as a gzipped page.
fn nginx(root: &Path, program: &Path, page: &[u8]) -> Result<Server> {
    let port = free_port()?;
    let folder = fresh_folder(root, &format!("nginx-{port}"))?;
    fs::write(folder.join("page"), page)?;
    let mut temporary = String::new();
    for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
        write!(temporary, "{kind}_temp_path {kind}; ")?;
    }
    let config = format!(
        "daemon off; master_process off; pid pid; error_log stderr;\n\
         events {{ worker_connections 256; }}\n\
         http {{ access_log access; default_type text/html; keepalive_requests 100000000; {temporary}\n\
         server {{ listen 127.0.0.1:{port}; location / {{ root .; add_header Content-Encoding gzip; try_files /page =404; }} }} }}\n"
    );
    fs::write(folder.join("config"), config)?;
    let mut serve = command(&folder, program);
    serve
        .args(["-c", "config", "-e", "stderr", "-p"])
        .arg(&folder);
    // It prints nothing if all is well.
    Server::start(&mut serve, port, folder, "")
}

impl<'a> Target<'a> {
    fn new(server: &'a Server, path: &'static str, name: &str) -> Result<Self> {
        let answer = server.get(path, true)?;
        ensure!(
            answer.gzipped || path == SHORTEST || path == FILE,
            "{name} is not gzipped"
        );
        Ok(Self {
            server,
            path,
            name: name.to_owned(),
            bytes: answer.body.len(),
            load: Vec::new(),
            one: Vec::new(),
            cpu: 0.0,
        })
    }

    /// One round: warm-up, measured load, one client.
    fn measure(&mut self, root: &Path, options: &Options) -> Result<()> {
        self.wrk(root, options.connections, 1)?;
        let before = cpu_seconds(self.server.id())?;
        let counted = self.wrk(root, options.connections, options.seconds)?;
        self.cpu += cpu_seconds(self.server.id())? - before;
        self.load.push(counted);
        self.one
            .push(self.wrk(root, 1, options.seconds.div_ceil(2))?);
        Ok(())
    }

    fn wrk(&self, root: &Path, connections: u32, seconds: u32) -> Result<WrkResult> {
        let printed = output(
            command(root, "wrk")
                .args(["--threads", "1"])
                .args(["--connections", &connections.to_string()])
                .args(["--duration", &format!("{seconds}s")])
                .args(["--header", "Accept-Encoding: gzip"])
                .args(["--header", "Accept: text/html"])
                .arg("--script")
                .arg(root.join("crates/xtask/src/bench/site.lua"))
                .arg(format!("http://{}{}", self.server.address, self.path)),
        )?;
        let counted: WrkResult = serde_json::from_str(printed.lines().last().unwrap_or_default())
            .with_context(|| format!("wrk printed no figures: {printed}"))?;
        ensure!(
            counted.failed == 0,
            "{} of {} requests for {} failed",
            counted.failed,
            counted.requests,
            self.name
        );
        Ok(counted)
    }

    fn requests(&self) -> f64 {
        self.load.iter().map(|round| round.requests).sum()
    }

    fn per_second(&self) -> f64 {
        let microseconds: f64 = self.load.iter().map(|round| round.microseconds).sum();
        self.requests() * 1e6 / microseconds
    }

    /// Time of one client in milliseconds, the median over the rounds.
    fn single_client_ms(&self, value: fn(&WrkResult) -> f64) -> f64 {
        median(self.one.iter().map(value).collect()) / 1000.0
    }
}

/// User and system time of a process, in seconds.
fn cpu_seconds(process: u32) -> Result<f64> {
    /// Linux reports these in hundredths of a second, whatever its internal unit.
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, fields) = stat.rsplit_once(')').context("no fields")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / TICKS)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn print(targets: &[Target], firsts: &[f64]) {
    println!(
        "\n{:<24} {:>9} {:>12} {:>10} {:>10} {:>10}",
        "", "bytes", "answers/s", "CPU us", "one: p50", "p99 ms"
    );
    for target in targets {
        println!(
            "{:<24} {:>9} {:>12.0} {:>10.0} {:>10.3} {:>10.3}",
            target.name,
            target.bytes,
            target.per_second(),
            target.cpu * 1e6 / target.requests(),
            target.single_client_ms(|counted| counted.p50),
            target.single_client_ms(|counted| counted.p99),
        );
    }
    let (pages, peers) = targets.split_at(SITE.len());
    println!();
    for page in pages {
        let of_peers: Vec<String> = peers
            .iter()
            .map(|peer| {
                format!(
                    "{:.2} of {}",
                    page.per_second() / peer.per_second(),
                    peer.name
                )
            })
            .collect();
        verdict(
            page.per_second() >= PAGES,
            &format!(
                "{}: {:.0} pages a second (goal {PAGES}); {}",
                page.name,
                page.per_second(),
                of_peers.join(", ")
            ),
        );
    }
    for page in pages {
        let p99 = page.single_client_ms(|counted| counted.p99);
        verdict(
            p99 < ONE_CLIENT_MS,
            &format!(
                "{}: its HTML arrives within {p99:.2} ms in 99 of 100 times, for one client (goal {ONE_CLIENT_MS} ms)",
                page.name
            ),
        );
    }
    for (path, first) in SITE.iter().zip(firsts) {
        println!("          {path}: {first:.2} ms as the first answer of a fresh process");
    }
}
