//! An OpenAI-compatible endpoint with a model that writes in capitals.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The answer to whatever has no fixed shape.
pub const MINUTES: &str = "Nothing was decided.";

/// How it answers, where that is not at once.
#[derive(Clone, Copy, Default)]
pub struct EndpointBehaviour {
    /// It stalls in the middle of its first answer.
    pub stalls_first: bool,
    /// It refuses the key.
    pub refuses: bool,
}

/// See the module.
pub struct Endpoint {
    /// Its base address.
    pub url: String,
    /// What was asked, request by request: the system message.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    pub fn start(manner: EndpointBehaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&requests);
        // Ends with the test's process.
        std::thread::spawn(move || {
            let mut stalled = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(body) = read(&stream) else { continue };
                let system = body["messages"][0]["content"].as_str().unwrap().to_owned();
                let is_first = {
                    let mut requests = shared.lock().unwrap();
                    requests.push(system);
                    requests.len() == 1
                };
                let stalls = is_first && manner.stalls_first;
                // The program may be killed meanwhile.
                let _ = stream.write_all(answer(manner, &body, stalls).as_bytes());
                if stalls {
                    stalled.push(stream);
                }
            }
        });
        Self {
            url,
            asked: requests,
        }
    }

    /// How many requests had this in their system message.
    pub fn times(&self, what: &str) -> usize {
        let requests = self.asked.lock().unwrap();
        requests
            .iter()
            .filter(|system| system.contains(what))
            .count()
    }
}

/// The JSON of a request; none if the program was killed while it sent it.
fn read(stream: &TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn answer(manner: EndpointBehaviour, body: &Value, stalls: bool) -> String {
    if manner.refuses {
        let head = "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n";
        return format!("{head}Content-Length: 0\r\n\r\n");
    }
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let text = text(body);
    if stalls {
        let beginning: String = text.chars().take(5).collect();
        return head.to_owned() + &event(&beginning);
    }
    format!("{head}{}data: [DONE]\n\n", event(&text))
}

fn event(text: &str) -> String {
    let chunk = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    format!("data: {chunk}\n\n")
}

/// The minutes, or each numbered entry of the data in capitals.
fn text(body: &Value) -> String {
    if body.get("response_format").is_none() {
        return MINUTES.to_owned();
    }
    let data = body["messages"][1]["content"].as_str().unwrap();
    let entries: Vec<Value> = serde_json::from_str(data).unwrap();
    let segments = entries.iter().map(|entry| {
        let text = entry["text"].as_str().unwrap().to_uppercase();
        json!({"n": entry["n"], "text": text})
    });
    json!({"segments": segments.collect::<Vec<_>>()}).to_string()
}
