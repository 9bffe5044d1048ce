//! How the interface can be set: its languages and themes.

wire_enum! {
    /// Languages of the interface; the first is the default.
    Locale {
        /// Ukrainian.
        Uk => "uk",
        /// English.
        En => "en",
    }
}

wire_enum! {
    /// Light or dark; the first is the default.
    Theme {
        /// As the device has it.
        System => "system",
        /// Light.
        Light => "light",
        /// Dark.
        Dark => "dark",
    }
}

impl Default for Locale {
    fn default() -> Self {
        Self::Uk
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::System
    }
}
