// The heat map of the contest's write-up: the time of one path sum, by pips on the board and by depth.

import { ask, ApiError } from "./api.js";
import { button, element, setText } from "./dom.js";

const DEPTHS = [5, 10, 15, 20, 25, 30, 35, 40];
const LAST_RANK = 18;
/** Cells above this share of the slowest time, on a logarithmic scale, are dark. */
const HOT = 0.6;

/** @param {number} ms */
const formatMs = (ms) => (ms < 0.095 ? ms.toFixed(2) : ms < 9.95 ? ms.toFixed(1) : ms.toFixed(0));

export function heatMap() {
  const message = element("p", { class: "said", role: "status" }, "The server measures this; it takes a few seconds.");
  const place = element("div", { class: "heat-place" });
  const measure = button("Measure", run, { id: "measure" });

  async function run() {
    measure.disabled = true;
    setText(message, "Measuring …");
    try {
      const found = await ask("/api/cephalopods/heat", { last_rank: LAST_RANK, depths: DEPTHS });
      place.replaceChildren(table(found.ms));
      setText(message, "Milliseconds for one board. Darker is slower.");
    } catch (error) {
      setText(message, error instanceof ApiError ? error.message : String(error));
    }
    measure.disabled = false;
  }
  return element("section", { class: "card", "aria-labelledby": "heat-title" },
    element("h2", { id: "heat-title" }, "Time per board"),
    element("p", {}, "The time to compute one sum. It usually grows with more moves and with fewer pips on the board."),
    element("div", { class: "buttons" }, measure), message, place);
}

/** @param {number[][]} times Milliseconds, by pips and then by depth. */
function table(times) {
  const slowest = Math.max(0.002, ...times.flat());
  const head = element("tr", {}, element("th", { scope: "col" }, "pips"),
    ...DEPTHS.map((depth) => element("th", { scope: "col" }, `≤ ${depth}`)));
  const rows = times.map((row, rank) => element("tr", {}, element("th", { scope: "row" }, String(rank)), ...row.map((ms) => {
    // 0 at one microsecond, 1 at the slowest time, logarithmic in between.
    const share = Math.log(Math.max(ms, 0.001) * 1000) / Math.log(slowest * 1000);
    const cell = element("td", { class: share > HOT ? "hot" : false }, formatMs(ms));
    // Tints between 42 and 78 % are skipped: neither dark nor light text is readable on them.
    const tint = share > HOT ? 78 + 22 * ((share - HOT) / (1 - HOT)) : Math.max(0, 70 * share);
    cell.style.setProperty("--heat-share", `${Math.round(tint)}%`);
    return cell;
  })));
  return element("table", { class: "heat" },
    element("caption", {}, "Milliseconds by pips on the board (down) and moves (across)"),
    element("thead", {}, head), element("tbody", {}, ...rows));
}
