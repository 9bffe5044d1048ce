//! `cargo xtask dev`: the server and the web app, each rebuilt when its files change.

use std::path::Path;
use std::process::Child;
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result};
use notify::{RecursiveMode, Watcher};

use crate::cargo::{run_cargo, target_folder};
use crate::models;
use crate::step::command;
use crate::up::{self, Options, run_server_command};
use crate::wasm;

/// Quiet time after the last change before a rebuild: an editor writes several files at once.
const SETTLE: Duration = Duration::from_millis(300);

/// Runs until Ctrl-C; both children belong to the terminal's process group and end with it.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let options = &Options {
        port: options.port,
        data: std::path::absolute(&options.data)?,
    };
    up::prepare(root)?;
    let packages = ["--package", "slovo-server", "--package", models::CONVERSION];
    run_cargo(root, &[&["build"][..], &packages].concat())?;
    let programs = target_folder(root).join("debug");
    let conversion = programs.join(models::CONVERSION);
    models::make_models_missing_from_hub(root, &conversion)?;
    models::pull(root, &conversion, &programs.join("slovo"))?;
    let mut vite = command(&root.join("web"), "npm")
        .args(["run", "dev"])
        .env("SLOVO_SERVER", format!("http://127.0.0.1:{}", options.port))
        .spawn()
        .context("cannot start the web app's development server")?;
    let outcome = serve_and_watch(root, options);
    vite.kill().ok();
    outcome
}

fn serve_and_watch(root: &Path, options: &Options) -> Result<()> {
    let (sender, changes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(sender).context("cannot watch files")?;
    for folder in ["crates", "migrations", "Cargo.toml"] {
        watcher.watch(&root.join(folder), RecursiveMode::Recursive)?;
    }
    let binary = target_folder(root).join("debug/slovo");
    let mut server = start(root, &binary, options)?;
    while let Ok(event) = changes.recv() {
        if !event.is_ok_and(|event| !event.kind.is_access()) {
            continue;
        }
        while changes.recv_timeout(SETTLE).is_ok() {}
        println!("\n── rebuilding");
        // A failed build leaves the running server alone. The browser's rules are rebuilt only if
        // their files have changed.
        let built = wasm::build(root, wasm::BuildMode::Quick, wasm::Lints::Skipped)
            .and_then(|()| run_cargo(root, &["build", "--package", "slovo-server"]));
        if built.is_ok() {
            stop(&mut server)?;
            server = start(root, &binary, options)?;
        }
    }
    stop(&mut server)
}

fn start(root: &Path, binary: &Path, options: &Options) -> Result<Child> {
    run_server_command(root, binary, options)
        .spawn()
        .context("cannot start the server")
}

fn stop(server: &mut Child) -> Result<()> {
    server.kill().ok();
    server.wait().context("cannot stop the server")?;
    Ok(())
}
