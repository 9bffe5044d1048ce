//! One measured run for `cargo xtask bench diarization`: prints one JSON object with the
//! turns, time and memory.
//!
//! `bench_diarization MODELS FILE [SPEAKERS]`

use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;
use slovo_engine::speakers::{SpeakerCount, SpeakersRequest};
use slovo_engine::{CancelToken, Engine, EngineConfig};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (models, file, count) = match arguments.as_slice() {
        [models, file] => (models, file, SpeakerCount::Found),
        [models, file, count] => (models, file, SpeakerCount::Exactly(count.parse()?)),
        _ => return Err("bench_diarization MODELS FILE [SPEAKERS]".into()),
    };
    let engine = Engine::new(EngineConfig::new(PathBuf::from(models)))?;
    let request = SpeakersRequest {
        input: PathBuf::from(file),
        audio_track: None,
        count,
    };
    let started = Instant::now();
    let turns = engine.speakers(&request, &CancelToken::new(), &mut |_| {})?;
    let turns: Vec<_> = turns
        .iter()
        .map(|turn| json!({"start": turn.start, "end": turn.end, "speaker": turn.speaker}))
        .collect();
    let result = json!({
        "turns": turns,
        "wall": started.elapsed().as_secs_f64(),
        "cpu": cpu_seconds(),
        "peak_bytes": peak_bytes()?,
    });
    println!("{result}");
    Ok(())
}

/// User plus system CPU time of this process, in seconds.
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Peak resident memory of this process in bytes.
fn peak_bytes() -> Result<u64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .ok_or("no VmHWM in /proc/self/status")?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes * 1024)
}
