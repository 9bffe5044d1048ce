//! The table and the verdicts.

use super::super::verdict;
use super::{ComparedEngine, MeasuredRun, Stages};

/// Largest ratio of our wall time to that of the faster peer.
const WALL_RATIO: f64 = 0.8;

/// Largest excess of our word error rate over the best peer's, in percentage points.
const WER_POINTS: f64 = 0.5;

/// Most consecutive words that may be missing.
const LONGEST_DELETION: usize = 6;

const MEGABYTE: f64 = 1024.0 * 1024.0;

/// Medians of one engine's runs.
struct Row {
    wall: f64,
    cpu: f64,
    peak: f64,
    wer: f64,
    longest: usize,
}

/// Prints the figures of one file with one decoding, and the verdicts.
pub fn print(all: &[MeasuredRun]) {
    println!(
        "{:<15} {:>8} {:>8} {:>8} {:>7} {:>5} {:>5} {:>5} {:>8}",
        "", "wall s", "CPU s", "peak MB", "WER %", "sub", "del", "ins", "del run"
    );
    for contestant in ComparedEngine::ALL {
        let row = row(all, contestant);
        let Some(last) = all.iter().rfind(|run| run.contestant == contestant) else {
            continue;
        };
        println!(
            "{:<15} {:>8.1} {:>8.1} {:>8.0} {:>7.2} {:>5} {:>5} {:>5} {:>8}",
            contestant.name(),
            row.wall,
            row.cpu,
            row.peak,
            row.wer,
            last.score.substitutions,
            last.score.deletions,
            last.score.insertions,
            row.longest,
        );
    }
    let own_run = all
        .iter()
        .rfind(|run| run.contestant == ComparedEngine::Slovo);
    if let Some((run, stages)) = own_run.and_then(|run| Some((run, run.outcome.stages?))) {
        println!("slovo by stage: {}", shares(stages));
        println!("slovo's longest missing run: \"{}\"", run.score.deleted);
    }
    verdicts(all);
}

/// Times by stage are wall times of each thread; their shares show where the time is spent.
fn shares(stages: Stages) -> String {
    let stage_seconds = [
        ("media", stages.media),
        ("vad", stages.vad),
        ("mel", stages.mel),
        ("encoder", stages.encoder),
        ("decoder", stages.decoder),
        ("alignment", stages.alignment),
    ];
    let total: f64 = stage_seconds.iter().map(|(_, seconds)| seconds).sum();
    let parts: Vec<String> = stage_seconds
        .iter()
        .map(|(name, seconds)| {
            format!(
                "{name} {:.1}% ({seconds:.1} s)",
                100.0 * seconds / total.max(1e-9)
            )
        })
        .collect();
    parts.join(", ")
}

fn verdicts(all: &[MeasuredRun]) {
    let slovo = row(all, ComparedEngine::Slovo);
    let peers: Vec<Row> = ComparedEngine::ALL
        .into_iter()
        .filter(|c| c.is_peer())
        .map(|c| row(all, c))
        .collect();
    let fastest = peers
        .iter()
        .map(|peer| peer.wall)
        .fold(f64::INFINITY, f64::min);
    let best = peers
        .iter()
        .map(|peer| peer.wer)
        .fold(f64::INFINITY, f64::min);
    let memory = row(all, ComparedEngine::FasterWhisper).peak;
    let ratio = slovo.wall / fastest;
    verdict(
        ratio <= WALL_RATIO,
        &format!("wall time {ratio:.2} of the faster peer (goal {WALL_RATIO})"),
    );
    verdict(
        slovo.wer <= best + WER_POINTS,
        &format!(
            "word errors {:+.2} points against the best peer (goal +{WER_POINTS})",
            slovo.wer - best
        ),
    );
    verdict(
        slovo.longest <= LONGEST_DELETION,
        &format!(
            "longest missing run {} words (goal {LONGEST_DELETION})",
            slovo.longest
        ),
    );
    verdict(
        slovo.peak < memory,
        &format!(
            "peak memory {:.0} MB, faster-whisper {memory:.0} MB",
            slovo.peak
        ),
    );
}

fn row(all: &[MeasuredRun], contestant: ComparedEngine) -> Row {
    let runs: Vec<&MeasuredRun> = all
        .iter()
        .filter(|run| run.contestant == contestant)
        .collect();
    let median_of =
        |value: fn(&MeasuredRun) -> f64| median(runs.iter().map(|run| value(run)).collect());
    Row {
        wall: median_of(|run| run.outcome.wall),
        cpu: median_of(|run| run.outcome.cpu),
        peak: median_of(|run| run.outcome.peak_bytes as f64 / MEGABYTE),
        wer: median_of(|run| run.score.wer),
        longest: runs
            .iter()
            .map(|run| run.score.longest_deletion)
            .max()
            .unwrap_or(0),
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
