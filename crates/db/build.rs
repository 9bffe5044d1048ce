//! Builds this crate anew when a migration is added: they are embedded into it.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
