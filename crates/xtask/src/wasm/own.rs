//! Exports of a module for loading it without a bundler: the bindings also export functions that
//! only the module itself calls.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes `<name>_own.js` beside the bindings, with the names that `<name>.js` exports.
pub fn write(folder: &Path, name: &str) -> Result<()> {
    let entry = folder.join(format!("{name}.js"));
    let text =
        fs::read_to_string(&entry).with_context(|| format!("cannot read {}", entry.display()))?;
    let names = exports(&text).with_context(|| format!("{} exports nothing", entry.display()))?;
    let own = folder.join(format!("{name}_own.js"));
    fs::write(&own, format!("{names} from \"./{name}_bg.js\";\n"))
        .with_context(|| format!("cannot write {}", own.display()))
}

/// `export { … }` of the bundler's form, on one line.
fn exports(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("export {")?;
    let (names, _) = rest.split_once('}')?;
    let names: Vec<&str> = names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    (!names.is_empty()).then(|| format!("export {{ {} }}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::exports;

    #[test]
    fn only_names_exported_by_the_entry_are_exported() {
        let entry = "import { set } from \"./a_bg.js\";\nset(wasm);\nexport {\n    one, two\n} from \"./a_bg.js\";\n";
        assert_eq!(exports(entry).as_deref(), Some("export { one, two }"));
        assert_eq!(exports("export * from \"./a_bg.js\";"), None);
        assert_eq!(exports("export {} from \"./a_bg.js\";"), None);
    }
}
