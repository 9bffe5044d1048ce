//! The two modes of recognition.

wire_enum! {
    /// Mode of recognition.
    TranscriptionType {
        /// Multilingual model with all features; labelled Pro.
        Full => "full",
        /// Small English model with core recognition; labelled Basic.
        Lite => "lite",
    }
}
