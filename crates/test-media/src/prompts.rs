//! Recorded telephone prompts with their texts.
//!
//! From Debian's `asterisk-core-sounds-en-wav` 1.6.1 (8 kHz, 16 bit, mono), spoken by
//! Allison Smith, CC-BY-SA-3.0.

use std::path::{Path, PathBuf};

/// A prompt and its text.
#[derive(Clone, Copy, Debug)]
pub struct Prompt {
    /// File name without extension.
    pub name: &'static str,
    /// Length in seconds.
    pub seconds: f64,
    /// The words.
    pub text: &'static str,
}

/// A prompt of six seconds, used by [`crate::containers`].
pub const WELCOME: Prompt = Prompt {
    name: "vm-newuser",
    seconds: 6.0675,
    text: "Welcome to Comedian Mail. First, I will guide you through a short setup process.",
};

/// Longer prompts, for recognition.
pub const ALL: &[Prompt] = &[
    WELCOME,
    Prompt {
        name: "tt-allbusy",
        seconds: 8.975,
        text: "All representatives of the household are currently assisting other telemarketers. \
               Please hold and your call will be answered in the order it was received.",
    },
    Prompt {
        name: "queue-youarenext",
        seconds: 5.368,
        text: "Your call is now first in line and will be answered by the next available representative.",
    },
    Prompt {
        name: "vm-mismatch",
        seconds: 4.731,
        text: "The passwords you entered and re-entered did not match. Please try again.",
    },
    Prompt {
        name: "vm-tmpexists",
        seconds: 4.861,
        text: "There is a temporary greeting, which overrides your standard greetings.",
    },
    Prompt {
        name: "vm-rec-temp",
        seconds: 5.506,
        text: "After the tone, say your temporary message, and then press the pound key.",
    },
    Prompt {
        name: "demo-echotest",
        seconds: 21.989,
        text: "You are about to enter an echo test. In this mode everything you say will be \
               repeated back to you just as soon as it is received. The purpose of this test is \
               to give you an audible sense of the latency between you and the machine that is \
               running the echo test application. You may end the test by hanging up or by \
               pressing the pound key.",
    },
];

impl Prompt {
    /// The path of the WAV file.
    ///
    /// # Panics
    /// The package is not installed.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        let path = Path::new("/usr/share/asterisk/sounds/en_US_f_Allison")
            .join(format!("{}.wav", self.name));
        assert!(
            path.is_file(),
            "{} is missing: install asterisk-core-sounds-en-wav",
            path.display()
        );
        path
    }

    /// The samples, 8 kHz mono, full scale at 1.
    ///
    /// # Panics
    /// The package is not installed.
    #[must_use]
    pub fn samples(&self) -> Vec<f32> {
        let bytes =
            std::fs::read(self.path()).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let samples = bytes[44..].chunks_exact(2);
        samples
            .map(|two| f32::from(i16::from_le_bytes([two[0], two[1]])) / 32768.0)
            .collect()
    }
}
