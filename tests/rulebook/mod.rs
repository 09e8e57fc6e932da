//! The rules once more, slow and plain: a board of letters, on which every move is tried on a copy.
//! It shares nothing with the engine but the rows of the catalogue, so what both say is right, or
//! misread twice.
#![allow(dead_code, reason = "each test file needs a part of this")]

use crescendo::rules::{
    Allowance, Balance, CheckRule, EnPassant, Goal, MAX_SERIES, Rebirth, RuleSet,
};

/// A square, from a1 = 0 along the ranks to h8 = 63.
type Place = usize;

/// A move: from, to, and the small letter of what a pawn becomes.
type Step = (Place, Place, Option<char>);

const KING_STEPS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A moment of a game.
#[derive(Clone)]
pub struct Table {
    rules: &'static RuleSet,
    /// The letter of the man on each square as position text has it, or a dot.
    men: [char; 64],
    white: bool,
    /// Home squares of kings and rooks that may still castle.
    fresh: Vec<Place>,
    /// Squares on which a pawn may be taken en passant now.
    targets: Vec<Place>,
    /// Squares skipped in this series by pawns that have not moved since.
    skipped: Vec<Place>,
    turn: usize,
    played: usize,
    quiet: usize,
    /// Whether this series has taken something or moved a pawn.
    progress: bool,
    /// How often the man on each square has moved in this series, or in this round of it.
    moved: [usize; 64],
}

fn shifted(place: Place, (files, ranks): (i32, i32)) -> Option<Place> {
    let (file, rank) = (place as i32 % 8 + files, place as i32 / 8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((file + 8 * rank) as usize)
}

fn name(place: Place) -> String {
    format!("{}{}", (b'a' + (place % 8) as u8) as char, place / 8 + 1)
}

fn place(name: &str) -> Place {
    let bytes = name.as_bytes();
    usize::from(bytes[0] - b'a') + 8 * usize::from(bytes[1] - b'1')
}

fn is_light(place: Place) -> bool {
    (place % 8 + place / 8) % 2 == 1
}

impl Table {
    /// The start of a turn, from position text that is known to be right.
    pub fn read(text: &str, rules: &'static RuleSet) -> Table {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut men = ['.'; 64];
        for (row, rank) in fields[0].split('/').enumerate() {
            let mut at = 8 * (7 - row);
            for letter in rank.chars() {
                match letter.to_digit(10) {
                    Some(empty) => at += empty as usize,
                    None => {
                        men[at] = letter;
                        at += 1;
                    }
                }
            }
        }
        let mut fresh = Vec::new();
        for letter in fields[2].chars() {
            fresh.extend(match letter {
                'K' => vec!["e1", "h1"],
                'Q' => vec!["e1", "a1"],
                'E' => vec!["e1"],
                'k' => vec!["e8", "h8"],
                'q' => vec!["e8", "a8"],
                'e' => vec!["e8"],
                _ => vec![],
            });
        }
        let targets: Vec<&str> = if fields[3] == "-" {
            Vec::new()
        } else {
            (0..fields[3].len() / 2).map(|at| &fields[3][2 * at..2 * at + 2]).collect()
        };
        Table {
            rules,
            men,
            white: fields[1] == "w",
            fresh: fresh.into_iter().map(place).collect(),
            targets: targets.into_iter().map(place).collect(),
            skipped: Vec::new(),
            turn: fields[5].parse().expect("a number"),
            played: 0,
            quiet: fields[4].parse().expect("a number"),
            progress: false,
            moved: [0; 64],
        }
    }

    /// The position text.
    pub fn text(&self) -> String {
        let mut ranks = Vec::new();
        for rank in (0..8).rev() {
            let mut line: String = self.men[8 * rank..8 * rank + 8].iter().collect();
            for empty in (1..=8).rev() {
                line = line.replace(&".".repeat(empty), &empty.to_string());
            }
            ranks.push(line);
        }
        let has = |square: &str| self.fresh.contains(&place(square));
        let (mut castling, mut kings) = (String::new(), String::new());
        for (home, letters) in [('1', "KQE"), ('8', "kqe")] {
            let letters: Vec<char> = letters.chars().collect();
            let [king, right, left] = ['e', 'h', 'a'].map(|file| has(&format!("{file}{home}")));
            castling.extend((king && right).then_some(letters[0]));
            castling.extend((king && left).then_some(letters[1]));
            let alone = king && !right && !left && self.rules.rebirth == Rebirth::Home;
            kings.extend(alone.then_some(letters[2]));
        }
        castling.push_str(&kings);
        let mut targets: Vec<String> = self.targets.iter().copied().map(name).collect();
        targets.sort();
        let or_none = |text: String| if text.is_empty() { "-".to_string() } else { text };
        let (side, castling) = (if self.white { 'w' } else { 'b' }, or_none(castling));
        let (ranks, targets) = (ranks.join("/"), or_none(targets.concat()));
        format!("{ranks} {side} {castling} {targets} {} {}", self.quiet, self.turn)
    }

    /// All legal moves in long algebraic form, in order.
    pub fn legal(&self) -> Vec<String> {
        let mut moves: Vec<String> = self.legal_steps().into_iter().map(written).collect();
        moves.sort();
        moves
    }

    /// How the game has ended by the moves alone, in the words of the protocol, or `none`.
    pub fn result(&self) -> String {
        let winner = if self.white { "black" } else { "white" };
        if self.is_take_all() && !self.men.iter().any(|&man| self.owns(man, self.white)) {
            return format!("{winner}-takeall");
        }
        if !self.legal_steps().is_empty() {
            return "none".to_string();
        }
        if !self.is_attacked_king(self.white) {
            return "draw-stalemate".to_string();
        }
        let kind = if self.orthodox().is_empty() { "checkmate" } else { "progressive-checkmate" };
        format!("{winner}-{kind}")
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: &str) {
        let step = (place(&mv[..2]), place(&mv[2..4]), mv.chars().nth(4));
        assert!(self.legal_steps().contains(&step), "{mv} in {}", self.text());
        if self.rules.balance == Balance::Rounds && self.moved[step.0] > 0 {
            // All others that can move have moved: a new round.
            self.moved = [0; 64];
        }
        *self = self.after(step);
        let alone = self.is_take_all() && !self.men.iter().any(|&man| self.owns(man, !self.white));
        let check = self.rules.check == CheckRule::EndsSeries && self.is_attacked_king(!self.white);
        if self.played == self.allowance() || alone || check {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        let takes = self.rules.en_passant != EnPassant::Never;
        let empty = |place: &Place| self.men[*place] == '.';
        self.targets = self.skipped.iter().copied().filter(|at| takes && empty(at)).collect();
        self.skipped.clear();
        self.quiet = if self.progress { 0 } else { self.quiet + 1 };
        self.progress = false;
        self.moved = [0; 64];
        self.white = !self.white;
        self.turn += 1;
        self.played = 0;
    }

    fn allowance(&self) -> usize {
        match self.rules.allowance {
            Allowance::Progressive => self.turn.min(MAX_SERIES),
            Allowance::OneThenTwo if self.turn == 1 => 1,
            Allowance::OneThenTwo | Allowance::Two => 2,
        }
    }

    fn is_take_all(&self) -> bool {
        self.rules.goal == Goal::TakeAll
    }

    fn owns(&self, man: char, white: bool) -> bool {
        man != '.' && man.is_ascii_uppercase() == white
    }

    /// The move made, while the series goes on.
    fn after(&self, (from, to, promotion): Step) -> Table {
        let mut next = self.clone();
        let man = self.men[from];
        let (pawn, ahead) = (man.eq_ignore_ascii_case(&'p'), if self.white { 1 } else { -1 });
        let passing = pawn && from % 8 != to % 8 && self.men[to] == '.';
        let victim_at =
            if passing { shifted(to, (0, -ahead)).expect("a square behind it") } else { to };
        let victim = self.men[victim_at];
        next.men[from] = '.';
        next.men[victim_at] = '.';
        next.men[to] = match promotion {
            Some(letter) if self.white => letter.to_ascii_uppercase(),
            Some(letter) => letter,
            None => man,
        };
        next.fresh.retain(|&home| home != from && home != to);
        next.moved[to] = self.moved[from] + 1;
        next.moved[from] = 0;
        if man.eq_ignore_ascii_case(&'k') && (from % 8).abs_diff(to % 8) == 2 {
            let (rook, beside) =
                if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) };
            next.men[beside] = next.men[rook];
            next.men[rook] = '.';
            next.fresh.retain(|&home| home != rook);
            next.moved[beside] = self.moved[rook] + 1;
            next.moved[rook] = 0;
        }
        next.skipped.retain(|&target| shifted(target, (0, ahead)) != Some(from));
        if pawn && from.abs_diff(to) == 16 {
            next.skipped.push((from + to) / 2);
        }
        next.targets.retain(|&target| {
            target != to && passing && self.rules.en_passant == EnPassant::FirstMoveAndRepeat
        });
        if victim != '.'
            && self.rules.rebirth == Rebirth::Home
            && let Some(home) = birthplace(victim, victim_at)
            && next.men[home] == '.'
        {
            next.men[home] = victim;
            if victim.eq_ignore_ascii_case(&'r') && self.rules.castling {
                next.fresh.push(home);
            }
        }
        next.progress |= pawn || victim != '.';
        next.played += 1;
        next
    }

    fn legal_steps(&self) -> Vec<Step> {
        let mut steps = self.orthodox();
        if self.rules.check == CheckRule::LastMoveOnly && self.played + 1 < self.allowance() {
            steps.retain(|&step| !self.after(step).is_attacked_king(!self.white));
        }
        let least = steps.iter().map(|step| self.moved[step.0]).min();
        match self.rules.balance {
            Balance::Free => {}
            Balance::CatchUp => steps.retain(|step| Some(self.moved[step.0]) == least),
            Balance::Rounds if least == Some(0) => steps.retain(|step| self.moved[step.0] == 0),
            Balance::Rounds => {}
        }
        steps
    }

    /// Moves after which the own king is not attacked.
    fn orthodox(&self) -> Vec<Step> {
        let mut steps = self.reach();
        steps.retain(|&step| !self.after(step).is_attacked_king(self.white));
        steps
    }

    /// Moves by the way the men go.
    fn reach(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for from in (0..64).filter(|&from| self.owns(self.men[from], self.white)) {
            if self.men[from].eq_ignore_ascii_case(&'p') {
                self.reach_of_pawn(from, &mut steps);
                continue;
            }
            let free = |to: &Place| !self.owns(self.men[*to], self.white);
            steps.extend(
                self.attacked_from(from).into_iter().filter(free).map(|to| (from, to, None)),
            );
        }
        self.reach_of_castling(&mut steps);
        steps
    }

    fn reach_of_pawn(&self, from: Place, steps: &mut Vec<Step>) {
        let (ahead, home, last) = if self.white { (1, 1, 7) } else { (-1, 6, 0) };
        let mut goals = Vec::new();
        let one = shifted(from, (0, ahead)).filter(|&to| self.men[to] == '.');
        goals.extend(one);
        if one.is_some() && from / 8 == home && self.rules.double_step {
            goals.extend(shifted(from, (0, 2 * ahead)).filter(|&to| self.men[to] == '.'));
        }
        let takes = |to: &Place| {
            self.owns(self.men[*to], !self.white)
                || self.men[*to] == '.' && self.targets.contains(to)
        };
        goals.extend(
            [-1, 1].into_iter().filter_map(|side| shifted(from, (side, ahead))).filter(takes),
        );
        for to in goals {
            if to / 8 != last {
                steps.push((from, to, None));
                continue;
            }
            let choices = if self.is_take_all() { "qrbnk" } else { "qrbn" };
            steps.extend(choices.chars().map(|letter| (from, to, Some(letter))));
        }
    }

    fn reach_of_castling(&self, steps: &mut Vec<Step>) {
        let king = if self.white { 4 } else { 60 };
        for (rook, to, between, path) in [
            (king + 3, king + 2, vec![king + 1, king + 2], [king, king + 1, king + 2]),
            (king - 4, king - 2, vec![king - 1, king - 2, king - 3], [king, king - 1, king - 2]),
        ] {
            let rights = self.rules.castling
                && self.fresh.contains(&king)
                && self.fresh.contains(&rook)
                && between.iter().all(|&square| self.men[square] == '.');
            let safe =
                |square: &Place| self.is_take_all() || !self.is_attacked(*square, !self.white);
            if rights && path.iter().all(safe) {
                steps.push((king, to, None));
            }
        }
    }

    /// The squares that the man there attacks.
    fn attacked_from(&self, from: Place) -> Vec<Place> {
        let man = self.men[from];
        let straight = |step: &&(i32, i32)| step.0 == 0 || step.1 == 0;
        let ahead = if man.is_ascii_uppercase() { 1 } else { -1 };
        let (steps, far): (Vec<(i32, i32)>, bool) = match man.to_ascii_lowercase() {
            'p' => (vec![(-1, ahead), (1, ahead)], false),
            'n' => (KNIGHT_STEPS.to_vec(), false),
            'k' => (KING_STEPS.to_vec(), false),
            'q' => (KING_STEPS.to_vec(), true),
            'r' => (KING_STEPS.iter().filter(straight).copied().collect(), true),
            _ => (KING_STEPS.iter().filter(|step| !straight(step)).copied().collect(), true),
        };
        let mut squares = Vec::new();
        for step in steps {
            let mut at = from;
            while let Some(to) = shifted(at, step) {
                squares.push(to);
                at = to;
                if !far || self.men[to] != '.' {
                    break;
                }
            }
        }
        squares
    }

    fn is_attacked(&self, target: Place, by_white: bool) -> bool {
        let mut men = (0..64).filter(|&from| self.owns(self.men[from], by_white));
        men.any(|from| self.attacked_from(from).contains(&target))
    }

    /// Whether the king of a side is attacked, where that matters.
    fn is_attacked_king(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let at = self.men.iter().position(|&man| man == king);
        !self.is_take_all() && at.is_some_and(|at| self.is_attacked(at, !white))
    }
}

/// Where a man taken on a square comes back; kings do not.
fn birthplace(man: char, taken_at: Place) -> Option<Place> {
    let rank = if man.is_ascii_uppercase() { 0 } else { 56 };
    let of_colour = |files: [Place; 2]| {
        files.map(|file| rank + file).into_iter().find(|&home| is_light(home) == is_light(taken_at))
    };
    match man.to_ascii_lowercase() {
        'p' => Some(if rank == 0 { 8 } else { 48 } + taken_at % 8),
        'n' => of_colour([1, 6]),
        'b' => of_colour([2, 5]),
        'r' => of_colour([0, 7]),
        'q' => Some(rank + 3),
        _ => None,
    }
}

fn written((from, to, promotion): Step) -> String {
    format!("{}{}{}", name(from), name(to), promotion.map_or(String::new(), String::from))
}
