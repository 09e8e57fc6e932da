//! What results say about strength.
//!
//! Games come in pairs from the same opening with colours changed. The two games of a pair depend
//! on each other, so the pair is the unit of all statistics: its first player has won 0, ½, 1, 1½ or
//! 2 points (the pentanomial model).
//!
//! The log-likelihood ratio is that of fishtest (`server/fishtest/stats/LLRcalc.py`, by Michel Van
//! den Bergh): each hypothesis is represented by the distribution of highest likelihood among
//! those whose expected score is the one its Elo difference predicts (logistic model). Empty
//! classes count 0.001 there and here.

use std::fmt;
use std::str::FromStr;

/// Results of one player against another.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Finished pairs by the half points that the player got out of them, 0 to 4.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Counts a game of so many half points, 0 to 2.
    pub fn add_game(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts a finished pair of so many half points, 0 to 4.
    pub fn add_pair(&mut self, half_points: usize) {
        if let Some(count) = self.pairs.get_mut(half_points) {
            *count += 1;
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points of all games, 0 to 1; 0 without games.
    pub fn score(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        points / (self.games().max(1)) as f64
    }

    /// The strength that the finished pairs speak for; `None` without any.
    pub fn estimate(&self) -> Option<Estimate> {
        let count: u64 = self.pairs.iter().sum();
        if count == 0 {
            return None;
        }
        let share = |pairs: u64| pairs as f64 / count as f64;
        let classes =
            || self.pairs.iter().zip(POINTS).map(|(&pairs, points)| (points, share(pairs)));
        let mean: f64 = classes().map(|(points, share)| points * share).sum();
        let variance: f64 = classes().map(|(points, share)| share * (points - mean).powi(2)).sum();
        let error = (variance / count as f64).sqrt();
        // Φ(z) for the z by which the mean is above even play.
        let los = if error > 0.0 {
            0.5 * libm::erfc((0.5 - mean) / error / std::f64::consts::SQRT_2)
        } else {
            [0.0, 0.5, 1.0][usize::from(mean >= 0.5) + usize::from(mean > 0.5)]
        };
        let (low, high) = (mean - QUANTILE * error, mean + QUANTILE * error);
        Some(Estimate { elo: elo(mean), low: elo(low), high: elo(high), los })
    }
}

/// The two-sided 95 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The points of a game that each class of pairs stands for.
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A difference in strength.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The likeliest Elo difference; infinite if all points went one way.
    pub elo: f64,
    /// The 95 % interval around it.
    pub low: f64,
    pub high: f64,
    /// The likelihood of superiority, 0 to 1.
    pub los: f64,
}

/// The Elo difference at which a score, 0 to 1, is expected.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The score, 0 to 1, that is expected at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test: whether the Elo difference is rather `elo0` or `elo1`.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// How often `elo1` may be accepted although `elo0` is true.
    pub alpha: f64,
    /// How often `elo0` may be accepted although `elo1` is true.
    pub beta: f64,
}

/// What a test says.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The difference is taken to be `elo0`.
    AcceptH0,
    /// The difference is taken to be `elo1`.
    AcceptH1,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// How much more the pairs speak for `elo1` than for `elo0`.
    pub fn log_likelihood_ratio(&self, pairs: &[u64; 5]) -> f64 {
        let counts = pairs.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let h0 = likeliest(&observed, expected_score(self.elo0));
        let h1 = likeliest(&observed, expected_score(self.elo1));
        (0..5).map(|class| counts[class] * (h1[class] / h0[class]).ln()).sum()
    }

    /// Whether the test has come to an end.
    pub fn decision(&self, pairs: &[u64; 5]) -> Option<Decision> {
        if pairs.iter().all(|&count| count == 0) {
            return None;
        }
        let (ratio, (low, high)) = (self.log_likelihood_ratio(pairs), self.bounds());
        if ratio >= high {
            Some(Decision::AcceptH1)
        } else if ratio <= low {
            Some(Decision::AcceptH0)
        } else {
            None
        }
    }
}

/// The distribution of highest likelihood with mean `score`, where all classes were observed: each
/// share is divided by `1 + x (points - score)`, with the x that makes the mean right.
fn likeliest(observed: &[f64; 5], score: f64) -> [f64; 5] {
    let share = |class: usize, x: f64| observed[class] / (1.0 + x * (POINTS[class] - score));
    // The mean falls as x grows between the poles.
    let excess =
        |x: f64| (0..5).map(|class| share(class, x) * (POINTS[class] - score)).sum::<f64>();
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|class| share(class, x))
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `elo0=0 elo1=10 alpha=0.05 beta=0.05`; alpha and beta are 0.05 where they are missing.
    fn from_str(text: &str) -> Result<Sprt, String> {
        let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
        for part in text.split([' ', ',']).filter(|part| !part.is_empty()) {
            let wrong = || format!("'{part}' is not elo0=, elo1=, alpha= or beta= with a number");
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            let value: f64 =
                value.parse().ok().filter(|v: &f64| v.is_finite()).ok_or_else(wrong)?;
            match key {
                "elo0" => elo0 = Some(value),
                "elo1" => elo1 = Some(value),
                "alpha" => alpha = value,
                "beta" => beta = value,
                _ => return Err(wrong()),
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
            return Err("the test needs elo0= and elo1=".to_string());
        };
        if !(-1000.0 <= elo0 && elo0 < elo1 && elo1 <= 1000.0) {
            return Err("elo0 has to be below elo1, and both from -1000 to 1000".to_string());
        }
        if [alpha, beta].iter().any(|error| !(1e-6..=0.49).contains(error)) {
            return Err("alpha and beta have to be from 0.000001 to 0.49".to_string());
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() < tolerance, "{a} is not {b}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(elo(0.5), 0.0, 1e-9);
        close(expected_score(400.0), 10.0 / 11.0, 1e-12);
        close(elo(expected_score(-37.5)), -37.5, 1e-9);
        assert_eq!(elo(1.0), f64::INFINITY);
        assert_eq!(elo(-0.2), f64::NEG_INFINITY);
    }

    #[test]
    fn an_even_match_speaks_for_nobody() {
        let tally = Tally { wins: 30, draws: 40, losses: 30, pairs: [5, 10, 20, 10, 5] };
        let estimate = tally.estimate().unwrap();
        close(estimate.elo, 0.0, 1e-9);
        close(estimate.los, 0.5, 1e-9);
        close(estimate.high, -estimate.low, 1e-9);
        // Variance of a pair: (10·0.25 + 20·0.0625)/50 = 0.075, and 1.96·√(0.075/50) = 0.0759.
        close(estimate.high, elo(0.5 + 0.075_907), 0.01);
    }

    #[test]
    fn one_sided_matches_have_no_bounds() {
        let tally = Tally { wins: 4, draws: 0, losses: 0, pairs: [0, 0, 0, 0, 2] };
        let estimate = tally.estimate().unwrap();
        assert_eq!((estimate.elo, estimate.los), (f64::INFINITY, 1.0));
        assert_eq!(Tally::default().estimate(), None);
        let drawn = Tally { pairs: [0, 0, 3, 0, 0], ..Tally::default() };
        assert_eq!(drawn.estimate().unwrap().los, 0.5);
    }

    #[test]
    fn the_ratio_is_that_of_the_exact_multinomial() {
        let sprt: Sprt = "elo0=0 elo1=10".parse().unwrap();
        let (low, high) = sprt.bounds();
        close(low, -2.944, 1e-3);
        close(high, 2.944, 1e-3);
        assert!(sprt.log_likelihood_ratio(&[10, 20, 40, 20, 10]) < 0.0);
        // The same formula, worked out apart from this code.
        let wide: Sprt = "elo0=0 elo1=50".parse().unwrap();
        close(wide.log_likelihood_ratio(&[0, 0, 10, 4, 9]), 3.072_200, 1e-5);
        let shares = likeliest(&[0.1, 0.2, 0.4, 0.2, 0.1], 0.6);
        close(shares.iter().sum(), 1.0, 1e-9);
        close(shares.iter().zip(POINTS).map(|(share, points)| share * points).sum(), 0.6, 1e-9);
        // Near the truth the ratio is N (s1 - s0)(2 s - s0 - s1) / (2 variance).
        let pairs = [40, 180, 400, 240, 70];
        let count: f64 = pairs.iter().sum::<u64>() as f64;
        let mean = pairs.iter().zip(POINTS).map(|(&n, p)| n as f64 * p).sum::<f64>() / count;
        let variance =
            pairs.iter().zip(POINTS).map(|(&n, p)| n as f64 * (p - mean).powi(2)).sum::<f64>()
                / count;
        let (s0, s1) = (expected_score(0.0), expected_score(10.0));
        let normal = count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        close(sprt.log_likelihood_ratio(&pairs) / normal, 1.0, 0.02);
        assert_eq!(sprt.decision(&pairs), Some(Decision::AcceptH1));
        assert_eq!(sprt.decision(&[70, 240, 400, 180, 40]), Some(Decision::AcceptH0));
        assert_eq!(sprt.decision(&[1, 2, 4, 2, 1]), None);
        assert_eq!(sprt.decision(&[0; 5]), None);
    }

    #[test]
    fn tests_are_read() {
        let sprt: Sprt = "elo0=-5 elo1=5 alpha=0.1 beta=0.2".parse().unwrap();
        assert_eq!(sprt, Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.1, beta: 0.2 });
        for wrong in
            ["", "elo0=0", "elo0=5 elo1=5", "elo0=0 elo1=x", "elo0=0 elo1=5 alpha=0", "gamma=1"]
        {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }
}
