/** The rules that server and browser share, from the Rust crate by way of WebAssembly. Importing this module loads it. */
export * from "@slovo/rules";
