//! Time as a parameter.

use jiff::Timestamp;

/// Tells the time. Tests have one that they move by hand.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Now, as the database keeps it: Unix milliseconds.
    fn now_ms(&self) -> i64 {
        self.now().as_millisecond()
    }
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the outermost edge that the rule means"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A time from the database, for a response. Times out of jiff's range (years -9999 to 9999),
/// which only damage can bring into a row, become the nearest one that can be shown.
pub fn from_ms(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(if milliseconds < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    })
}
