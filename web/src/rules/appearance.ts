// Made from crates/rules by `cargo xtask gen`; crates/rules/tests/web_constants.rs says what is in here.
// Values only: what is computed is asked of `@/rules`, and this file loads no WebAssembly.

/** Languages of the interface. */
export const LOCALES = ["uk", "en"] as const;

/** Looks of the interface. */
export const THEMES = ["system", "light", "dark"] as const;
