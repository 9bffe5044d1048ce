//! One measured run for `cargo xtask bench asr`: the engine, or whisper.cpp without our
//! pipeline, on one file. Prints one JSON object with text, time, memory and stages.
//!
//! `bench_asr engine|plain MODELS FILE greedy|beam`

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};
use slovo_engine::{
    CancelToken, Decoding, Engine, EngineConfig, LanguageChoice, Request, device, media,
};

/// Threads of every engine in the comparison, one per core of the reference machine.
const THREADS: usize = 2;

/// The beam size of the comparison, faster-whisper's default.
const BEAM: u8 = 5;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, models, file, decoding] = arguments.as_slice() else {
        return Err("bench_asr engine|plain MODELS FILE greedy|beam".into());
    };
    let beam = decoding == "beam";
    let started = Instant::now();
    let mut result = match kind.as_str() {
        "engine" => engine(Path::new(models), Path::new(file), beam)?,
        "plain" => plain(Path::new(models), Path::new(file), beam)?,
        other => return Err(format!("unknown kind {other}").into()),
    };
    result["wall"] = json!(started.elapsed().as_secs_f64());
    result["cpu"] = json!(cpu_seconds()?);
    result["peak_bytes"] = json!(peak_bytes()?);
    println!("{result}");
    Ok(())
}

fn engine(models: &Path, file: &Path, beam: bool) -> Result<Value, Failure> {
    let mut config = EngineConfig::new(models.to_owned());
    config.threads = THREADS;
    if beam {
        config.decoding = Decoding::Beam(BEAM);
    }
    let engine = Engine::new(config)?;
    let request = Request {
        language: LanguageChoice::Code("en".to_owned()),
        words: true,
        ..Request::new(PathBuf::from(file))
    };
    let transcript = engine.transcribe(&request, &CancelToken::new(), &mut |_| {})?;
    let stages = engine.stage_times();
    let devices = device::all();
    let device = device::in_use(&devices, engine.config().gpu);
    Ok(json!({
        "segments": transcript.segments,
        "device": device.map(|device| format!("{}: {}", device.name, device.description)),
        "stages": {
            "media": stages.media.as_secs_f64(),
            "vad": stages.vad.as_secs_f64(),
            "mel": stages.mel.as_secs_f64(),
            "encoder": stages.encoder.as_secs_f64(),
            "decoder": stages.decoder.as_secs_f64(),
            "alignment": stages.alignment.as_secs_f64(),
        },
    }))
}

/// Runs whisper.cpp as its own command line does: the whole file in one call, two threads.
fn plain(models: &Path, file: &Path, beam: bool) -> Result<Value, Failure> {
    use whisper_rs::{FullParams, SamplingStrategy, WhisperContext, WhisperContextParameters};
    whisper_rs::install_logging_hooks();
    let mut pcm = media::open(file, None, &media::Limits::default())?;
    let mut samples = Vec::new();
    while let Some(block) = pcm.next_block()? {
        samples.extend_from_slice(&block.samples);
    }
    let mut context = WhisperContextParameters::new();
    context.use_gpu(false).flash_attn(false);
    let model = models.join("ggml-base-q8_0.bin");
    let context = WhisperContext::new_with_params(&model, context)?;
    let mut state = context.create_state()?;
    let mut params = FullParams::new(if beam {
        SamplingStrategy::BeamSearch {
            beam_size: i32::from(BEAM),
            patience: -1.0,
        }
    } else {
        SamplingStrategy::Greedy { best_of: 5 }
    });
    params.set_n_threads(i32::try_from(THREADS)?);
    params.set_language(Some("en"));
    params.set_print_progress(false);
    params.set_print_realtime(false);
    state.full(params, &samples)?;
    let mut segments = Vec::new();
    for segment in state.as_iter() {
        segments.push(json!({
            "start": segment.start_timestamp() as f64 / 100.0,
            "end": segment.end_timestamp() as f64 / 100.0,
            "text": segment.to_str_lossy()?,
        }));
    }
    Ok(json!({ "segments": segments }))
}

/// User plus system CPU time of this process, in seconds.
fn cpu_seconds() -> Result<f64, Failure> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Ok(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
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
