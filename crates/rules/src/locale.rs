//! How the interface can be set: its languages and themes.

wire_enum! {
    /// Languages of the interface.
    #[derive(Default)]
    Locale {
        /// Ukrainian.
        #[default]
        Uk => "uk",
        /// English.
        En => "en",
    }
}

wire_enum! {
    /// Light or dark.
    #[derive(Default)]
    Theme {
        /// As the device has it.
        #[default]
        System => "system",
        /// Light.
        Light => "light",
        /// Dark.
        Dark => "dark",
    }
}
