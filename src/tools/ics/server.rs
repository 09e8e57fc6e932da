//! The door: connections of this machine alone, and one client at a time.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};

/// How long a client waits for the one before it to be gone.
const GRACE: Duration = Duration::from_millis(300);

/// How long to wait when a connection cannot be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// How long to try to tell a client that there is no room.
const REFUSAL: Duration = Duration::from_secs(1);

const NO_ROOM: &[u8] = b"\r\nCrescendo plays with somebody else, and with one client at a time. \
Please come back later.\r\n";

/// The listening server.
pub struct Server {
    addresses: Vec<SocketAddr>,
    clients: Receiver<TcpStream>,
    /// Takes a token for each client that has left.
    room: Sender<()>,
}

impl Server {
    /// Listens on `port` of the loopback addresses, or on one that the system chooses if it is 0.
    ///
    /// # Errors
    /// The port cannot be had on 127.0.0.1. A machine without ::1 goes without.
    pub fn open(port: u16) -> io::Result<Server> {
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = first.local_addr()?.port();
        let mut listeners = vec![first];
        listeners.extend(TcpListener::bind((Ipv6Addr::LOCALHOST, port)));
        let (sender, clients) = crossbeam_channel::bounded(0);
        let (room, tokens) = crossbeam_channel::bounded(1);
        let mut addresses = Vec::new();
        for listener in listeners {
            addresses.push(listener.local_addr()?);
            let (sender, tokens) = (sender.clone(), tokens.clone());
            let listen = move || admit(&listener, &tokens, &sender);
            thread::Builder::new().name("door".into()).spawn(listen)?;
        }
        Ok(Server { addresses, clients, room })
    }

    /// Where it listens.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Waits for the next client; call it again when that one has left. `None` if nobody listens
    /// any more.
    pub fn next_client(&self) -> Option<TcpStream> {
        // The token of the client before is still there if nobody has come since.
        let _ = self.room.try_send(());
        self.clients.recv().ok()
    }
}

/// Hands on the connections that come while there is room, and refuses the others.
fn admit(listener: &TcpListener, tokens: &Receiver<()>, clients: &Sender<TcpStream>) {
    loop {
        match listener.accept() {
            Ok((stream, address)) if is_loopback(address.ip()) => {
                if tokens.recv_timeout(GRACE).is_err() {
                    refuse(stream);
                } else if clients.send(stream).is_err() {
                    return;
                }
            }
            Ok(_) => {}
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Says that there is no room. Whether that is heard is not our concern.
fn refuse(mut stream: TcpStream) {
    let _ = stream.set_write_timeout(Some(REFUSAL));
    let _ = stream.write_all(NO_ROOM);
    let _ = stream.shutdown(Shutdown::Both);
}
