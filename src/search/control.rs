//! When a running search has to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The reasons to break off, asked by everything that runs long.
///
/// Each search gets a `Control` of its own, so that a late stop cannot reach the next one.
#[derive(Clone, Debug, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    nodes: Option<u64>,
}

impl Control {
    /// Stops when `stop` is set, at `deadline`, or after `nodes` nodes.
    pub fn new(stop: Arc<AtomicBool>, deadline: Option<Instant>, nodes: Option<u64>) -> Control {
        Control { stop, deadline, nodes }
    }

    /// Never stops by itself.
    pub fn unlimited() -> Control {
        Control::default()
    }

    /// The same, but stopping no later than `deadline`.
    pub fn until(&self, deadline: Instant) -> Control {
        let deadline = Some(self.deadline.map_or(deadline, |own| own.min(deadline)));
        Control { deadline, ..self.clone() }
    }

    /// The same, but stopping after `nodes` nodes at the latest.
    pub fn within_nodes(&self, nodes: u64) -> Control {
        let nodes = Some(self.nodes.map_or(nodes, |own| own.min(nodes)));
        Control { nodes, ..self.clone() }
    }

    /// The same for the rest of a work of which `spent` nodes are done.
    pub fn after_nodes(&self, spent: u64) -> Control {
        let nodes = self.nodes.map(|limit| limit.saturating_sub(spent));
        Control { nodes, ..self.clone() }
    }

    /// Whether to stop now, `nodes` nodes into the work. Reads the clock: ask every few thousand
    /// nodes.
    pub fn should_stop(&self, nodes: u64) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.nodes.is_some_and(|limit| nodes >= limit)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// When the time is up, if there is a limit.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// How many nodes there are, if there is a limit.
    pub fn node_limit(&self) -> Option<u64> {
        self.nodes
    }
}
