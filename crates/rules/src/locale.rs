//! The languages of pages and mails.

wire_enum! {
    /// A language that every visible text exists in.
    Locale {
        /// Ukrainian.
        Uk => "uk",
        /// English.
        En => "en",
    }
}

impl Default for Locale {
    /// Ukrainian, as in a browser that has not chosen yet.
    fn default() -> Self {
        Self::Uk
    }
}

#[cfg(test)]
mod tests {
    use super::Locale;

    #[test]
    fn only_whole_languages_are_known() {
        assert_eq!(Locale::parse("uk"), Some(Locale::Uk));
        for unknown in ["", "UK", "uk-UA", "ru", "en "] {
            assert_eq!(Locale::parse(unknown), None, "{unknown}");
        }
        assert_eq!(Locale::default(), Locale::Uk);
    }
}
