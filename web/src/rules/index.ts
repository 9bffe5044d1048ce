/** The rules shared by server and browser: the Rust crate compiled to WebAssembly. Importing this module loads it. */
export * from "@slovo/rules";
