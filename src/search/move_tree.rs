//! Where the positions of a layer come from: moves, each behind the one before it.

use super::series_gen::touched;
use crate::board::Square;
use crate::position::{Move, Position};

/// Before any move: the parent of the first ones.
const ROOT: u32 = u32::MAX;

/// The moves that lead to the positions of all layers so far. A node is the number of a move; the
/// moves before it are found through its parent.
#[derive(Default)]
pub(super) struct MoveTree {
    /// The parent of each node, and its move.
    nodes: Vec<(u32, Move)>,
}

impl MoveTree {
    /// An empty tree with room for so many nodes, which is there from the start.
    pub fn with_room(nodes: usize) -> MoveTree {
        let mv = Move { from: Square::A1, to: Square::A1, promotion: None };
        MoveTree { nodes: touched(&(ROOT, mv), nodes) }
    }

    /// Forgets all nodes; keeps the room.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// The last move on the way to `node`, and the node before it; `None` at the root.
    pub fn last(&self, node: u32) -> Option<(u32, Move)> {
        self.nodes.get(node as usize).copied()
    }

    /// The moves that lead to `node`.
    pub fn line(&self, mut node: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((parent, mv)) = self.last(node) {
            moves.push(mv);
            node = parent;
        }
        moves.reverse();
        moves
    }
}

/// A position of the layer in hand, and its node.
#[derive(Clone)]
pub(super) struct Spot {
    pub position: Position,
    pub node: u32,
}

impl Spot {
    /// The position in which everything begins.
    pub fn root(position: &Position) -> Spot {
        Spot { position: *position, node: ROOT }
    }

    /// The position after a legal move, which becomes a node of `tree`.
    pub fn after(&self, mv: Move, tree: &mut MoveTree) -> Spot {
        let mut position = self.position;
        position.play_unchecked(mv);
        tree.nodes.push((self.node, mv));
        Spot { position, node: tree.nodes.len() as u32 - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    #[test]
    fn lines_lead_back_to_the_root() {
        let [e4, d4, e6, e5] = ["e2e4", "d2d4", "e7e6", "e6e5"].map(|mv| mv.parse().unwrap());
        let start = Position::start(variants::default());
        let root = Spot::root(&start);
        let mut tree = MoveTree::default();
        let (first, second) = (root.after(e4, &mut tree), root.after(d4, &mut tree));
        let third = first.after(e6, &mut tree).after(e5, &mut tree);
        assert_eq!(tree.line(root.node), []);
        assert_eq!(tree.line(second.node), [d4]);
        assert_eq!(tree.line(third.node), [e4, e6, e5]);
        assert_eq!(tree.last(root.node), None);
        assert_eq!(tree.last(second.node), Some((root.node, d4)));
    }
}
