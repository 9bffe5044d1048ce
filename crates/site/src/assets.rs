//! The built files by the names of their sources.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Vite's manifest: source files and the files built from them.
#[derive(Clone, Debug, Default)]
pub struct Assets(BTreeMap<String, ManifestEntry>);

#[derive(Clone, Debug, Deserialize)]
struct ManifestEntry {
    file: String,
    /// Keys of the static imports.
    #[serde(default)]
    imports: Vec<String>,
}

impl Assets {
    /// Reads `.vite/manifest.json`.
    ///
    /// # Errors
    /// When the text is not a manifest.
    pub fn read(manifest: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(manifest).map(Self)
    }

    /// The URL path of a source file; `None` if it was not built.
    pub(crate) fn path(&self, source: &str) -> Option<String> {
        self.0.get(source).map(ManifestEntry::path)
    }

    /// The static imports of a script, to be loaded in parallel with it.
    pub(crate) fn imports(&self, source: &str) -> Vec<String> {
        let imports = self.0.get(source).map(|built| built.imports.as_slice());
        let found = imports.unwrap_or_default().iter();
        found.filter_map(|import| self.path(import)).collect()
    }
}

impl ManifestEntry {
    fn path(&self) -> String {
        format!("/{}", self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::Assets;

    #[test]
    fn assets_are_found_by_their_source_path() {
        let manifest = r#"{"src/site.ts": {"file": "assets/site-1a.js", "isEntry": true, "imports": ["_base-3c.js"]},
            "_base-3c.js": {"file": "assets/base-3c.js"},
            "src/fonts/onest-latin.woff2": {"file": "assets/onest-2b.woff2"}}"#;
        let assets = Assets::read(manifest).unwrap();
        assert_eq!(
            assets.path("src/site.ts").as_deref(),
            Some("/assets/site-1a.js")
        );
        assert_eq!(assets.imports("src/site.ts"), ["/assets/base-3c.js"]);
        assert!(assets.imports("src/main.tsx").is_empty());
        assert_eq!(assets.path("src/main.tsx"), None);
        assert_eq!(
            assets.path("src/fonts/onest-latin.woff2").as_deref(),
            Some("/assets/onest-2b.woff2")
        );
        assert!(Assets::read("[]").is_err());
    }
}
