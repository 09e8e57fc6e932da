//! From a question to the line that answers it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::question::{Question, Task, id_of};
use crate::engine::{Progress, Solve, SolveTask, guarded, playable};
use crate::position::{Game, Move, Position, legible};
use crate::search::perft::{Counts, Depth, perft};
use crate::search::solver::Solver;
use crate::search::{Control, Limits, Report, Request, Score, Searcher, TimePlan};
use crate::tools::wins_now;

/// The longest complaint, in characters: what it quotes may be anything.
const COMPLAINT: usize = 300;

/// A line of output, one of the two kinds.
#[derive(Serialize)]
struct Line<'l, B> {
    id: &'l RawValue,
    #[serde(flatten)]
    body: B,
}

#[derive(Serialize)]
struct Complaint {
    error: String,
}

/// An answer; its fields have the names that they have in the protocol.
#[derive(Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Body {
    Status {
        turn: u16,
        side: String,
        allowance: u8,
        played: u8,
        check: bool,
        result: String,
        /// The start of the turn.
        fen: String,
        /// The moves made since.
        moves: Series,
    },
    Solve {
        solved: bool,
        count: u128,
        nodes: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        solutions: Option<Vec<Series>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cooks: Option<Vec<Series>>,
    },
    Perft {
        count: u128,
        #[serde(skip_serializing_if = "Option::is_none")]
        distinct: Option<u64>,
        mates: u128,
        italianmates: u128,
        stalemates: u128,
        checks: u128,
    },
    Search {
        bestmove: Series,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ponder: Series,
        #[serde(flatten)]
        told: Option<Told>,
    },
}

/// What a search has told last.
#[derive(Serialize)]
struct Told {
    depth: u32,
    seldepth: u32,
    nodes: u64,
    #[serde(flatten)]
    best: Ranked,
    /// Whether the opponent has no win in his next turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    safe: Option<String>,
    /// The lines behind the best one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Ranked>,
}

/// A line of a search.
#[derive(Serialize)]
struct Ranked {
    score: Worth,
    pv: Series,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Worth {
    Cp(i32),
    Mate(i32),
}

/// Moves in long algebraic form.
type Series = Vec<String>;

fn series(moves: &[Move]) -> Series {
    moves.iter().map(Move::to_string).collect()
}

/// What a thread may use.
#[derive(Clone)]
pub(super) struct Means {
    /// The memory for tables, in MiB.
    pub hash: usize,
    /// Ends the work at once; the answer is then worth nothing.
    pub stop: Arc<AtomicBool>,
}

/// The answer to a line, both without the end of the line.
pub(super) fn answer(line: &[u8], means: &Means) -> String {
    let answered = guarded(|| {
        let Question { id, asked } = Question::read(line);
        match asked {
            Ok((game, task)) => written(&Line { id: &id, body: body(&game, &task, means) }),
            Err(error) => complaint(&id, &error),
        }
    });
    answered
        .unwrap_or_else(|panic| complaint(&id_of(line), &format!("the job has failed: {panic}")))
}

/// The answer to a line that is wrong.
pub(super) fn complaint(id: &RawValue, error: &str) -> String {
    written(&Line { id, body: Complaint { error: legible(error, COMPLAINT) } })
}

fn written(line: &impl Serialize) -> String {
    let text = serde_json::to_string(line);
    text.unwrap_or_else(|error| json!({ "id": null, "error": error.to_string() }).to_string())
}

fn body(game: &Game, task: &Task, means: &Means) -> Body {
    let position = game.position();
    match task {
        Task::Status => status(game),
        Task::Solve { task, exact, limits } => solve(position, *task, *exact, limits, means),
        Task::Perft { depth, distinct } => count(position, *depth, *distinct, means),
        Task::Search { limits, multi_pv } => search(game, limits, *multi_pv, means),
    }
}

fn status(game: &Game) -> Body {
    let position = game.position();
    let outcome = game.outcome(wins_now);
    Body::Status {
        turn: position.turn(),
        side: position.side().to_string(),
        allowance: position.allowance(),
        played: position.played(),
        check: position.in_check(),
        result: outcome.map_or("none".to_string(), |outcome| outcome.to_string()),
        fen: game.boundary().pfen(),
        moves: series(game.series()),
    }
}

fn solve(
    position: &Position,
    task: SolveTask,
    exact: bool,
    limits: &Limits,
    means: &Means,
) -> Body {
    let (mut solutions, mut cooks) = (Vec::new(), Vec::new());
    let full = usize::from(position.moves_left());
    let mut tell = |progress| {
        if let Progress::Solution(found) = progress {
            let short = exact && found.len() < full;
            (if short { &mut cooks } else { &mut solutions }).push(series(&found));
        }
    };
    let job = Solve {
        position: *position,
        task,
        deadline: limits.move_time.map(|time| Instant::now() + time),
        nodes: limits.nodes,
        threads: 1,
        progress: Arc::default(),
    };
    let solved = job.perform(&mut Solver::new(means.hash), &means.stop, &mut tell);
    Body::Solve {
        solved: solved.complete,
        count: if exact { solutions.len() as u128 } else { solved.count },
        nodes: solved.nodes,
        solutions: (task != SolveTask::Count).then_some(solutions),
        cooks: exact.then_some(cooks),
    }
}

fn count(position: &Position, depth: Depth, distinct: bool, means: &Means) -> Body {
    let control = Control::new(means.stop.clone(), None, None);
    // Only a stop leaves nothing.
    let counts = perft(position, depth, distinct, &control).unwrap_or_default();
    let Counts { count, distinct, mates, italian_mates: italianmates, stalemates, checks } = counts;
    Body::Perft { count, distinct, mates, italianmates, stalemates, checks }
}

fn search(game: &Game, limits: &Limits, multi_pv: u32, means: &Means) -> Body {
    let position = game.position();
    if !position.has_legal_move() {
        return Body::Search { bestmove: Vec::new(), ponder: Vec::new(), told: None };
    }
    let plan = TimePlan::new(limits, position.side(), Instant::now(), Duration::ZERO);
    let request = Request { limits: limits.clone(), plan, multi_pv, threads: 1 };
    let control = Control::new(means.stop.clone(), plan.hard, limits.nodes);
    let mut told: Option<Told> = None;
    let choice = Searcher::new(means.hash).choose(game, &request, &control, &mut |report| {
        let Report { depth, seldepth, multipv, score, nodes, pv, safety, .. } = report;
        let safe = safety.map(|safety| safety.to_string());
        let line = Ranked { score: score.into(), pv: series(&pv) };
        match &mut told {
            Some(told) if multipv > 1 => told.others.push(line),
            told => {
                *told = Some(Told { depth, seldepth, nodes, best: line, safe, others: Vec::new() });
            }
        }
    });
    let choice = playable(position, &choice);
    Body::Search { bestmove: series(&choice.series), ponder: series(&choice.ponder), told }
}

impl From<Score> for Worth {
    fn from(score: Score) -> Worth {
        match score {
            Score::Centipawns(value) => Worth::Cp(value),
            Score::Mate(turns) => Worth::Mate(turns),
        }
    }
}
