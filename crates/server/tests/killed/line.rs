//! A network between two processes that can be cut and slowed down.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A connection of either kind.
enum Connection {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Connection {
    fn copy(&self) -> Self {
        match self {
            Self::Tcp(stream) => Self::Tcp(stream.try_clone().unwrap()),
            Self::Unix(stream) => Self::Unix(stream.try_clone().unwrap()),
        }
    }

    fn end(&self) {
        // It may have ended already.
        let _ = match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    fn read(&mut self, bytes: &mut [u8]) -> usize {
        let read = match self {
            Self::Tcp(stream) => stream.read(bytes),
            Self::Unix(stream) => stream.read(bytes),
        };
        read.unwrap_or_default()
    }

    fn write(&mut self, bytes: &[u8]) -> bool {
        let written = match self {
            Self::Tcp(stream) => stream.write_all(bytes),
            Self::Unix(stream) => stream.write_all(bytes),
        };
        written.is_ok()
    }
}

#[derive(Default)]
struct State {
    is_cut: AtomicBool,
    delay_ms: AtomicU64,
    open: Mutex<Vec<Connection>>,
}

/// Passes connections on. Its threads end with the test.
#[derive(Clone, Default)]
pub struct Line(Arc<State>);

impl Line {
    /// A line to a server at this address, and its own address.
    pub fn to_address(server: String) -> (Self, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let line = Self::default();
        let accepting = line.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let server = TcpStream::connect(&server).map(Connection::Tcp);
                accepting.pass_on(Connection::Tcp(stream.unwrap()), server);
            }
        });
        (line, address)
    }

    /// A line to a server at this socket, which listens at another one.
    pub fn to_socket(server: &Path, own: &Path) -> Self {
        let (listener, server) = (UnixListener::bind(own).unwrap(), server.to_owned());
        let line = Self::default();
        let accepting = line.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let server = UnixStream::connect(&server).map(Connection::Unix);
                accepting.pass_on(Connection::Unix(stream.unwrap()), server);
            }
        });
        line
    }

    fn pass_on(&self, client: Connection, server: std::io::Result<Connection>) {
        let (Ok(server), false) = (server, self.0.is_cut.load(Ordering::SeqCst)) else {
            return client.end();
        };
        let mut open = self.0.open.lock().unwrap();
        open.extend([client.copy(), server.copy()]);
        drop(open);
        for (from, to) in [(client.copy(), server.copy()), (server, client)] {
            let line = self.clone();
            std::thread::spawn(move || line.copy(from, to));
        }
    }

    fn copy(&self, mut from: Connection, mut to: Connection) {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            let read = from.read(&mut bytes);
            let delay = self.0.delay_ms.load(Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(delay));
            if read == 0 || !to.write(&bytes[..read]) {
                from.end();
                return to.end();
            }
        }
    }

    /// Ends all connections and refuses new ones for so long.
    pub fn cut(&self, time: Duration) {
        self.0.is_cut.store(true, Ordering::SeqCst);
        for connection in self.0.open.lock().unwrap().drain(..) {
            connection.end();
        }
        std::thread::sleep(time);
        self.0.is_cut.store(false, Ordering::SeqCst);
    }

    /// Delays everything by a tenth of a second for so long.
    pub fn slow_down(&self, time: Duration) {
        self.0.delay_ms.store(100, Ordering::SeqCst);
        std::thread::sleep(time);
        self.0.delay_ms.store(0, Ordering::SeqCst);
    }
}
