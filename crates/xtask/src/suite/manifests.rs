//! Whether the files of `deploy/` are what Docker Compose and Kubernetes accept.

use std::path::Path;

use anyhow::Result;

use super::requests;
use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// Their schemas come with them.
const CHECKERS: [&str; 2] = ["check-jsonschema==0.39.0", "kubernetes-validate==1.37.0"];

/// Their folder, in the target folder.
const PACKAGES: &str = "manifests";

/// Installs the checkers.
pub fn install(root: &Path) -> Result<()> {
    requests::install_packages(root, PACKAGES, &CHECKERS)
}

/// Checks all of them.
pub fn check(root: &Path) -> Result<()> {
    let packages = target_folder(root).join(PACKAGES);
    step("Manifests of containers", "", || {
        execute(
            command(root, "python3")
                .args(["-m", "check_jsonschema"])
                .args(["--builtin-schema", "vendor.compose-spec"])
                .arg("deploy/compose.yaml")
                .env("PYTHONPATH", &packages),
        )?;
        execute(
            command(root, "python3")
                .args([
                    "-m",
                    "kubernetes_validate",
                    "--strict",
                    "--quiet",
                    "--no-warn",
                ])
                .args([
                    "deploy/kubernetes/slovo.yaml",
                    "deploy/kubernetes/workers.yaml",
                ])
                .env("PYTHONPATH", &packages),
        )
    })
}
