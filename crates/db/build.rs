//! Embeds the migrations: generates a list of them with their SQL, and rebuilds this crate when one
//! is added.
//!
//! sqlx's own macro does the same, but compiles the drivers of both databases a second time for it.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../migrations");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut list = String::from("&[\n");
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let (version, description) = name
            .strip_suffix(".sql")
            .and_then(|stem| stem.split_once('_'))
            .ok_or_else(|| format!("{name}: a migration is called 0001_what_it_does.sql"))?;
        let version: i64 = version
            .parse()
            .map_err(|error| format!("{name}: {error}"))?;
        let description = description.replace('_', " ");
        writeln!(
            list,
            "    ({version}, {description:?}, include_str!({path:?})),"
        )?;
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR")?).join("migrations.rs"), list)?;
    Ok(())
}
