//! What a search has left to spend, of time or of nodes, as one number from 0 to 1.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::search::{Control, Limits, TimePlan};

/// The nodes of a search that no limit ends.
const PATIENCE: u64 = 100_000_000;

/// The same where a win was asked for and there is none: the answer is a makeshift.
const PATIENCE_WITHOUT_WIN: u64 = 3_000_000;

/// Moves that generating surely makes in a second.
const NODES_A_SECOND: f64 = 3_000_000.0;

/// The last moment is for handing over the answer.
const MARGIN: Duration = Duration::from_millis(2);

/// The means of one search, which all its threads spend.
///
/// Phases ask how much is spent and get a share of the rest. Without a time limit no clock decides
/// anything: the same search takes the same course every time.
pub(super) struct Purse {
    /// Ends the search whatever it is doing.
    stop: Control,
    start: Instant,
    /// Nothing new is begun after this.
    soft: Option<Instant>,
    limit: Option<u64>,
    /// Whether `limit` is nothing but patience.
    unlimited: bool,
    nodes: AtomicU64,
}

impl Purse {
    pub(super) fn new(limits: &Limits, plan: &TimePlan, control: &Control) -> Purse {
        let start = Instant::now();
        let hard = [plan.hard, control.deadline()].into_iter().flatten().min();
        let stop = match hard {
            Some(hard) => {
                let margin = MARGIN.min(hard.saturating_duration_since(start) / 8);
                control.until(hard - margin)
            }
            None => control.clone(),
        };
        let soft = [plan.soft, stop.deadline()].into_iter().flatten().min();
        let limit = [limits.nodes, control.node_limit()].into_iter().flatten().min();
        let unlimited = soft.is_none() && limit.is_none();
        let patience = if limits.mate.is_some() { PATIENCE_WITHOUT_WIN } else { PATIENCE };
        let limit = if unlimited { Some(patience) } else { limit };
        Purse { stop, start, soft, limit, unlimited, nodes: AtomicU64::new(0) }
    }

    /// The purse of a search that nothing limits.
    #[cfg(test)]
    pub(super) fn unlimited() -> Purse {
        let plan = TimePlan { soft: None, hard: None };
        Purse::new(&Limits::default(), &plan, &Control::unlimited())
    }

    /// Nodes spent.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Spends nodes.
    pub(super) fn spend(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search has to end now.
    pub(super) fn is_empty(&self) -> bool {
        self.stop.should_stop(self.nodes()) || self.limit.is_some_and(|limit| self.nodes() >= limit)
    }

    /// How much is spent: 0 at the start, 1 when nothing new should be begun.
    pub(super) fn spent(&self) -> f64 {
        let of_nodes = self.limit.map_or(0.0, |limit| self.nodes() as f64 / limit.max(1) as f64);
        let of_time = self.soft.map_or(0.0, |soft| {
            let whole = soft.saturating_duration_since(self.start).as_secs_f64();
            self.start.elapsed().as_secs_f64() / whole.max(1e-6)
        });
        of_nodes.max(of_time).min(1.0)
    }

    /// Ends work that begins now when `share` of all is spent. Counts the nodes of that work alone.
    pub(super) fn until(&self, share: f64) -> Control {
        let control = self.rest();
        let control = match self.limit {
            Some(limit) => {
                control.within_nodes(((limit as f64 * share) as u64).saturating_sub(self.nodes()))
            }
            None => control,
        };
        match self.soft {
            Some(soft) => {
                let whole = soft.saturating_duration_since(self.start);
                control.until(self.start + whole.mul_f64(share))
            }
            None => control,
        }
    }

    /// Ends work that begins now when the search has to end. Counts the nodes of that work alone.
    pub(super) fn rest(&self) -> Control {
        match self.limit {
            Some(limit) => self.stop.within_nodes(limit.saturating_sub(self.nodes())),
            None => self.stop.clone(),
        }
    }

    /// As [`Purse::rest`], but without bound if the limits of the search have none.
    pub(super) fn rest_unbounded(&self) -> Control {
        if self.unlimited { self.stop.clone() } else { self.rest() }
    }

    /// Leaves out what was spent so far if nothing but patience bounds the search.
    pub(super) fn excuse(&mut self) {
        if self.unlimited {
            self.limit = self.limit.map(|limit| limit.saturating_add(self.nodes()));
        }
    }

    /// So many moves `share` of all is worth when series are generated.
    pub(super) fn moves_for(&self, share: f64) -> u64 {
        let by_nodes = self.limit.map_or(f64::MAX, |limit| limit as f64 * share);
        let by_time = self.soft.map_or(f64::MAX, |soft| {
            soft.saturating_duration_since(self.start).as_secs_f64() * share * NODES_A_SECOND
        });
        by_nodes.min(by_time) as u64
    }
}
