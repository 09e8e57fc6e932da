//! The chess server survives its visitors: nothing that comes over a connection ends the process,
//! fills its memory or keeps the next one out.

mod visitor;

use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::process::Command;
use std::time::Instant;

use visitor::{PATIENCE, Server};

/// The server still plays.
fn assert_plays(server: &mut Server) {
    assert!(server.is_running());
    let mut visitor = server.play("play");
    visitor.until("<12> rnbqkbnr ");
    visitor.leave();
}

#[test]
fn one_client_at_a_time() {
    let mut server = Server::start(&[]);
    let mut first = server.visit();
    let refusal = server.connect().rest();
    assert!(refusal.contains("one client at a time"), "{refusal}");
    assert_eq!(refusal.matches('\n').count(), 2);
    assert!(first.ask("who").contains("human and Crescendo."));
    first.leave();
    for _ in 0..5 {
        assert_plays(&mut server);
    }
}

#[test]
fn only_this_machine_is_listened_to() {
    let server = Server::start(&[]);
    // The port is free on every other address, so nobody listens on all of them.
    for other in [Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 1, 2, 3)] {
        assert!(TcpStream::connect((other, server.port)).is_err(), "{other}");
    }
    if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok() {
        assert!(TcpStream::connect((Ipv6Addr::LOCALHOST, server.port)).is_ok());
    }
}

#[test]
fn a_port_in_use_is_told() {
    let server = Server::start(&[]);
    let port = server.port.to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_crescendo"));
    let output = command.args(["ics", "--port", &port]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(error.starts_with("crescendo: cannot listen on 127.0.0.1 port "), "{error}");
    assert_eq!(error.lines().count(), 1);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    let mut server = Server::start(&["--movetime", "86400000", "--no-book"]);
    let mut visitor = server.play("play");
    visitor.send("e2e4");
    visitor.until(" e4 ");
    server.interrupt();
    let start = Instant::now();
    while server.is_running() {
        assert!(start.elapsed() < PATIENCE, "it goes on");
    }
}

#[test]
fn garbage_is_answered_or_read_over() {
    let mut server = Server::start(&[]);
    let mut visitor = server.connect();
    visitor.send_bytes(b"\xff\xfb\x01\xff\xfd\x03\xff\xfa\x18\0vt100\xff\xf0");
    visitor.log_in();
    for garbage in [&b"\0\x01\x02\xfe\x80\xc3\x28\n"[..], b"\xff\xf4\xff\xfd\x06\xe2\x99\x94\r\n"] {
        visitor.send_bytes(garbage);
        let answer = visitor.ask("");
        assert!(answer.contains("Command not found."), "{answer}");
    }
    let answer = visitor.ask(&"e2e4 ".repeat(180));
    assert!(answer.lines().all(|line| line.chars().count() < 100), "{answer}");
    assert!(visitor.ask("who").contains("human and"));
    visitor.leave();
    assert_plays(&mut server);
}

#[test]
fn every_command_may_come_at_any_time() {
    let mut server = Server::start(&["--movetime", "1"]);
    let words = "help play draw abort takeback resign rematch flag refresh time moves legal who \
                 games e2e4 e7e5 o-o a7a8=q rematch style set quit? accept -- @@@@ 0000 $ @ . ' \" {";
    let mut visitor = server.visit();
    for first in words.split_whitespace() {
        for second in words.split_whitespace() {
            visitor.send(first);
            visitor.send(second);
        }
        // So that neither of us waits for the other to read.
        visitor.ask("");
    }
    visitor.leave();
    assert_plays(&mut server);
}

#[test]
fn names_are_made_fit() {
    let mut server = Server::start(&[]);
    for (said, name) in [("Crescendo", "Guest"), ("4711", "Guest"), ("<12> {x}", "x")] {
        let mut visitor = server.connect();
        visitor.until("login: ");
        visitor.send(said);
        visitor.until(&format!("enter the server as \"{name}\":"));
        visitor.leave();
    }
    assert_plays(&mut server);
}

#[test]
fn whoever_does_not_log_in_has_to_go() {
    let mut server = Server::start(&["--patience", "1"]);
    let mut silent = server.connect();
    let said = silent.rest();
    assert!(said.contains("You have taken too long to log in."), "{said}");
    let mut slow = server.connect();
    let start = Instant::now();
    // One letter after the other, and never a line.
    while std::io::Write::write_all(&mut slow.stream, b"x").is_ok() {
        assert!(start.elapsed() < PATIENCE, "the connection stays open");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_plays(&mut server);
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_line_is_not_kept() {
    let mut server = Server::start(&[]);
    let mut visitor = server.visit();
    let part = vec![b'x'; 1 << 20];
    for _ in 0..64 {
        visitor.send_bytes(&part);
    }
    visitor.send("");
    visitor.until("That line is too long.");
    let status = std::fs::read_to_string(server.proc_file("status")).expect("a file");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kilobytes < 48 << 10, "{kilobytes} kB");
    visitor.leave();
    assert_plays(&mut server);
}

/// Whether a thread of the server has a name.
#[cfg(target_os = "linux")]
fn has_thread(server: &Server, wanted: &str) -> bool {
    let tasks = std::fs::read_dir(server.proc_file("task")).expect("a folder");
    tasks.flatten().any(|task| {
        // A thread may end while we look at it.
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        name.trim() == wanted
    })
}

#[cfg(target_os = "linux")]
#[test]
fn the_search_ends_when_the_client_is_gone() {
    let mut server = Server::start(&["--movetime", "86400000", "--no-book"]);
    let mut visitor = server.play("play");
    visitor.send("e2e4");
    visitor.until(" e4 ");
    let await_thread = |server: &Server, there: bool| {
        let start = Instant::now();
        while has_thread(server, "job") != there {
            assert!(start.elapsed() < PATIENCE, "a search: {}", !there);
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    };
    await_thread(&server, true);
    visitor.leave();
    await_thread(&server, false);
    assert_plays(&mut server);
}
