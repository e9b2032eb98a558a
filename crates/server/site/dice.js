// Dice drawn as dice. The two players differ in shape, ground and pips, so that no colour is needed to tell them apart.

import { svg } from "./dom.js";

/** Places of pips on a die of 100: left, middle, right. */
const [L, M, R] = [27, 50, 73];

/** @type {[number, number][][]} */
const PIPS = [
  [],
  [[M, M]],
  [[L, L], [R, R]],
  [[L, L], [M, M], [R, R]],
  [[L, L], [R, L], [L, R], [R, R]],
  [[L, L], [R, L], [M, M], [L, R], [R, R]],
  [[L, L], [R, L], [L, M], [R, M], [L, R], [R, R]],
];

/**
 * @param {number} pips 0 to 6.
 * @param {number} owner 1 or 2; 0 for nobody.
 */
export function die(pips, owner) {
  // A's dice are rounded squares, B's are octagons with square pips.
  const body = owner === 2
    ? svg("path", { class: "die-body", d: "M30 5H70L95 30V70L70 95H30L5 70V30Z" })
    : svg("rect", { class: "die-body", x: 6, y: 6, width: 88, height: 88, rx: 18 });
  const spot = (/** @type {[number, number]} */ [x, y]) => owner === 2
    ? svg("rect", { class: "pip", x: x - 8, y: y - 8, width: 16, height: 16, transform: `rotate(45 ${x} ${y})` })
    : svg("circle", { class: "pip", cx: x, cy: y, r: 9.5 });
  return svg("svg", { viewBox: "0 0 100 100", class: `die owner-${owner}`, "aria-hidden": "true" }, body, ...PIPS[pips].map(spot));
}
