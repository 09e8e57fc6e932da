//! Numbers by turn as a picture (SVG): stacked bars, one panel for results, one for chances.

use std::fmt::Write;

use super::totals::{Totals, TurnTotals};

/// The size of the area of a panel's bars, in pixels.
const AREA: (f64, f64) = (720.0, 200.0);

/// What is left free around it.
const MARGIN: f64 = 50.0;

/// The widest bar.
const WIDEST: f64 = 40.0;

/// How many lines a panel has for reading its numbers, about.
const LINES: f64 = 5.0;

/// One panel: bars made of parts, each with a name and a colour.
struct Panel<'p> {
    title: &'p str,
    parts: [(&'p str, &'p str); 4],
    /// By turn, from the first one on, the height of each part.
    bars: Vec<[u64; 4]>,
    first_turn: u16,
}

/// The totals as a picture.
pub(super) fn svg(totals: &Totals) -> String {
    let first = totals.turns.keys().next().copied().unwrap_or(1);
    let last = totals.turns.keys().next_back().copied().unwrap_or(first);
    let bars = |part: fn(&TurnTotals) -> [u64; 4]| {
        let bar = |turn| totals.turns.get(&turn).map_or([0; 4], part);
        (first..=last).map(bar).collect()
    };
    let [white, black, draws, open] = TurnTotals::ENDED;
    let [won, missed, _, unknown] = TurnTotals::CHANCES;
    let panels = [
        Panel {
            title: "Games by the turn in which they end",
            parts: [(white, "#e6c068"), (black, "#31405f"), (draws, "#93a4b5"), (open, "#dcdcdc")],
            bars: bars(|turn| turn.ended),
            first_turn: first,
        },
        Panel {
            title: "Turns that could be won",
            parts: [(won, "#4f8f5b"), (missed, "#c2543d"), ("", "none"), (unknown, "#dcdcdc")],
            bars: bars(|turn| [turn.chances[0], turn.chances[1], 0, turn.chances[3]]),
            first_turn: first,
        },
    ];
    let (width, height) = (AREA.0 + 2.0 * MARGIN, AREA.1 + 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        height * panels.len() as f64
    );
    for (index, panel) in panels.iter().enumerate() {
        let top = MARGIN + height * index as f64;
        let _ = writeln!(text, "<g transform=\"translate({MARGIN} {top})\">");
        panel.draw(&mut text);
        text.push_str("</g>\n");
    }
    text + "</svg>\n"
}

impl Panel<'_> {
    /// Draws the panel with its upper left corner at the origin.
    fn draw(&self, text: &mut String) {
        let most = self.bars.iter().map(|bar| bar.iter().sum::<u64>()).max().unwrap_or(0).max(1);
        let scale = AREA.1 / most as f64;
        self.draw_frame(text, most, scale);
        let step = (AREA.0 / self.bars.len() as f64).min(WIDEST);
        let every = (self.bars.len() / 20).max(1);
        for (index, bar) in self.bars.iter().enumerate() {
            let (x, mut y) = (index as f64 * step, AREA.1);
            for ((name, color), &count) in self.parts.iter().zip(bar) {
                let height = count as f64 * scale;
                y -= height;
                if count > 0 {
                    let _ = writeln!(
                        text,
                        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" \
                         fill=\"{color}\"><title>{name} {count}</title></rect>",
                        step * 0.8
                    );
                }
            }
            if index % every == 0 {
                let (middle, turn) = (x + step * 0.4, usize::from(self.first_turn) + index);
                label(text, middle, AREA.1 + 16.0, "middle", &turn.to_string());
            }
        }
    }

    /// Draws what stands around and behind the bars.
    fn draw_frame(&self, text: &mut String, most: u64, scale: f64) {
        label(text, 0.0, -26.0, "start", self.title);
        label(text, AREA.0, AREA.1 + 34.0, "end", "turn");
        let named = self.parts.iter().filter(|(name, _)| !name.is_empty());
        for (index, (name, color)) in named.enumerate() {
            let x = 80.0 * index as f64;
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"-18\" width=\"10\" height=\"10\" fill=\"{color}\"/>"
            );
            label(text, x + 14.0, -9.0, "start", name);
        }
        for count in (0..=most).step_by(round_step(most)) {
            let y = AREA.1 - count as f64 * scale;
            let (x, y) = (AREA.0, format!("{y:.1}"));
            let _ = writeln!(text, "<path d=\"M0 {y}H{x}\" stroke=\"#ccc\" stroke-width=\".5\"/>");
            let _ = writeln!(text, "<text x=\"-6\" y=\"{y}\" text-anchor=\"end\">{count}</text>");
        }
    }
}

fn label(text: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>");
}

/// A distance of lines that people like to count by: 1, 2 or 5, and noughts.
fn round_step(most: u64) -> usize {
    let least = most as f64 / LINES;
    let power = 10f64.powf(least.max(1.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    step.into_iter().find(|&step| step >= least).unwrap_or(power) as usize
}
