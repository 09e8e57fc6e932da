//! Who meets whom, how often, and from which opening.

use super::openings::{Book, Opening};

/// One game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The number of the game, from 1.
    pub number: u64,
    /// Which two contestants meet, the lower index first.
    pub pairing: [usize; 2],
    /// Which of all pairs of games of this pairing it belongs to, from 0.
    pub pair: u64,
    /// The contestants with White and Black.
    pub seats: [usize; 2],
    pub opening: Opening,
}

/// All games of a match: each two contestants meet in pairs of games from the same opening, with
/// colours changed.
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    /// Games of each pairing.
    games: u64,
    book: Book,
}

impl Schedule {
    /// A schedule in which each two of `contestants` meet `games` times.
    pub fn new(contestants: usize, games: u64, book: Book) -> Schedule {
        let pairings = (0..contestants)
            .flat_map(|first| (first + 1..contestants).map(move |second| [first, second]))
            .collect();
        Schedule { pairings, games, book }
    }

    /// Each two that meet.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of all games.
    pub fn len(&self) -> u64 {
        self.games.saturating_mul(self.pairings.len() as u64)
    }

    /// The game with this number, from 1; `None` beyond the last. Pair follows pair, and within
    /// a pair of openings pairing follows pairing.
    pub fn slot(&mut self, number: u64) -> Option<Slot> {
        let index = number.checked_sub(1).filter(|index| *index < self.len())?;
        let pairings = self.pairings.len() as u64;
        let pair = index / (2 * pairings);
        // The last opening of an odd number of games is played once only.
        let rounds = (self.games - 2 * pair).min(2);
        let within = index % (2 * pairings);
        let pairing = *self.pairings.get((within / rounds) as usize)?;
        let seats = if within.is_multiple_of(rounds) { pairing } else { [pairing[1], pairing[0]] };
        Some(Slot { number, pairing, pair, seats, opening: self.book.opening(pair) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::openings::RandomBook;
    use super::*;
    use crate::rules::variants;

    fn slots(contestants: usize, games: u64) -> Vec<Slot> {
        let book = RandomBook::new(variants::default(), 1, 1);
        let mut schedule = Schedule::new(contestants, games, Book::Random(Box::new(book)));
        (1..).map_while(|number| schedule.slot(number)).collect()
    }

    #[test]
    fn colours_change_and_the_opening_stays() {
        let slots = slots(2, 4);
        let seats: Vec<[usize; 2]> = slots.iter().map(|slot| slot.seats).collect();
        assert_eq!(seats, [[0, 1], [1, 0], [0, 1], [1, 0]]);
        assert_eq!(slots[0].opening, slots[1].opening);
        assert_ne!(slots[1].opening, slots[2].opening);
    }

    #[test]
    fn everybody_meets_everybody() {
        for games in [1, 2, 3] {
            let slots = slots(3, games);
            for pairing in [[0, 1], [0, 2], [1, 2]] {
                let met: Vec<_> = slots.iter().filter(|slot| slot.pairing == pairing).collect();
                assert_eq!(met.len() as u64, games);
                let pairs: Vec<u64> = met.iter().map(|slot| slot.pair).collect();
                assert_eq!(pairs, [0, 0, 1][..games as usize]);
                assert!(met.iter().skip(1).take(1).all(|s| s.seats == [pairing[1], pairing[0]]));
            }
            assert_eq!(slots.len() as u64, 3 * games);
        }
    }
}
