//! The match as a whole: workers play game after game, one loop hears of what they do, writes it
//! down and hands out what comes next.

use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::contestant::{Contestant, Limit};
use super::files::Files;
use super::forfeit::Trouble;
use super::player::Player;
use super::record::Record;
use super::referee::{self, Ending, Played, Seat, Stopped, Terms};
use super::schedule::{Schedule, Slot};
use super::standings::Standings;
use crate::board::Color;
use crate::position::Game;
use crate::rules::RuleSet;
use crate::tools::print::print_text;

/// Everything that a worker has to know.
pub struct Match {
    pub rules: &'static RuleSet,
    pub contestants: Vec<Contestant>,
    /// The limit of those that have none of their own.
    pub limit: Limit,
    pub terms: Terms,
}

impl Match {
    /// The limit of a contestant.
    fn limit(&self, contestant: usize) -> Limit {
        self.contestants.get(contestant).and_then(|one| one.limit).unwrap_or(self.limit)
    }

    /// The limits of White and Black in a slot, as they are written down.
    fn limits(&self, slot: &Slot) -> [String; 2] {
        slot.seats.map(|seat| self.limit(seat).to_string())
    }

    fn names(&self, slot: &Slot) -> [&str; 2] {
        slot.seats.map(|seat| self.contestants.get(seat).map_or("?", |one| one.name.as_str()))
    }

    /// Whether a finished game is the one that is planned for a slot.
    ///
    /// # Errors
    /// One sentence: what is different.
    pub fn agrees(&self, slot: &Slot, record: &Record) -> Result<(), String> {
        let [white, black] = self.names(slot);
        let planned = [
            ("variant", self.rules.name.to_string(), &record.variant),
            ("white", white.to_string(), &record.white),
            ("black", black.to_string(), &record.black),
            ("fen", slot.opening.position().pfen(), &record.fen),
            ("limits", self.limits(slot).join(" "), &record.limits.join(" ")),
        ];
        match planned.iter().find(|(_, planned, found)| planned != *found) {
            None if record.white_half_points().is_some() => Ok(()),
            None => Err(format!("game {} has the result '{}'", record.game, record.result)),
            Some((field, planned, found)) => Err(format!(
                "game {} belongs to another match: {field} is '{found}' in place of '{planned}'",
                record.game
            )),
        }
    }

    /// Plays the game of a slot. Engines that are not running are started, those that forfeit
    /// are let go.
    fn play(&self, slot: &Slot, players: &mut [Option<Player>]) -> Result<Record, Stopped> {
        let started = slot.seats.map(|seat| self.take_player(seat, players));
        let played = match started {
            [Ok(mut white), Ok(mut black)] => {
                let [white_limit, black_limit] = slot.seats.map(|seat| self.limit(seat));
                let seats =
                    &mut [Seat::new(&mut white, white_limit), Seat::new(&mut black, black_limit)];
                let played = referee::play(slot.opening.position(), seats, &self.terms)?;
                for (color, player) in [(Color::White, white), (Color::Black, black)] {
                    let forfeits =
                        matches!(&played.ending, Ending::Forfeit(loser, _) if *loser == color);
                    let place = players.get_mut(slot.seats[color as usize]);
                    if let Some(place) = place.filter(|_| !forfeits) {
                        *place = Some(player);
                    }
                }
                played
            }
            [Err(Trouble::Stopped), _] | [_, Err(Trouble::Stopped)] => return Err(Stopped),
            [Err(Trouble::Forfeit(forfeit)), _] => unplayed(slot, Color::White, forfeit),
            [_, Err(Trouble::Forfeit(forfeit))] => unplayed(slot, Color::Black, forfeit),
        };
        Ok(Record::new(slot, self.names(slot), self.limits(slot), played))
    }

    /// The running engine of a contestant, or a new one.
    fn take_player(&self, seat: usize, players: &mut [Option<Player>]) -> Result<Player, Trouble> {
        match players.get_mut(seat).and_then(Option::take) {
            Some(player) => Ok(player),
            None => match self.contestants.get(seat) {
                Some(contestant) => Player::start(contestant, self.rules, &self.terms.patience),
                None => Err(Trouble::Stopped),
            },
        }
    }

    /// Plays what comes in until nothing more comes, or the match is stopped.
    fn work(&self, slots: &Receiver<Slot>, events: &Sender<Event>) {
        let mut players: Vec<Option<Player>> = self.contestants.iter().map(|_| None).collect();
        for slot in slots {
            let event = match catch_unwind(AssertUnwindSafe(|| self.play(&slot, &mut players))) {
                Ok(Ok(record)) => Event::Finished(Box::new(slot), Box::new(record)),
                Ok(Err(Stopped)) => break,
                Err(_) => Event::Failed(slot.number),
            };
            if events.send(event).is_err() {
                break;
            }
        }
    }
}

/// A game that one side forfeits because its engine does not start.
fn unplayed(slot: &Slot, side: Color, forfeit: super::forfeit::Forfeit) -> Played {
    let game = Game::new(slot.opening.position());
    Played { game, ending: Ending::Forfeit(side, forfeit), steps: Vec::new() }
}

/// What the loop hears of.
pub enum Event {
    /// A game is finished.
    Finished(Box<Slot>, Box<Record>),
    /// The game with this number is left out, because the referee has failed.
    Failed(u64),
    /// Somebody wants the match to stop.
    Interrupt,
}

/// How a match has come to its end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// All games are played.
    Complete,
    /// The sequential test has ended.
    Decided,
    /// Somebody has stopped it.
    Interrupted,
}

/// Where events come from and how the workers are stopped.
pub struct Wires {
    pub events: (Sender<Event>, Receiver<Event>),
    /// Dropped to stop the workers; [`Terms::patience`] has the other end.
    pub stop: Sender<()>,
}

/// The loop, and what it keeps up to date.
pub struct Conductor {
    pub schedule: Schedule,
    pub files: Files,
    pub standings: Standings,
    /// The numbers of the games that are finished.
    pub finished: HashSet<u64>,
}

impl Conductor {
    /// Plays the games that are missing, `concurrency` at a time. Returns how it came to an end and
    /// how many games were played.
    ///
    /// # Errors
    /// One sentence: something cannot be written. No finished game is lost.
    pub fn run(
        &mut self,
        match_: Match,
        concurrency: usize,
        wires: Wires,
    ) -> Result<(End, u64), String> {
        let Wires { events: (sender, events), stop } = wires;
        let (slots, waiting) = unbounded();
        let match_ = Arc::new(match_);
        let workers: Vec<_> = (0..concurrency)
            .map(|_| {
                let (match_, waiting, sender) = (match_.clone(), waiting.clone(), sender.clone());
                thread::spawn(move || match_.work(&waiting, &sender))
            })
            .collect();
        let result = self.conduct(concurrency, &slots, &events);
        drop((slots, stop));
        for worker in workers {
            // A worker that has failed has told so.
            let _ = worker.join();
        }
        // Games that were finished while the match was being stopped.
        for event in events.try_iter() {
            if let Event::Finished(slot, record) = event {
                self.keep(&slot, &record)?;
            }
        }
        result
    }

    fn keep(&mut self, slot: &Slot, record: &Record) -> Result<(), String> {
        self.files.add(record)?;
        self.finished.insert(record.game);
        self.standings.add(slot, record);
        Ok(())
    }

    fn conduct(
        &mut self,
        concurrency: usize,
        slots: &Sender<Slot>,
        events: &Receiver<Event>,
    ) -> Result<(End, u64), String> {
        let (start, mut played, mut running, mut next) = (Instant::now(), 0, 0, 1);
        let mut display = Display::new();
        loop {
            while running < concurrency && self.standings.decision().is_none() {
                let Some(slot) = self.next_slot(&mut next) else { break };
                running += 1;
                if slots.send(slot).is_err() {
                    return Err("no worker is left".to_string());
                }
            }
            if self.standings.decision().is_some() {
                display.finish()?;
                return Ok((End::Decided, played));
            }
            if running == 0 {
                display.finish()?;
                return Ok((End::Complete, played));
            }
            match events.recv() {
                Ok(Event::Finished(slot, record)) => {
                    running -= 1;
                    played += 1;
                    self.keep(&slot, &record)?;
                    let pace = 60.0 * played as f64 / start.elapsed().as_secs_f64();
                    display.game(&record, &self.progress(pace))?;
                }
                Ok(Event::Failed(number)) => {
                    running -= 1;
                    display.say(&format!("game {number} is left out: the referee has failed"))?;
                }
                Ok(Event::Interrupt) | Err(_) => {
                    display.finish()?;
                    return Ok((End::Interrupted, played));
                }
            }
        }
    }

    /// The next game that is not finished, from the number `next` on.
    fn next_slot(&mut self, next: &mut u64) -> Option<Slot> {
        while self.finished.contains(next) {
            *next += 1;
        }
        let slot = self.schedule.slot(*next);
        *next += 1;
        slot
    }

    fn progress(&self, pace: f64) -> String {
        let (done, all) = (self.finished.len(), self.schedule.len());
        format!("{done} of {all} games, {}, {pace:.1} games/min", self.standings.in_short())
    }
}

/// What is shown while a match is on: one line kept up to date on a terminal, elsewhere a line for
/// each game.
struct Display {
    terminal: bool,
}

impl Display {
    fn new() -> Display {
        Display { terminal: io::stdout().is_terminal() }
    }

    fn game(&mut self, record: &Record, progress: &str) -> Result<(), String> {
        if self.terminal {
            return print_text(&format!("\r\x1b[2K{progress}"));
        }
        let Record { game, white, black, result, reason, turn, .. } = record;
        let detail = record.detail.as_ref().map_or(String::new(), |text| format!(" ({text})"));
        self.say(&format!("game {game}: {white} - {black} {result} {reason}{detail}, turn {turn}"))
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        self.finish()?;
        print_text(&format!("{line}\n"))
    }

    /// Clears the line that is kept up to date.
    fn finish(&mut self) -> Result<(), String> {
        if self.terminal { print_text("\r\x1b[2K") } else { Ok(()) }
    }
}
