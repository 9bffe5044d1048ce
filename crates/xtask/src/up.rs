//! `cargo xtask up`: from a fresh clone to a running Slovo.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;

use crate::cargo::{run_cargo, target_folder};
use crate::step::{command, step};
use crate::{models, setup, wasm, web};

/// Where Slovo runs and keeps its data.
#[derive(Args)]
pub struct Options {
    /// Port on 127.0.0.1.
    #[arg(long, default_value_t = 8787)]
    pub port: u16,
    /// Folder for the database, uploads and keys.
    #[arg(long, default_value = "./data")]
    pub data: PathBuf,
}

/// The command that starts a built server.
pub fn run_server_command(root: &Path, binary: &Path, options: &Options) -> std::process::Command {
    let mut server = command(root, binary);
    server
        .arg("serve")
        .args(["--port", &options.port.to_string()])
        .arg("--data")
        .arg(&options.data)
        .arg("--web")
        .arg(root.join("web/dist"));
    server
}

/// Performs every step and replaces this process with the server.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let options = &Options {
        port: options.port,
        data: std::path::absolute(&options.data)?,
    };
    prepare(root)?;
    let binary = build_release(root)?;
    let conversion = binary.with_file_name(models::CONVERSION);
    models::make_models_missing_from_hub(root, &conversion)?;
    models::pull(root, &conversion, &binary)?;
    println!(
        "\n   Slovo: http://127.0.0.1:{}   (Ctrl-C stops it)",
        options.port
    );
    println!("   Data:  {}", options.data.display());
    println!("   The first account that signs up becomes the administrator.");
    recommend_model(root, &binary)?;
    println!();
    // The server replaces this process, so that signals reach it directly.
    let error = run_server_command(root, &binary, options).exec();
    Err(anyhow!("cannot start {}: {error}", binary.display()))
}

/// Prints a model that would serve Ukrainian better, if there is one for this machine.
fn recommend_model(root: &Path, binary: &Path) -> Result<()> {
    let mut recommend = command(root, binary);
    recommend.args(["models", "recommend", "--language", "uk", "--brief"]);
    let output = recommend.output()?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        println!("   {line}");
    }
    Ok(())
}

/// Builds the server for release, together with the model converter; returns the server's path.
pub fn build_release(root: &Path) -> Result<PathBuf> {
    let build = [
        "build",
        "--release",
        "--locked",
        "--package",
        "slovo-server",
        "--package",
        models::CONVERSION,
    ];
    step(
        "Building the server (release)",
        "the compiler's message above names the cause",
        || run_cargo(root, &build),
    )?;
    Ok(target_folder(root).join("release/slovo"))
}

/// Everything that must exist before the server is built: packages, WASM, web app.
pub fn prepare(root: &Path) -> Result<()> {
    step(
        "System requirements",
        "install the packages named above, then run this again",
        || {
            setup::require_node()?;
            setup::ensure(&[setup::BUILD, setup::MODELS, setup::RUN])
        },
    )?;
    step("Rules for the browser (WASM)", "", || {
        wasm::build(root, wasm::BuildMode::Shipped, wasm::Lints::Skipped)
    })?;
    step(
        "Packages of the web app",
        "check the network connection; `npm ci` in web/ shows more",
        || web::install(&root.join("web")),
    )?;
    step("Web app", "`npm run build` in web/ shows more", || {
        web::build(root)
    })
}
