//! Answers calls of the rules natively: one JSON line `{"call", "args"}` in, one JSON line out.
//! `wasm-pkg/tests/agreement.test.mjs` compares the results with the WASM module's.

#[path = "../tests/calls/mod.rs"]
mod calls;

use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct RuleCall {
    call: String,
    args: Vec<Value>,
}

fn main() -> std::io::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let request: RuleCall = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut out, &calls::run(&request.call, &request.args))?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
