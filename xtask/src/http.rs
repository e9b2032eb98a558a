//! A minimal HTTP client on a plain socket, which can also misbehave.

use crate::process::Outcome;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// No answer takes longer, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Answers are far smaller.
const LONGEST_BODY: u64 = 1 << 24;

/// A connection.
pub(crate) struct Client {
    reader: BufReader<TcpStream>,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Outcome<Self> {
        let attempt = || {
            let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            stream.set_nodelay(true)?;
            Ok(Self { reader: BufReader::new(stream) })
        };
        attempt().map_err(|error: std::io::Error| format!("cannot connect: {error}"))
    }

    pub(crate) fn send(&mut self, request: &[u8]) -> Outcome {
        self.reader.get_mut().write_all(request).map_err(|error| format!("cannot send: {error}"))
    }

    /// Reads up to this many bytes. 0 means that the server has closed the connection.
    pub(crate) fn read_some(&mut self, most: usize) -> Outcome<usize> {
        let mut bytes = vec![0; most];
        self.reader.read(&mut bytes).map_err(|error| format!("cannot read: {error}"))
    }

    fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        let read = self.reader.by_ref().take(LONGEST_BODY).read_line(&mut line);
        match read.map_err(|error| format!("cannot read: {error}"))? {
            0 => Err("the server closed the connection".to_owned()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    fn bytes(&mut self, length: u64) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(length.min(LONGEST_BODY)).read_to_end(&mut bytes);
        read.map_err(|error| format!("cannot read: {error}"))?;
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(format!("{} of {length} bytes", bytes.len())) }
    }

    /// Reads a whole answer.
    pub(crate) fn answer(&mut self) -> Outcome<Answer> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| format!("no status in `{first}`"))?;
        let (mut length, mut is_chunked) = (0, false);
        loop {
            let line = self.line()?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(text) = line.strip_prefix("content-length:") {
                length = text.trim().parse().map_err(|_| format!("`{line}` is no length"))?;
            }
            is_chunked |= line == "transfer-encoding: chunked";
        }
        let body = if is_chunked { self.chunks()? } else { self.bytes(length)? };
        Ok(Answer { status, body: String::from_utf8(body).map_err(|_| "the body is not UTF-8")? })
    }

    fn chunks(&mut self) -> Outcome<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.line()?;
            let length = u64::from_str_radix(&line, 16).map_err(|_| format!("`{line}` is no length of a chunk"))?;
            body.extend(self.bytes(length)?);
            self.line()?;
            if length == 0 || body.len() as u64 > LONGEST_BODY {
                return Ok(body);
            }
        }
    }
}

/// A question.
pub(crate) fn post(path: &str, body: &str) -> Vec<u8> {
    let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json");
    format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// A request for a file.
pub(crate) fn get(path: &str, host: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes()
}
