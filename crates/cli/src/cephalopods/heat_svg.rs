//! Draws the heat map of `ninefold cephalopods heatmap` as an SVG.

/// Width and height of one cell, in pixels.
const WIDE: usize = 27;
const HIGH: usize = 18;
/// Space left of a panel for the ranks, and above it for its title.
const LEFT: usize = 60;
const TOP: usize = 44;

/// The background and text colour of a time, on a logarithmic scale: white is a microsecond, dark red is the slowest.
fn colours(ms: f64, slowest: f64) -> (String, &'static str) {
    let share = ((ms.max(1e-3) * 1e3).ln() / (slowest * 1e3).ln().max(1e-9)).clamp(0.0, 1.0);
    let (red, other) = (255.0 - 115.0 * share, 245.0 * (1.0 - share));
    (format!("rgb({red:.0},{other:.0},{other:.0})"), if share > 0.55 { "white" } else { "black" })
}

/// Formats a number with two significant digits.
fn short(ms: f64) -> String {
    match ms {
        ms if ms >= 9.95 => format!("{ms:.0}"),
        ms if ms >= 0.995 => format!("{ms:.1}"),
        ms => format!("{ms:.2}").trim_start_matches('0').to_owned(),
    }
}

/// The data of the plot.
pub(super) struct Plot<'a> {
    /// The depths, from left to right.
    pub(super) depths: &'a [u32],
    /// Number of boards per rank.
    pub(super) boards: u32,
    /// Per engine: its name, and the mean times in milliseconds by rank (from 0), then by depth.
    pub(super) engines: &'a [(&'a str, &'a [Vec<f64>])],
}

/// Draws one panel per engine, with ranks upwards and depths to the right. Each cell shows its time as colour and as
/// number. The colour scale is at the bottom.
pub(super) fn svg(plot: &Plot<'_>) -> String {
    let &Plot { depths, boards, engines } = plot;
    let rows = engines.iter().map(|(_, times)| times.len()).max().unwrap_or(0);
    let columns = depths.len();
    let (panel, bottom) = (LEFT + (columns * WIDE).max(300) + 20, TOP + rows * HIGH);
    let (width, height) = (panel * engines.len().max(1), bottom + 96);
    let slowest = engines.iter().flat_map(|(_, times)| times.iter().flatten()).fold(2e-3f64, |a, &b| a.max(b));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (number, (name, times)) in engines.iter().enumerate() {
        let left = number * panel + LEFT;
        let middle = TOP + rows * HIGH / 2;
        out += &format!(
            "<text x=\"{left}\" y=\"20\" font-size=\"15\" text-anchor=\"start\">{name}</text>\n\
             <text x=\"{left}\" y=\"36\" text-anchor=\"start\">milliseconds per question, boards per rank: {}</text>\n\
             <text x=\"{}\" y=\"{middle}\" transform=\"rotate(-90 {} {middle})\">rank (pips on the board)</text>\n\
             <text x=\"{}\" y=\"{}\">depth (maximum number of moves)</text>\n",
            boards,
            left - 36,
            left - 36,
            left + columns * WIDE / 2,
            bottom + 34,
        );
        for (rank, row) in times.iter().enumerate() {
            let y = bottom - (rank + 1) * HIGH;
            out += &format!("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{rank}</text>\n", left - 6, y + 13);
            for (column, &ms) in row.iter().enumerate() {
                let (x, (fill, ink)) = (left + column * WIDE, colours(ms, slowest));
                out += &format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"{HIGH}\" fill=\"{fill}\" stroke=\"white\">\
                     <title>rank {rank}, depth {}: {ms:.3} ms</title></rect>\
                     <text x=\"{}\" y=\"{}\" font-size=\"9\" fill=\"{ink}\">{}</text>\n",
                    depths[column],
                    x + WIDE / 2,
                    y + 12,
                    short(ms),
                );
            }
        }
        for (column, depth) in depths.iter().enumerate() {
            out += &format!("<text x=\"{}\" y=\"{}\">{depth}</text>\n", left + column * WIDE + WIDE / 2, bottom + 16);
        }
    }
    // All panels share one scale.
    let powers = (-3..=5).map(|power| 10f64.powi(power)).take_while(|&ms| ms <= slowest);
    for (place, ms) in powers.enumerate() {
        let (x, y) = (LEFT + 56 * place, bottom + 56);
        let (fill, ink) = colours(ms, slowest);
        out += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"56\" height=\"{HIGH}\" fill=\"{fill}\" stroke=\"silver\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"10\" fill=\"{ink}\">{ms} ms</text>\n",
            x + 28,
            y + 13,
        );
    }
    out + "</svg>\n"
}
