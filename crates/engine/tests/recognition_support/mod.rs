//! Helpers of the recognition tests: a shared engine, and running a request with it.

use std::path::PathBuf;
use std::sync::OnceLock;

use slovo_engine::{CancelToken, Engine, EngineConfig, EngineError, Event, Request};
use slovo_rules::transcript::Transcript;

/// The models folder, located as the program does it.
pub fn models() -> PathBuf {
    let folder = std::env::var_os("SLOVO_MODELS").map_or_else(
        || {
            let data = std::env::var_os("XDG_DATA_HOME").map_or_else(
                || {
                    PathBuf::from(std::env::var_os("HOME").expect("HOME is set"))
                        .join(".local/share")
                },
                PathBuf::from,
            );
            data.join("slovo/models")
        },
        PathBuf::from,
    );
    for id in ["base-q8_0", "tiny.en-q8_0", "silero-v6.2.0"] {
        let file = folder.join(format!("ggml-{id}.bin"));
        assert!(
            file.is_file(),
            "{} is missing: run `cargo xtask models`",
            file.display()
        );
    }
    folder
}

/// One engine of two threads for all tests of a file.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let mut config = EngineConfig::new(models());
        config.threads = 2;
        Engine::new(config).expect("the settings are sound")
    })
}

/// Runs a request and returns the outcome and all events.
pub fn run(request: &Request) -> (Result<Transcript, EngineError>, Vec<Event>) {
    let mut events = Vec::new();
    let outcome = engine().transcribe(request, &CancelToken::new(), &mut |event| {
        events.push(event);
    });
    (outcome, events)
}

/// Runs a request that must succeed.
pub fn transcript(request: &Request) -> Transcript {
    run(request)
        .0
        .unwrap_or_else(|error| panic!("{}: {error}", request.input.display()))
}
