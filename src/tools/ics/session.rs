//! One client from its login until it leaves: the loop that owns its game.
//!
//! A thread cuts what the client sends into lines; they and the events of the engine come in one
//! channel. Only the loop changes anything and answers.

use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::Terms;
use super::command::{self, Command, Wishes};
use super::table::{ENGINE_NAME, Ending, Table};
use super::telnet::Telnet;
use super::wire::Wire;
use crate::board::Color;
use crate::engine::{Done, Event};
use crate::notation::{Letters, MoveError, Style, quoted};
use crate::position::{Move, Position};
use crate::protocol::listen;
use crate::search::Limits;
use crate::tools::thinker::Thinker;
use crate::tools::times::TimeControl;

/// How many events may wait; a client that sends more has to wait itself.
const CHANNEL: usize = 64;

/// The longest line of a client, in bytes.
const LONGEST_LINE: u64 = 1024;

/// The longest name of a player.
const LONGEST_NAME: usize = 17;

const WELCOME: &str = "\
Crescendo plays progressive chess with you. It speaks the language of freechess.org.
Give any name; 'help' explains the rest.

login: ";

const HELP: &str = "\
play [white|black|random] [VARIANT] [MINUTES [SECONDS]]   a new game (also: match, seek)
rematch                    the last game again, with colours changed
e2e4, Nf3, e8=Q, o-o       a move; several moves of a series may stand on one line
takeback                   back to the turn that you began last
draw, resign, abort        offer a draw, give up, end without a result
moves, legal               the game so far; what is legal now
refresh, time, games, who  the board, the clocks, the game, the players
quit                       leave
In a series of several moves the other side passes by itself; nobody has to do it.";

/// How far a client has come.
enum Stage {
    /// Its name is asked for.
    Name,
    /// This will be its name; a line has to confirm it.
    Welcome(String),
    /// It is logged in under this name.
    In(String),
}

/// A game that was asked for.
#[derive(Copy, Clone)]
struct Offer {
    human: Color,
    start: Position,
    control: Option<TimeControl>,
}

/// A client, and its game.
struct Session<'t> {
    terms: &'t Terms,
    wire: Wire,
    thinker: Thinker,
    stage: Stage,
    /// When the client has to be logged in.
    login_until: Instant,
    table: Option<Table>,
    /// The rest of the engine's series, to be shown move by move, the next one at this time.
    showing: VecDeque<Move>,
    show_at: Instant,
    /// How many games have begun.
    games: u32,
    last_offer: Option<Offer>,
    milliseconds: bool,
}

/// Serves a client until it leaves. Its search is stopped then.
///
/// # Errors
/// The connection cannot be used, or breaks.
pub fn serve(stream: TcpStream, terms: &Terms) -> io::Result<()> {
    let (sender, events) = crossbeam_channel::bounded(CHANNEL);
    listen(Telnet::new(stream.try_clone()?), LONGEST_LINE, sender.clone())?;
    let mut session = Session {
        terms,
        wire: Wire::new(stream)?,
        thinker: Thinker::new(sender, terms.own_book),
        stage: Stage::Name,
        login_until: Instant::now() + terms.patience,
        table: None,
        showing: VecDeque::new(),
        show_at: Instant::now(),
        games: 0,
        last_offer: None,
        milliseconds: false,
    };
    let served = session.serve(&events);
    // This ends the thread that reads, too.
    session.wire.close();
    served
}

impl Session<'_> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        self.wire.ask(&WELCOME.replace('\n', "\r\n"))?;
        loop {
            let went_on = match self.next_event(events) {
                Some(Event::Line(line)) => self.take_line(line.trim())?,
                Some(Event::EndlessLine) => self.take_endless_line()?,
                Some(Event::Eof) => ControlFlow::Break(()),
                Some(Event::Progress(progress)) => {
                    self.thinker.note(&progress);
                    ControlFlow::Continue(())
                }
                Some(Event::Done(done)) => {
                    self.take_answer(done)?;
                    ControlFlow::Continue(())
                }
                None => self.wake_up()?,
            };
            if went_on.is_break() {
                return Ok(());
            }
        }
    }

    /// The next event, or `None` when something has to be done by the clock, which no client can
    /// put off by sending.
    fn next_event(&self, events: &Receiver<Event>) -> Option<Event> {
        match self.wake_up_at() {
            Some(time) if time <= Instant::now() => None,
            Some(time) => events.recv_deadline(time).ok(),
            // The thinker holds a sender, so that the channel stays open.
            None => events.recv().ok(),
        }
    }

    /// When something has to be done even if nothing happens.
    fn wake_up_at(&self) -> Option<Instant> {
        let login = match self.stage {
            Stage::In(_) => None,
            _ => Some(self.login_until),
        };
        let flag = self.table.as_ref().and_then(|table| table.clocks()?.flag_falls());
        let show = (!self.showing.is_empty()).then_some(self.show_at);
        [login, flag, show].into_iter().flatten().min()
    }

    /// Does what the clock says has to be done.
    fn wake_up(&mut self) -> io::Result<ControlFlow<()>> {
        let now = Instant::now();
        if !matches!(self.stage, Stage::In(_)) && self.login_until <= now {
            self.wire.say("You have taken too long to log in.");
            return Ok(ControlFlow::Break(()));
        }
        if let Some(loser) = self.table.as_ref().and_then(Table::out_of_time) {
            self.end(Ending::OutOfTime(loser));
            self.wire.send()?;
        }
        if !self.showing.is_empty() && self.show_at <= now {
            self.show_next();
            self.wire.send()?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn take_endless_line(&mut self) -> io::Result<ControlFlow<()>> {
        self.wire.say("That line is too long.");
        match self.stage {
            Stage::In(_) => self.wire.send()?,
            _ => self.wire.ask("login: ")?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn take_line(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        match &self.stage {
            Stage::Name if line.is_empty() => self.wire.ask("login: ")?,
            Stage::Name => {
                let name = player_name(line);
                self.wire.say(&format!(
                    "\r\n\"{name}\" is not a registered name. You may use it to play here.\r\n"
                ));
                let question = format!("Press return to enter the server as \"{name}\":");
                self.wire.ask(&question)?;
                self.stage = Stage::Welcome(name);
            }
            Stage::Welcome(name) => {
                let name = name.clone();
                self.wire.say(&format!("\r\n**** Starting FICS session as {name} ****\r\n"));
                self.wire.say("'play' begins a game; 'help' explains the rest.");
                self.stage = Stage::In(name);
                return self.obey(line);
            }
            Stage::In(_) => return self.obey(line),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Does what a client says that is logged in, and answers.
    fn obey(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        match command::parse(line) {
            Ok(Command::Quit) => {
                self.wire.say("Thank you for playing. Come again.");
                return Ok(ControlFlow::Break(()));
            }
            Ok(Command::Other) => self.enter(line),
            Ok(command) => self.execute(command),
            Err(complaint) => self.wire.say(&complaint),
        }
        self.wire.send()?;
        Ok(ControlFlow::Continue(()))
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Help => self.wire.say(&HELP.replace('\n', "\r\n")),
            Command::Play(wishes) => self.play(wishes),
            Command::Rematch => self.rematch(),
            Command::Who => {
                let name = self.name().to_string();
                self.wire.say(&format!("{name} and {ENGINE_NAME}."));
            }
            Command::Milliseconds(wanted) => {
                self.milliseconds = wanted;
                self.wire.say("Noted.");
            }
            Command::Polite(answer) => self.wire.say(answer),
            Command::Games => {
                let answer = self.table.as_ref().map(Table::summary);
                self.wire.say(&answer.unwrap_or_else(|| "Nobody is playing.".to_string()));
            }
            Command::Nothing | Command::Other | Command::Quit => {}
            about_the_game => self.execute_at_table(about_the_game),
        }
    }

    /// Does what has a meaning only in a game.
    fn execute_at_table(&mut self, command: Command) {
        let Some(table) = &mut self.table else {
            return self.wire.say("You are not playing a game: 'play' begins one.");
        };
        match command {
            Command::Resign => {
                let ending = Ending::Resigned(table.human());
                self.end(ending);
            }
            Command::Abort => self.end(Ending::Aborted),
            Command::Draw => self.offer_draw(),
            Command::TakeBack => self.take_back(),
            Command::Refresh => self.show_board(),
            Command::Flag => {
                self.wire.say("Flags fall by themselves here: you still have time, both of you.");
            }
            Command::Time => {
                let line = table.time_line();
                self.wire.say(&line);
            }
            Command::Moves => {
                let score = table.game().game().score(Style::San(Letters::english()));
                self.wire.say(if score.is_empty() { "No move has been made." } else { &score });
            }
            Command::Legal => {
                let position = table.position();
                let mut moves: Vec<String> = position
                    .legal_moves()
                    .iter()
                    .map(|&mv| position.san(mv, Letters::english()))
                    .collect();
                moves.sort();
                self.wire.say(&moves.join(" "));
            }
            _ => {}
        }
    }

    fn name(&self) -> &str {
        match &self.stage {
            Stage::Name => "",
            Stage::Welcome(name) | Stage::In(name) => name,
        }
    }

    fn play(&mut self, wishes: Wishes) {
        let terms = self.terms;
        let last = self.last_offer.as_ref();
        let rules =
            wishes.rules.or(last.map(|offer| offer.start.rules())).unwrap_or(terms.at.variant);
        let control = wishes.control.or(last.map(|offer| offer.control)).unwrap_or(terms.control);
        match terms.at.under(rules) {
            Ok(start) => {
                let human = wishes.seat.unwrap_or(terms.seat).color();
                self.begin(Offer { human, start, control });
            }
            Err(complaint) => self.wire.say(&complaint),
        }
    }

    fn rematch(&mut self) {
        match self.last_offer {
            Some(offer) => self.begin(Offer { human: !offer.human, ..offer }),
            None => self.wire.say("There is no game to play again: 'play' begins one."),
        }
    }

    fn begin(&mut self, offer: Offer) {
        if self.table.is_some() {
            return self.wire.say("You are playing a game: resign or abort it first.");
        }
        self.last_offer = Some(offer);
        self.games += 1;
        self.thinker.forget();
        let Offer { human, start, control } = offer;
        let table = Table::new(self.games, self.name(), human, start, control);
        let rules = start.rules();
        self.wire.say(&table.opening_lines());
        self.wire.say(&format!("{}: {}\r\n", rules.name, rules.summary));
        self.table = Some(table);
        self.show_board();
        self.go_on();
    }

    fn show_board(&mut self) {
        if let Some(table) = &self.table {
            self.wire.say(&table.board(self.milliseconds));
        }
    }

    /// Reads a line that is no command: moves, or a mistake.
    fn enter(&mut self, line: &str) {
        let (letters, start) = (Letters::english(), Position::start(self.terms.at.variant));
        let position = self.table.as_ref().map_or(start, |table| *table.position());
        let word = line.split_whitespace().next().unwrap_or_default();
        if let Err(MoveError::Unreadable) = position.read_move(word, letters) {
            return self.wire.say(&format!("{}: Command not found.", quoted(word)));
        }
        match &self.table {
            None => return self.wire.say("You are not playing a game: 'play' begins one."),
            Some(table) if !table.is_humans_turn() => {
                return self.wire.say("It is not your move.");
            }
            Some(_) => {}
        }
        match position.read_series(line, letters) {
            Ok(moves) => {
                for mv in moves {
                    self.make(mv);
                }
                self.go_on();
            }
            Err(error) => {
                self.wire.say(&format!("Illegal move, {error}."));
                // Programs have made the move on their own board by now.
                self.show_board();
            }
        }
    }

    /// Makes a move and shows it; if the series goes on, the other side passes.
    fn make(&mut self, mv: Move) {
        let Some(table) = &mut self.table else { return };
        if let Err(illegal) = table.play(mv) {
            return self.wire.say(&format!("Illegal move, {illegal}."));
        }
        self.wire.say(&table.board(self.milliseconds));
        if let Some(outcome) = table.outcome() {
            return self.end(Ending::Ruled(outcome));
        }
        if table.pass() {
            // Programs read a board only at the beginning of a line of its own.
            self.wire.say(&format!("\r\n{}", table.board(self.milliseconds)));
        }
    }

    /// Lets the engine think, if it is its turn; ends a game that is over before its first move.
    fn go_on(&mut self) {
        let Some(table) = &self.table else { return };
        if table.game().last().is_none()
            && let Some(outcome) = table.outcome()
        {
            return self.end(Ending::Ruled(outcome));
        }
        if table.is_humans_turn() {
            return;
        }
        let limits = match table.clocks() {
            Some(clocks) => {
                Limits { clock: clocks.for_search(Instant::now()), ..Limits::default() }
            }
            None => Limits { move_time: Some(self.terms.move_time), ..Limits::default() },
        };
        if let Err(error) = self.thinker.think(table.game().game(), limits) {
            self.give_up(&error);
        }
    }

    /// The engine cannot think.
    fn give_up(&mut self, error: &io::Error) {
        self.wire.say(&format!("{ENGINE_NAME} cannot think: {error}."));
        self.end(Ending::Aborted);
    }

    /// The search has ended; its series is shown from now on.
    fn take_answer(&mut self, done: Done) -> io::Result<()> {
        let series = match self.thinker.done(done) {
            Ok(Some(series)) => series,
            Ok(None) => return Ok(()),
            Err(error) => {
                self.give_up(&error);
                return self.wire.send();
            }
        };
        if let Some(loser) = self.table.as_ref().and_then(Table::out_of_time) {
            self.end(Ending::OutOfTime(loser));
        } else if let Some(table) = &mut self.table {
            table.stop_clock();
            self.showing = series.into();
            self.show_next();
        }
        self.wire.send()
    }

    /// Shows the next move of the engine's series.
    fn show_next(&mut self) {
        if let Some(mv) = self.showing.pop_front() {
            self.make(mv);
            self.show_at = Instant::now() + self.terms.pace;
        }
    }

    fn take_back(&mut self) {
        if self.table.as_mut().is_some_and(Table::take_back) {
            self.thinker.abandon();
            self.showing.clear();
            self.wire.say("Taken back.");
            self.show_board();
        } else {
            self.wire.say("There is no turn of yours to take back.");
        }
    }

    fn offer_draw(&mut self) {
        if self.thinker.takes_draw() {
            self.wire.say(&format!("{ENGINE_NAME} accepts the draw request."));
            self.end(Ending::Agreed);
        } else {
            self.wire.say(&format!("{ENGINE_NAME} declines the draw request."));
        }
    }

    /// Ends the game.
    fn end(&mut self, ending: Ending) {
        let Some(table) = self.table.take() else { return };
        self.thinker.abandon();
        self.showing.clear();
        self.wire.say(&format!("\r\n{}", table.closing_line(ending)));
        let score = table.game().game().score(Style::San(Letters::english()));
        if !score.is_empty() {
            self.wire.say(&score);
        }
    }
}

/// The name that a player may have: letters, and not the engine's.
fn player_name(line: &str) -> String {
    let name: String = line.chars().filter(char::is_ascii_alphabetic).take(LONGEST_NAME).collect();
    if name.is_empty() || name.eq_ignore_ascii_case(ENGINE_NAME) {
        "Guest".to_string()
    } else {
        name
    }
}
