//! Compiles the crate again when the web app was built again.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
