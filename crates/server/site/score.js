// The value of a move or a position as a short score, in words, and as a tint. Solved values are letters, estimates are
// numbers, so the difference does not depend on colour.

/** @typedef {import("./api-types.js").Line} Line */
/** @typedef {import("./api-types.js").Analysis} Analysis */
/** @typedef {Pick<Line, "outcome" | "score" | "margin" | "chances" | "certainty">} Value */

/**
 * Whether a value is solved and not only estimated.
 * @param {Value | undefined} value
 */
export const isCertain = (value) => value !== undefined && value.certainty.kind !== "estimated";

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

/** @param {number} margin */
const marginText = (margin) => signed(Number.isInteger(margin) ? margin : Math.round(margin * 10) / 10);

/**
 * An estimated score in points from -99 to +99, as the terminal shows it. Only a certain result would be 100.
 * @param {number} score
 */
const points = (score) => Math.sign(score) * Math.min(99, Math.round(Math.abs(score) * 100));

/**
 * A chance in percent. Only a certain result would be 0 or 100.
 * @param {number} chance
 */
const percent = (chance) => (chance === 0 ? 0 : Math.min(99, Math.max(1, Math.round(chance * 100))));

/**
 * The score as a few characters, for the side to move: W+2, D, 62% where luck decides, or -15 for an estimate.
 * @param {Value} value
 */
export function short(value) {
  if (value.outcome) {
    const letter = { win: "W", draw: "D", loss: "L" }[value.outcome];
    return value.margin ? `${letter}${marginText(value.margin)}` : letter;
  }
  if (value.chances) return `${percent(value.chances.win)}%`;
  if (value.margin !== null) return `≈${marginText(value.margin)}`;
  return signed(points(value.score));
}

/**
 * The score in words, for the side to move.
 * @param {Value} value
 */
export function words(value) {
  if (value.outcome) {
    const word = { win: "wins", draw: "draws", loss: "loses" }[value.outcome];
    return value.margin ? `${word} by ${Math.abs(value.margin)}` : word;
  }
  if (value.chances) return `wins ${percent(value.chances.win)} %, draws ${percent(value.chances.draw)} %`;
  if (value.margin !== null) return `about ${marginText(value.margin)} cards on average`;
  return `estimated ${signed(points(value.score))}`;
}

/**
 * Good, even or bad for the side to move, and the strength of the tint in percent.
 * @param {{ outcome: Line["outcome"], score: number }} value
 * @returns {["good" | "even" | "bad", number]}
 */
export function tone(value) {
  const score = value.score;
  if (Math.abs(score) < 0.04) return ["even", 0];
  return [score > 0 ? "good" : "bad", Math.round(20 + 60 * Math.min(1, Math.abs(score)))];
}

/**
 * The evaluation of a position in words.
 * @param {Analysis} analysis
 * @param {number} mover
 * @param {[string, string]} players
 */
export function verdict(analysis, mover, players) {
  const sign = mover === 1 ? 1 : -1;
  const score = analysis.score * sign;
  const better = players[score >= 0 ? 0 : 1];
  if (analysis.outcome === "draw") return "A draw with best play";
  if (analysis.outcome) {
    const by = analysis.margin ? ` by ${Math.abs(analysis.margin)}` : "";
    return `${better} wins${by}`;
  }
  if (analysis.chances) {
    const { win, draw } = analysis.chances;
    return `${players[mover === 1 ? 0 : 1]} wins ${percent(win)} %, draws ${percent(draw)} %`;
  }
  if (analysis.margin !== null) {
    // Triple Triad without a solved outcome: time ran out, or there are too many draws of cards to count.
    return analysis.margin === 0
      ? "Even, estimated"
      : `${better} ${marginText(Math.abs(analysis.margin))} cards, estimated`;
  }
  if (Math.abs(score) < 0.005) return "Even";
  return `${better} ${signed(points(Math.abs(score)))}`;
}
