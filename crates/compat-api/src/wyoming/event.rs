//! Events of the protocol: a line of JSON, then as many bytes of JSON and of payload as it announces.

use std::io;
use std::time::Duration;

use axum::body::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

/// Longest line of JSON, in bytes; Python's reader has the same limit.
const MAX_LINE: u64 = 64 * 1024;
/// Most bytes of JSON after it: lists of names of a house are long.
const MAX_DATA: usize = 256 * 1024;
/// Most bytes of payload; clients send tenths of a second of audio.
const MAX_PAYLOAD: usize = 512 * 1024;
/// How long a client may be silent, and how long it may take to read an event.
const PATIENCE: Duration = Duration::from_secs(60);

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Event {
    /// Its name, such as `audio-chunk`.
    pub kind: String,
    /// Its fields.
    pub data: Map<String, Value>,
    /// Its bytes: audio.
    pub payload: Bytes,
}

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    data: Option<Map<String, Value>>,
    #[serde(default)]
    data_length: Option<usize>,
    #[serde(default)]
    payload_length: Option<usize>,
}

impl Event {
    /// A text among its fields; empty if it is missing.
    pub(super) fn text(&self, name: &str) -> &str {
        self.data
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// A whole number among its fields.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.data.get(name).and_then(Value::as_u64)
    }

    /// The texts of a list among its fields.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let list = self.data.get(name).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }
}

fn malformed(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Reads the next event; `None` if the client has ended the connection.
///
/// # Errors
/// It is malformed or too large, breaks off, or does not come in time.
pub(super) async fn read(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Event>> {
    let event = timeout(PATIENCE, read_now(from)).await;
    event.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

async fn read_now(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Event>> {
    let mut line = Vec::new();
    (&mut *from)
        .take(MAX_LINE)
        .read_until(b'\n', &mut line)
        .await?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        return Err(malformed("the line of JSON is too long or breaks off"));
    }
    let header: Header = serde_json::from_slice(&line).map_err(|_| malformed("no line of JSON"))?;
    let mut data = header.data.unwrap_or_default();
    let block = bytes(from, header.data_length, MAX_DATA).await?;
    if !block.is_empty() {
        let block: Map<String, Value> =
            serde_json::from_slice(&block).map_err(|_| malformed("the data are no JSON object"))?;
        data.extend(block);
    }
    let payload = bytes(from, header.payload_length, MAX_PAYLOAD).await?;
    Ok(Some(Event {
        kind: header.kind,
        data,
        payload: payload.into(),
    }))
}

async fn bytes(
    from: &mut (impl AsyncBufRead + Unpin),
    length: Option<usize>,
    most: usize,
) -> io::Result<Vec<u8>> {
    let length = length.unwrap_or(0);
    if length > most {
        return Err(malformed("an event is too large"));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).await?;
    Ok(bytes)
}

/// Writes an event.
///
/// # Errors
/// The client has gone, or does not read it in time.
pub(super) async fn write(
    to: &mut (impl AsyncWrite + Unpin),
    kind: &str,
    data: &impl Serialize,
) -> io::Result<()> {
    let data = serde_json::to_vec(data)?;
    let header = json!({
        "type": kind,
        "version": env!("CARGO_PKG_VERSION"),
        "data_length": data.len(),
    });
    let mut bytes = serde_json::to_vec(&header)?;
    bytes.push(b'\n');
    bytes.extend_from_slice(&data);
    let written = timeout(PATIENCE, async {
        to.write_all(&bytes).await?;
        to.flush().await
    });
    written
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read_all(mut bytes: &[u8]) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        while let Some(event) = read(&mut bytes).await? {
            events.push(event);
        }
        Ok(events)
    }

    #[tokio::test]
    async fn fields_come_in_the_line_or_after_it() {
        let bytes = b"{\"type\": \"describe\"}\n\
            {\"type\": \"transcribe\", \"data\": {\"language\": \"uk\", \"name\": \"full\"}, \"data_length\": 18}\n\
            {\"language\": \"en\"}\
            {\"type\": \"audio-chunk\", \"payload_length\": 4}\r\n\x01\x02\n\x04\
            {\"type\": \"audio-stop\", \"data\": null}\n";
        let events = read_all(bytes).await.unwrap();
        let kinds: Vec<_> = events.iter().map(|it| it.kind.as_str()).collect();
        assert_eq!(
            kinds,
            ["describe", "transcribe", "audio-chunk", "audio-stop"]
        );
        assert_eq!(
            (events[1].text("language"), events[1].text("name")),
            ("en", "full")
        );
        assert_eq!(events[2].payload.as_ref(), b"\x01\x02\n\x04");
    }

    #[tokio::test]
    async fn what_is_written_is_read_again() {
        let mut bytes = Vec::new();
        let data = json!({"text": "Привіт\n", "list": ["a", 1, "b"], "rate": 16_000});
        write(&mut bytes, "transcript", &data).await.unwrap();
        let events = read_all(&bytes).await.unwrap();
        assert_eq!(events[0].text("text"), "Привіт\n");
        assert_eq!(events[0].texts("list"), ["a", "b"]);
        assert_eq!(events[0].number("rate"), Some(16_000));
    }

    #[tokio::test]
    async fn hostile_events_are_errors() {
        let mut long = vec![b' '; 70_000];
        long.push(b'\n');
        for bytes in [
            b"GET / HTTP/1.1\r\n\r\n".as_slice(),
            b"{\"type\": \"describe\"}",
            b"{\"type\": 1}\n",
            b"[]\n",
            b"{\"type\": \"a\", \"data_length\": 3}\n[1]",
            b"{\"type\": \"a\", \"data_length\": 99}\n{}",
            b"{\"type\": \"a\", \"data_length\": -1}\n",
            b"{\"type\": \"a\", \"payload_length\": 99999999999}\n",
            b"{\"type\": \"a\", \"payload_length\": 5}\n123",
            &long,
        ] {
            assert!(read_all(bytes).await.is_err(), "{}", bytes.escape_ascii());
        }
    }
}
