//! Filters time codes in a streamed answer: codes that refer to a passage stay, all others are
//! removed before the text is shown.

use slovo_rules::analysis::Moment;

use crate::Text;

/// The longest bracket that is buffered, in bytes: a dozen codes.
const MAX_HELD: usize = 120;

/// A time code as in the data and in answers, without brackets: `01:02` or `1:01:02`.
pub fn code(seconds: f64) -> String {
    let total = format!("{:.0}", seconds.max(0.0).floor());
    let total: u64 = total.parse().unwrap_or_default();
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes:02}:{seconds:02}")
    }
}

/// The filter. Its output can be shown.
pub struct Filter<'t> {
    text: &'t Text,
    buffered: String,
    mentioned: Vec<usize>,
}

/// What the buffered text begins with.
enum BufferStart {
    /// This many bytes without a code.
    Plain(usize),
    /// A bracket of this many bytes, including the spaces before it, with codes in it.
    Codes(usize),
    /// Undecided: more text is needed.
    Open,
}

impl<'t> Filter<'t> {
    /// A filter for answers about this text.
    pub const fn new(text: &'t Text) -> Self {
        Self {
            text,
            buffered: String::new(),
            mentioned: Vec::new(),
        }
    }

    /// Adds a piece of text and returns what can be shown.
    pub fn push(&mut self, piece: &str) -> String {
        self.buffered.push_str(piece);
        let mut output = String::new();
        while !self.buffered.is_empty() {
            match next(&self.buffered) {
                BufferStart::Plain(length) => output.extend(self.buffered.drain(..length)),
                BufferStart::Codes(length) => {
                    let bracket: String = self.buffered.drain(..length).collect();
                    self.push_valid_codes(&bracket, &mut output);
                }
                BufferStart::Open => break,
            }
        }
        output
    }

    /// The rest at the end of the answer.
    pub fn finish(&mut self) -> String {
        // An unfinished code in an open bracket is removed.
        let rest = std::mem::take(&mut self.buffered);
        let at = rest.find('[').unwrap_or(rest.len());
        let is_code = rest[at..].contains(':');
        (if is_code { &rest[..at] } else { &rest })
            .trim_end()
            .to_owned()
    }

    /// The passages that the codes refer to, in the order in which they are named.
    pub fn moments(&self) -> Vec<Moment> {
        let passages = self.mentioned.iter();
        passages
            .filter_map(|at| Some(self.text.passages.get(*at)?.moment()))
            .collect()
    }

    fn push_valid_codes(&mut self, bracket: &str, output: &mut String) {
        let inside = bracket.trim_start().trim_matches(['[', ']']);
        let spaces = &bracket[..bracket.len() - bracket.trim_start().len()];
        let mut before = spaces;
        let codes = inside.split(|c: char| !(c.is_ascii_digit() || c == ':'));
        for seconds in codes.filter_map(seconds) {
            let Some(at) = self.passage(seconds) else {
                continue;
            };
            output.push_str(before);
            output.push('[');
            output.push_str(&code(seconds));
            output.push(']');
            before = " ";
            if !self.mentioned.contains(&at) {
                self.mentioned.push(at);
            }
        }
    }

    /// The passage that is spoken at this second.
    fn passage(&self, second: f64) -> Option<usize> {
        self.text.passages.iter().rposition(|passage| {
            !passage.text.trim().is_empty()
                && passage.start.floor() <= second
                && second <= passage.end.max(passage.start)
        })
    }
}

fn next(buffered: &str) -> BufferStart {
    let Some(at) = buffered.find('[') else {
        // Spaces are held back until the next character is known: those before a removed code are
        // removed with it.
        let plain = buffered.trim_end_matches(' ').len();
        return if plain == 0 && buffered.len() <= MAX_HELD {
            BufferStart::Open
        } else {
            BufferStart::Plain(if plain == 0 { buffered.len() } else { plain })
        };
    };
    let before = buffered[..at].trim_end_matches(' ').len();
    if before > 0 {
        return BufferStart::Plain(before);
    }
    let inside = &buffered[at + 1..];
    let foreign = |c: char| !(c.is_ascii_digit() || " ,;:-–—".contains(c));
    match inside.find(foreign) {
        Some(end) if inside[end..].starts_with(']') && inside[..end].contains(':') => {
            BufferStart::Codes(at + 1 + end + 1)
        }
        Some(_) => BufferStart::Plain(at + 1),
        None if buffered.len() > MAX_HELD => BufferStart::Plain(at + 1),
        None => BufferStart::Open,
    }
}

/// `m:ss`, `mm:ss` or `h:mm:ss` in seconds.
fn seconds(code: &str) -> Option<f64> {
    let parts: Vec<u32> = code
        .split(':')
        .map(|part| part.parse().ok().filter(|_| part.len() <= 3))
        .collect::<Option<_>>()?;
    let (hours, minutes, seconds) = match parts.as_slice() {
        [minutes, seconds] => (0, *minutes, *seconds),
        [hours, minutes, seconds] if *minutes < 60 => (*hours, *minutes, *seconds),
        _ => return None,
    };
    (seconds < 60).then(|| f64::from(hours * 3600 + minutes * 60 + seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Passage;

    fn text() -> Text {
        let passage = |id: &str, start, end| Passage {
            id: id.to_owned(),
            start,
            end,
            speaker: None,
            text: "x".to_owned(),
        };
        Text {
            language: "en".to_owned(),
            duration: 4000.0,
            passages: vec![
                passage("a", 0.4, 9.0),
                passage("b", 12.7, 20.0),
                passage("c", 3700.0, 3710.0),
            ],
        }
    }

    fn filtered(pieces: &[&str]) -> (String, Vec<String>) {
        let text = text();
        let mut filter = Filter::new(&text);
        let mut output: String = pieces.iter().map(|piece| filter.push(piece)).collect();
        output += &filter.finish();
        let moments = filter.moments().into_iter();
        (output, moments.map(|moment| moment.segment).collect())
    }

    #[test]
    fn time_codes_within_a_passage_stay_and_others_are_removed() {
        let answer = "Yes [00:12]. No [00:10], never [99:00]! Late [1:01:40] [61:45].";
        let expected = "Yes [00:12]. No, never! Late [1:01:40] [1:01:45].";
        assert_eq!(filtered(&[answer]).0, expected);
        assert_eq!(filtered(&[answer]).1, ["b", "c"]);
    }

    #[test]
    fn the_result_is_the_same_however_the_stream_is_split() {
        let answer = "Так [00:12] і [5:00]  далі [00:01–00:15, 7:77] [x] [ ] a[0].\n- [00:03";
        let unsplit = filtered(&[answer]);
        assert_eq!(
            unsplit.0,
            "Так [00:12] і  далі [00:01] [00:15] [x] [ ] a[0].\n-"
        );
        for (at, _) in answer.char_indices() {
            let (a, b) = answer.split_at(at);
            assert_eq!(filtered(&[a, b]), unsplit, "torn at {at}");
        }
        let letters: Vec<String> = answer.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(filtered(&letters), unsplit);
    }

    #[test]
    fn no_piece_contains_a_code_that_is_removed_later() {
        let text = text();
        let mut filter = Filter::new(&text);
        for piece in ["Well", " ", "[", "4", "5", ":0", "0"] {
            let output = filter.push(piece);
            assert!(!output.contains(['[', '4', ':']), "{output}");
        }
        assert_eq!(filter.push("]."), ".");
    }

    #[test]
    fn an_endless_bracket_is_passed_through_as_text() {
        let text = text();
        let mut filter = Filter::new(&text);
        let long = format!("[{}", "1 ".repeat(300));
        assert!(filter.push(&long).len() > 400);
    }

    #[test]
    fn time_codes_are_formatted_and_malformed_ones_rejected() {
        assert_eq!(code(5.9), "00:05");
        assert_eq!(code(754.0), "12:34");
        assert_eq!(code(3723.0), "1:02:03");
        assert_eq!(
            [
                seconds("1:60"),
                seconds("1"),
                seconds("1:2:3:4"),
                seconds(":")
            ],
            [None; 4]
        );
    }
}
