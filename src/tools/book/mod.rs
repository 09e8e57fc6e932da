//! `crescendo book`: makes the opening book of a variant, a line for each position.
//!
//! Which positions, says `docs/player.md`. Each is searched with fresh tables, one thread and a
//! limit of nodes, so the same command makes the same book, whether in one go or in several.

mod oracle;
mod scribe;

use std::cmp::Reverse;
use std::collections::HashSet;

use super::common::parse_variant;
use super::print::print_text;
use crate::book::Pick;
use crate::position::{Game, Move, Position};
use crate::rules::RuleSet;
use crate::search::Score;
use oracle::{Opinion, Oracle, rank, turned};
use scribe::Scribe;

/// Make the opening book of a variant
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
The file has a line for each position of the first four turns that the book knows, written as soon as \
its series is found. The same command goes on with a file that is not finished, and adds nothing to \
one that is. The books that are built in lie in src/book.

Example:
  crescendo book --variant italian --out src/book/italian.txt")]
pub struct Args {
    /// The variant: scottish, italian, english, … (an unknown name lists them all)
    #[arg(long, value_name = "NAME", default_value = "scottish", value_parser = parse_variant)]
    variant: &'static RuleSet,
    /// Nodes for each search; those of turn 2 get eight times as many
    #[arg(long, value_name = "N", default_value_t = 400_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    nodes: u64,
    /// The file (without it: the name of the variant and .txt)
    #[arg(long, value_name = "FILE")]
    out: Option<String>,
}

/// How much more than the others the positions of turn 2 are searched.
const EARLY: u64 = 8;

/// How many series are compared by what the opponent has behind them, of Black in turn 2 and of
/// White in turn 3; and in either if all so far are lost.
const BLACK_SERIES: usize = 5;
const WHITE_SERIES: usize = 6;
const AT_MOST: usize = 24;

/// A score below this one, in centipawns, is no better than lost.
const LOST: i32 = -4000;

/// Makes the book, or goes on with it.
///
/// # Errors
/// One sentence: the file cannot be read or written, or is the work of another command.
pub fn run(args: Args) -> Result<(), String> {
    let (rules, nodes) = (args.variant, args.nodes);
    let name = args.out.unwrap_or_else(|| format!("{}.txt", rules.name));
    let title = format!("# crescendo book --variant {} --nodes {nodes}", rules.name);
    let scribe = Scribe::open(&name, &title, rules)?;
    let mut author = Author { scribe, oracle: Oracle::new(), nodes };
    author.write(&Game::new(Position::start(rules)))?;
    print_text(&format!("{name}: {} positions\n", author.scribe.len()))
}

/// Who decides which positions come into a book, and chooses with foresight.
struct Author {
    scribe: Scribe,
    oracle: Oracle,
    nodes: u64,
}

/// White's turn 3 in the light of what Black has behind each series.
struct Foresight {
    /// For White.
    score: Score,
    /// The best of the series compared; `None` if none is safe or he wins at once.
    best: Option<Pick>,
    /// Black's series behind those compared, where he has a safe one.
    answers: Vec<(Game, Pick)>,
}

/// A series of Black in turn 2, worth what White has behind it, and the game then.
struct Branch {
    pick: Pick,
    game: Game,
    foresight: Foresight,
}

impl Author {
    /// Writes the book of a game that begins like this: turn 2 behind every first move, then the
    /// best first move, then turn 3 behind everything that may come after it.
    fn write(&mut self, start: &Game) -> Result<(), String> {
        let mut best: Option<(Pick, Game)> = None;
        for game in ends(start) {
            let Some(reply) = self.second_turn(&game)? else { continue };
            let score = turned(reply.score);
            if best.as_ref().is_none_or(|(pick, _)| rank(score) > rank(pick.score)) {
                best = Some((Pick { series: game.moves().to_vec(), score }, game));
            }
        }
        let Some((pick, game)) = best else { return Ok(()) };
        self.scribe.write(start, &pick)?;
        ends(&game).iter().try_for_each(|game| self.third_turn(game))
    }

    /// Writes Black's turn behind a first move, and some of what follows. Its own line is written
    /// last, so what has one is done.
    fn second_turn(&mut self, game: &Game) -> Result<Option<Pick>, String> {
        if let Some(pick) = self.scribe.pick(game) {
            return Ok(Some(pick.clone()));
        }
        let branches = self.branches(game);
        for (index, Branch { game, foresight, .. }) in branches.iter().enumerate() {
            // What White is to expect behind the other series is not worth its room.
            let answers = if index == 0 { &foresight.answers[..] } else { &[] };
            answers.iter().try_for_each(|(game, pick)| self.scribe.write(game, pick))?;
            foresight.best.iter().try_for_each(|pick| self.scribe.write(game, pick))?;
        }
        let best = branches.into_iter().next().map(|branch| branch.pick);
        best.iter().try_for_each(|pick| self.scribe.write(game, pick))?;
        Ok(best)
    }

    /// Black's series that were compared, the best first.
    fn branches(&mut self, game: &Game) -> Vec<Branch> {
        let opinion = self.oracle.ask(game, self.nodes.saturating_mul(EARLY), AT_MOST);
        let mut branches: Vec<Branch> = Vec::new();
        for Pick { series, .. } in opinion.into_iter().flat_map(|opinion| opinion.safe) {
            let mut scores = branches.iter().map(|branch| rank(branch.pick.score));
            if branches.len() >= BLACK_SERIES && scores.any(|score| score > LOST) {
                break;
            }
            let Some(game) = continued(game, &series) else { continue };
            let Some(foresight) = self.foresee(&game) else { continue };
            let pick = Pick { series, score: turned(foresight.score) };
            branches.push(Branch { pick, game, foresight });
        }
        branches.sort_by_key(|branch| Reverse(rank(branch.pick.score)));
        branches
    }

    /// Writes White's turn, unless the book knows it, the game is won at once, or nothing is safe.
    fn third_turn(&mut self, game: &Game) -> Result<(), String> {
        if self.scribe.pick(game).is_some() {
            return Ok(());
        }
        let best = self.foresee(game).and_then(|foresight| foresight.best);
        best.iter().try_for_each(|pick| self.scribe.write(game, pick))
    }

    /// White's turn, with his series compared by what Black has behind them; `None` without a legal
    /// move.
    fn foresee(&mut self, game: &Game) -> Option<Foresight> {
        let Opinion { score, safe } = self.oracle.ask(game, self.nodes, AT_MOST)?;
        let mut foresight = Foresight { score, best: None, answers: Vec::new() };
        for (index, mut pick) in safe.into_iter().enumerate() {
            if index >= WHITE_SERIES && rank(foresight.score) > LOST {
                break;
            }
            let Some(next) = continued(game, &pick.series) else { continue };
            let Some(opinion) = self.oracle.ask(&next, self.nodes, 1) else { continue };
            foresight.answers.extend(opinion.safe.into_iter().map(|answer| (next.clone(), answer)));
            // A win that is proved needs no second opinion.
            if let Score::Centipawns(_) = pick.score {
                pick.score = turned(opinion.score);
            }
            if foresight.best.as_ref().is_none_or(|best| rank(pick.score) > rank(best.score)) {
                foresight.score = pick.score;
                foresight.best = Some(pick);
            }
        }
        Some(foresight)
    }
}

/// The game with these moves, if they are legal.
fn continued(game: &Game, moves: &[Move]) -> Option<Game> {
    let mut game = game.clone();
    moves.iter().try_for_each(|&mv| game.play(mv)).ok().map(|()| game)
}

/// The game behind every way to end the turn, each position once.
fn ends(game: &Game) -> Vec<Game> {
    let (mut inside, mut seen, mut ends) = (vec![game.clone()], HashSet::new(), Vec::new());
    while let Some(game) = inside.pop() {
        for mv in game.position().legal_moves() {
            let Some(next) = continued(&game, &[mv]) else { continue };
            let position = next.position();
            if !seen.insert((position.key(), position.played())) {
                continue;
            }
            if position.at_boundary() { ends.push(next) } else { inside.push(next) }
        }
    }
    ends
}
