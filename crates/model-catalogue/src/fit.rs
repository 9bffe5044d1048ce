//! Estimates the memory and time needs of a model and compares them with this machine.
//!
//! The estimates are based on the network's dimensions and two measurements: a state of the base
//! model takes 173 MB, one of tiny.en 127 MB; base takes 76 CPU seconds for 443 s of speech on one
//! x86-64 core.

use super::catalogue::{Kind, Model};
use super::shape::{AUDIO_CONTEXT, Shape, TEXT_CONTEXT};

/// The resources of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineResources {
    /// Memory limit of this process in bytes: the machine's memory, or the container's limit if
    /// that is lower.
    pub memory: u64,
    /// The part of it that is free now, in bytes.
    pub available: u64,
    /// Processor cores.
    pub cores: usize,
}

impl MachineResources {
    /// Measures this machine; `None` if the system does not provide the figures.
    #[must_use]
    pub fn this() -> Option<Self> {
        let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
        let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::read(&meminfo, limit.as_deref(), cores)
    }

    fn read(meminfo: &str, limit: Option<&str>, cores: usize) -> Option<Self> {
        let field = |name: &str| -> Option<u64> {
            let row = meminfo.lines().find_map(|row| row.strip_prefix(name))?;
            let kibibytes: u64 = row
                .trim_start_matches(':')
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse()
                .ok()?;
            kibibytes.checked_mul(1024)
        };
        let limit = limit
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(u64::MAX);
        Some(Self {
            memory: field("MemTotal")?.min(limit),
            available: field("MemAvailable")?.min(limit),
            cores,
        })
    }
}

/// Whether a model fits the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It fits into the free memory.
    Fits,
    /// The machine has enough memory, but too little of it is free now.
    Tight,
    /// The machine has too little memory.
    TooLarge,
}

impl Model {
    /// Memory in bytes with this many windows recognised at the same time: the weights once, a
    /// state per window, and 100 MB for everything else.
    #[must_use]
    pub fn memory(&self, states: usize) -> u64 {
        let state = match self.kind {
            Kind::Speech { shape, .. } => state_bytes(&shape),
            Kind::VoiceActivity => 1 << 20,
            // Activations between the layers, for one window or piece at a time.
            Kind::SpeakerSegmentation | Kind::SpeakerEmbedding => 60 << 20,
            // Activations of a batch of 512 tokens, measured.
            Kind::Sentences => 20 << 20,
        };
        self.bytes() + state * states as u64 + 100_000_000
    }

    /// Whether it fits, with one state per core, at most four.
    #[must_use]
    pub fn fit(&self, machine: &MachineResources) -> Fit {
        let needed = self.memory(machine.cores.clamp(1, 4));
        if needed <= machine.available {
            Fit::Fits
        } else if needed <= machine.memory / 10 * 9 {
            Fit::Tight
        } else {
            Fit::TooLarge
        }
    }

    /// Estimated seconds for one hour of speech on this many cores; `None` for a model that does
    /// not recognise speech.
    #[must_use]
    pub fn seconds_per_hour(&self, cores: usize) -> Option<f64> {
        let Kind::Speech { shape, .. } = self.kind else {
            return None;
        };
        let base_seconds = 76.0 / 443.0 * 3_600.0;
        let relative = operations(&shape) / operations(&Shape::BASE);
        let cores = f64::from(u32::try_from(cores.max(1)).unwrap_or(u32::MAX));
        Some(base_seconds * relative / cores)
    }
}

/// Bytes of one recognition state: keys and values of both attentions of the decoder (16 bits each)
/// and the encoder's largest buffers (32 bits), scaled so that the sum for base equals the measured
/// 173 MB; for tiny.en it is then within 5% of the measured 127 MB.
fn state_bytes(shape: &Shape) -> u64 {
    let (width, layers) = (u64::from(shape.width), u64::from(shape.decoder_layers));
    let (audio, text) = (u64::from(AUDIO_CONTEXT), u64::from(TEXT_CONTEXT));
    let caches = layers * (audio + text) * width * 4;
    let attention = audio * audio * u64::from(shape.heads) * 4;
    let hidden = audio * width * 4 * 4;
    (caches + attention + hidden) * 16 / 10
}

/// Multiplications for 30 s of speech: the encoder over its 1,500 positions, and the decoder for
/// about 100 tokens.
fn operations(shape: &Shape) -> f64 {
    let (width, positions, tokens) = (f64::from(shape.width), f64::from(AUDIO_CONTEXT), 100.0);
    let encoder = f64::from(shape.encoder_layers)
        * (12.0 * width * width * positions + 2.0 * positions * positions * width);
    let cross = f64::from(shape.decoder_layers) * 2.0 * width * width * positions;
    let token = f64::from(shape.decoder_layers) * 14.0 * width * width
        + f64::from(shape.vocabulary) * width;
    encoder + cross + token * tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::find;

    const MEMINFO: &str =
        "MemTotal:       24684544 kB\nMemFree:        1000 kB\nMemAvailable:   23000000 kB\n";

    #[test]
    fn the_machines_memory_and_the_containers_limit_are_read() {
        let machine = MachineResources::read(MEMINFO, None, 2).unwrap();
        assert_eq!(machine.memory, 24_684_544 * 1024);
        assert_eq!(machine.available, 23_000_000 * 1024);
        let contained = MachineResources::read(MEMINFO, Some("536870912\n"), 2).unwrap();
        assert_eq!((contained.memory, contained.available), (1 << 29, 1 << 29));
        assert_eq!(
            MachineResources::read(MEMINFO, Some("max\n"), 2),
            Some(machine)
        );
        assert_eq!(MachineResources::read("", None, 2), None);
    }

    #[test]
    fn estimates_agree_with_the_measured_states() {
        let mb = |id: &str| {
            let model = find(id).unwrap();
            (model.memory(2) - model.memory(1)) / 1_000_000
        };
        assert!(mb("base-q8_0").abs_diff(173) <= 10, "{}", mb("base-q8_0"));
        assert!(
            mb("tiny.en-q8_0").abs_diff(127) <= 10,
            "{}",
            mb("tiny.en-q8_0")
        );
    }

    #[test]
    fn larger_models_need_more_and_do_not_fit_small_machines() {
        let small = MachineResources {
            memory: 1 << 30,
            available: 900 << 20,
            cores: 2,
        };
        assert_eq!(find("base-q8_0").unwrap().fit(&small), Fit::Fits);
        assert_eq!(find("large-v3").unwrap().fit(&small), Fit::TooLarge);
        let busy = MachineResources {
            memory: 8 << 30,
            available: 1 << 30,
            cores: 2,
        };
        assert_eq!(find("large-v3-turbo-q5_0").unwrap().fit(&busy), Fit::Tight);
        let seconds = |id: &str| find(id).unwrap().seconds_per_hour(1).unwrap();
        assert!((seconds("base-q8_0") - 617.6).abs() < 0.1);
        assert!(seconds("small") > 2.0 * seconds("base"));
        assert!(seconds("large-v3") > seconds("large-v3-turbo-q5_0"));
        assert_eq!(find("silero-v6.2.0").unwrap().seconds_per_hour(1), None);
    }
}
