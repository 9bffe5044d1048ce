//! Parser for server-sent events, the format of streamed answers, with size limits.

/// The longest event, in bytes. One token takes about 300; even a server that sends its whole
/// answer in one event stays below.
pub const MAX_EVENT: usize = 1024 * 1024;

/// Why a stream cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SseError {
    /// An event of more than [`MAX_EVENT`] bytes.
    TooLong,
    /// Bytes that are not UTF-8.
    NotUtf8,
}

/// The parser: takes bytes as they arrive and returns the data of complete events.
#[derive(Debug, Default)]
pub struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    after_return: bool,
    is_begun: bool,
}

impl Events {
    /// Adds bytes and appends the data of the events that they complete to `events`.
    ///
    /// # Errors
    /// [`SseError`]
    pub fn push(&mut self, bytes: &[u8], events: &mut Vec<String>) -> Result<(), SseError> {
        for &byte in bytes {
            // A line ends with CR, LF or CRLF; the LF of CRLF ends no further line.
            let is_second = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            match byte {
                b'\n' if is_second => {}
                b'\n' | b'\r' => self.end_line(events)?,
                _ if self.line.len() + self.data.len() >= MAX_EVENT => {
                    return Err(SseError::TooLong);
                }
                _ => self.line.push(byte),
            }
        }
        Ok(())
    }

    /// Flushes the last event at the end of the stream: a server may omit the last blank line.
    ///
    /// # Errors
    /// [`SseError`]
    pub fn finish(mut self, events: &mut Vec<String>) -> Result<(), SseError> {
        self.end_line(events)?;
        self.dispatch(events)
    }

    fn end_line(&mut self, events: &mut Vec<String>) -> Result<(), SseError> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !self.is_begun {
            self.is_begun = true;
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(events);
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = colon.map_or((line, &[][..]), |at| (&line[..at], &line[at + 1..]));
        // A line that begins with a colon is a comment: its field is empty.
        if field == b"data" {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.has_data = true;
            self.data
                .extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
        }
        Ok(())
    }

    fn dispatch(&mut self, events: &mut Vec<String>) -> Result<(), SseError> {
        if std::mem::take(&mut self.has_data) {
            let data = std::mem::take(&mut self.data);
            events.push(String::from_utf8(data).map_err(|_| SseError::NotUtf8)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Result<Vec<String>, SseError> {
        let (mut reader, mut events) = (Events::default(), Vec::new());
        for piece in pieces {
            reader.push(piece, &mut events)?;
        }
        reader.finish(&mut events)?;
        Ok(events)
    }

    #[test]
    fn every_kind_of_line_ending_is_accepted() {
        for text in [
            "data: a\n\ndata: b\n\n",
            "data: a\r\n\r\ndata: b\r\n\r\n",
            "data: a\r\rdata: b\r\r",
            "data: a\r\n\ndata: b\r\r\n",
        ] {
            assert_eq!(read(&[text.as_bytes()]).unwrap(), ["a", "b"], "{text:?}");
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(read(&pieces).unwrap(), ["a", "b"], "{text:?}");
        }
    }

    #[test]
    fn comments_and_other_fields_are_ignored() {
        let text =
            "\u{feff}: hello\n\nevent: x\nid: 1\ndata:a\ndata:  b\ndata\n\n:\n\nretry: 3\n\n";
        assert_eq!(read(&[text.as_bytes()]).unwrap(), ["a\n b\n"]);
    }

    #[test]
    fn the_last_blank_line_may_be_missing() {
        assert_eq!(read(&[b"data: [DONE]"]).unwrap(), ["[DONE]"]);
    }

    #[test]
    fn characters_may_be_split_between_pieces_but_must_be_utf8() {
        let bytes = "data: це\n\n".as_bytes();
        assert_eq!(read(&[&bytes[..7], &bytes[7..]]).unwrap(), ["це"]);
        assert_eq!(read(&[b"data: \xff\xfe\n\n"]), Err(SseError::NotUtf8));
    }

    #[test]
    fn an_endless_line_or_event_is_an_error() {
        let long = vec![b'a'; MAX_EVENT + 1];
        assert_eq!(read(&[&long]), Err(SseError::TooLong));
        let lines = b"data: aaaaaaaaaaaaaaaa\n".repeat(MAX_EVENT / 16);
        assert_eq!(read(&[&lines]), Err(SseError::TooLong));
    }
}
