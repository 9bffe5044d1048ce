//! Messages over a Unix socket: four bytes of length (little endian), then MessagePack. With a message
//! an open file may travel.

use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest message in bytes. The transcript of a day of speech takes some 20 MB.
const MAX_MESSAGE: usize = 512 << 20;

/// Bytes that say how long a message is.
const HEADER: usize = 4;

/// Sends a message, and a file with it.
pub(crate) fn send<T: Serialize>(
    mut socket: &UnixStream,
    message: &T,
    file: Option<BorrowedFd<'_>>,
) -> io::Result<()> {
    let body = rmp_serde::to_vec_named(message).map_err(io::Error::other)?;
    let length = u32::try_from(body.len()).ok();
    let Some(length) = length.filter(|_| body.len() <= MAX_MESSAGE) else {
        return Err(ErrorKind::FileTooLarge.into());
    };
    let header = length.to_le_bytes();
    match file {
        None => socket.write_all(&header)?,
        Some(file) => send_with_file(socket, &header, file)?,
    }
    socket.write_all(&body)
}

fn send_with_file(mut socket: &UnixStream, header: &[u8], file: BorrowedFd<'_>) -> io::Result<()> {
    let files = [file];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !ancillary.push(SendAncillaryMessage::ScmRights(&files)) {
        return Err(ErrorKind::OutOfMemory.into());
    }
    let slices = [IoSlice::new(header)];
    let sent = rustix::io::retry_on_intr(|| {
        sendmsg(socket, &slices, &mut ancillary, SendFlags::NOSIGNAL)
    })?;
    // The file went with the first byte.
    socket.write_all(&header[sent.min(header.len())..])
}

/// The next message, and the file that came with it; `None` when the other end is closed.
pub(crate) fn receive<T: DeserializeOwned>(
    mut socket: &UnixStream,
) -> io::Result<Option<(T, Option<OwnedFd>)>> {
    let mut header = [0; HEADER];
    let mut file = None;
    let mut read = 0;
    while read < HEADER {
        let bytes = receive_some(socket, &mut header[read..], &mut file)?;
        if bytes == 0 {
            return match read {
                0 => Ok(None),
                _ => Err(ErrorKind::UnexpectedEof.into()),
            };
        }
        read += bytes;
    }
    let length = usize::try_from(u32::from_le_bytes(header)).unwrap_or(usize::MAX);
    if length > MAX_MESSAGE {
        return Err(ErrorKind::InvalidData.into());
    }
    // Memory is taken as the bytes arrive, not as announced.
    let mut body = Vec::new();
    (&mut socket).take(length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let message = rmp_serde::from_slice(&body)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    Ok(Some((message, file)))
}

fn receive_some(
    socket: &UnixStream,
    bytes: &mut [u8],
    file: &mut Option<OwnedFd>,
) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut slices = [IoSliceMut::new(bytes)];
    let received = rustix::io::retry_on_intr(|| {
        recvmsg(socket, &mut slices, &mut ancillary, RecvFlags::CMSG_CLOEXEC)
    })?;
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(mut files) = message {
            *file = files.next().or_else(|| file.take());
        }
    }
    Ok(received.bytes)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn messages_and_files_arrive_in_order() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut sent = tempfile::tempfile().unwrap();
        sent.write_all(b"the recording").unwrap();
        send(&ours, &("first", 1), None).unwrap();
        send(&ours, &("second", 2), Some(sent.as_fd())).unwrap();
        drop(ours);
        let first = receive::<(String, i32)>(&theirs).unwrap().unwrap();
        assert_eq!(first.0, ("first".to_owned(), 1));
        assert!(first.1.is_none());
        let (second, file) = receive::<(String, i32)>(&theirs).unwrap().unwrap();
        assert_eq!(second, ("second".to_owned(), 2));
        let mut text = [0; 13];
        let file = File::from(file.unwrap());
        std::os::unix::fs::FileExt::read_exact_at(&file, &mut text, 0).unwrap();
        assert_eq!(&text, b"the recording");
        assert!(receive::<(String, i32)>(&theirs).unwrap().is_none());
    }

    #[test]
    fn malformed_messages_are_refused() {
        let read = |bytes: &[u8]| {
            let (mut ours, theirs) = UnixStream::pair().unwrap();
            ours.write_all(bytes).unwrap();
            drop(ours);
            receive::<(String, i32)>(&theirs).map_err(|error| error.kind())
        };
        assert_eq!(read(&[1, 0]).unwrap_err(), ErrorKind::UnexpectedEof);
        assert_eq!(
            read(&[9, 0, 0, 0, 1]).unwrap_err(),
            ErrorKind::UnexpectedEof
        );
        assert_eq!(read(&[255; 9]).unwrap_err(), ErrorKind::InvalidData);
        assert_eq!(
            read(&[1, 0, 0, 0, 0xc1]).unwrap_err(),
            ErrorKind::InvalidData
        );
        assert!(read(&[]).unwrap().is_none());
    }
}
