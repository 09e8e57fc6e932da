//! How a match stands: results, forfeits, lengths, and the report about them.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::record::{Proofs, Record};
use super::schedule::Slot;
use super::statistics::{Decision, Sprt, Tally};

/// The results of all finished games.
pub struct Standings {
    names: Vec<String>,
    meetings: Vec<Meeting>,
    /// By contestant: how often it has forfeited, by offence.
    forfeits: Vec<BTreeMap<String, u64>>,
    games: u64,
    /// The sum of the turns that were on when games ended.
    turns: u64,
    proofs: Proofs,
    sprt: Option<Sprt>,
}

/// Two contestants and the results of the first against the second.
struct Meeting {
    pairing: [usize; 2],
    tally: Tally,
    /// The half points of pairs of which one game is finished.
    halves: HashMap<u64, usize>,
}

impl Standings {
    /// No game is finished yet.
    pub fn new(names: Vec<String>, pairings: &[[usize; 2]], sprt: Option<Sprt>) -> Standings {
        let meeting =
            |&pairing| Meeting { pairing, tally: Tally::default(), halves: HashMap::new() };
        let meetings = pairings.iter().map(meeting).collect();
        let forfeits = vec![BTreeMap::new(); names.len()];
        let proofs = Proofs::default();
        Standings { names, meetings, forfeits, games: 0, turns: 0, proofs, sprt }
    }

    /// Counts a finished game.
    pub fn add(&mut self, slot: &Slot, record: &Record) {
        let Some(white) = record.white_half_points() else { return };
        let [first, _] = slot.pairing;
        let first_is_white = slot.seats[0] == first;
        let half_points = if first_is_white { white } else { 2 - white };
        let loser = slot.seats[usize::from(white == 2)];
        if let Some((offence, counts)) = record.offence().zip(self.forfeits.get_mut(loser)) {
            *counts.entry(offence.to_string()).or_default() += 1;
        }
        self.games += 1;
        // A game that ends by the rules does so with the turn before the one that would be on.
        let last = u64::from(record.turn).saturating_sub(u64::from(record.offence().is_none()));
        self.turns += last;
        let Proofs { told, belied } = record.proofs();
        self.proofs.told += told;
        self.proofs.belied += belied;
        let meeting = self.meetings.iter_mut().find(|one| one.pairing == slot.pairing);
        meeting.into_iter().for_each(|meeting| meeting.add(slot.pair, half_points));
    }

    /// What the sequential test says, if there is one and it has ended.
    pub fn decision(&self) -> Option<Decision> {
        self.sprt?.decision(&self.meetings.first()?.tally.pairs)
    }

    /// How the first meeting stands, in few words.
    pub fn in_short(&self) -> String {
        let Some(meeting) = self.meetings.first() else { return String::new() };
        let Tally { wins, draws, losses, .. } = meeting.tally;
        let mut text = format!("+{wins} ={draws} -{losses}");
        if let Some(estimate) = meeting.tally.estimate() {
            text.push_str(&format!(", Elo {:+.0}", estimate.elo));
        }
        if let Some(sprt) = self.sprt {
            let ratio = sprt.log_likelihood_ratio(&meeting.tally.pairs);
            text.push_str(&format!(", LLR {ratio:.2}"));
        }
        text
    }

    fn write_forfeits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = self.names.iter().zip(&self.forfeits).map(|(name, counts)| {
            let total: u64 = counts.values().sum();
            let each: Vec<String> =
                counts.iter().map(|(offence, count)| format!("{count} {offence}")).collect();
            let each =
                if each.is_empty() { String::new() } else { format!(" ({})", each.join(", ")) };
            format!("{name} {total}{each}")
        });
        writeln!(f, "forfeits: {}", told.collect::<Vec<_>>().join(", "))
    }
}

impl Meeting {
    fn add(&mut self, pair: u64, half_points: usize) {
        self.tally.add_game(half_points);
        match self.halves.remove(&pair) {
            Some(other) => self.tally.add_pair(other + half_points),
            None => {
                self.halves.insert(pair, half_points);
            }
        }
    }

    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        names: &[String],
        sprt: Option<&Sprt>,
    ) -> fmt::Result {
        let Tally { wins, draws, losses, pairs } = self.tally;
        let name = |seat: usize| names.get(self.pairing[seat]).map_or("?", String::as_str);
        let (games, score) = (self.tally.games(), 100.0 * self.tally.score());
        writeln!(
            f,
            "{} - {}: {games} games, +{wins} ={draws} -{losses}, {score:.1} %",
            name(0),
            name(1)
        )?;
        let [none, half, one, most, all] = pairs;
        writeln!(f, "pairs by points 0 ½ 1 1½ 2: {none} {half} {one} {most} {all}")?;
        match self.tally.estimate() {
            Some(e) if e.elo.is_infinite() => {
                writeln!(
                    f,
                    "Elo {:+}: all points went one way, LOS {:.1} %",
                    e.elo,
                    100.0 * e.los
                )?;
            }
            Some(e) => writeln!(
                f,
                "Elo {:+.1}, 95 % interval {:+.1} to {:+.1}, LOS {:.1} %",
                e.elo,
                e.low,
                e.high,
                100.0 * e.los
            )?,
            None => writeln!(f, "Elo unknown: no pair is finished")?,
        }
        let Some(sprt) = sprt else { return Ok(()) };
        let (low, high) = sprt.bounds();
        let state = match sprt.decision(&pairs) {
            Some(Decision::AcceptH1) => "elo1 accepted",
            Some(Decision::AcceptH0) => "elo0 accepted",
            None => "undecided",
        };
        let ratio = sprt.log_likelihood_ratio(&pairs);
        writeln!(f, "SPRT {sprt}: LLR {ratio:.2} ({low:.2} to {high:.2}), {state}")?;
        writeln!(f, "(LLR: pentanomial GSPRT with logistic Elo, as in fishtest's LLRcalc.py)")
    }
}

impl fmt::Display for Standings {
    /// The report: everything but the speed of the match, some lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for meeting in &self.meetings {
            meeting.write(f, &self.names, self.sprt.as_ref())?;
        }
        self.write_forfeits(f)?;
        if self.games > 0 {
            writeln!(f, "average end: turn {:.1}", self.turns as f64 / self.games as f64)?;
        }
        let Proofs { told, belied } = self.proofs;
        if told > 0 {
            let alarm = if belied > 0 { "ALARM: " } else { "" };
            writeln!(
                f,
                "{alarm}proved safe: {told} turns, mated in the next all the same: {belied}"
            )?;
        }
        Ok(())
    }
}
