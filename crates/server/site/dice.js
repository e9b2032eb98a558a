// Dice as SVG. The players' dice differ in outline, fill and pips, so they can be told apart without colour.

import { svg } from "./dom.js";

/** Pip coordinates in a view box of 100 x 100: left or top, middle, right or bottom. */
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
 * @param {number} owner 1 or 2; 0 in the contest, where dice have no owner.
 */
export function die(pips, owner) {
  // A's dice are rounded squares with round pips. B's are octagons with diamond-shaped pips.
  const body = owner === 2
    ? svg("path", { class: "die-body", d: "M30 5H70L95 30V70L70 95H30L5 70V30Z" })
    : svg("rect", { class: "die-body", x: 6, y: 6, width: 88, height: 88, rx: 18 });
  const spot = (/** @type {[number, number]} */ [x, y]) => owner === 2
    ? svg("rect", { class: "pip", x: x - 8, y: y - 8, width: 16, height: 16, transform: `rotate(45 ${x} ${y})` })
    : svg("circle", { class: "pip", cx: x, cy: y, r: 9.5 });
  return svg("svg", { viewBox: "0 0 100 100", class: `die owner-${owner}`, "aria-hidden": "true" }, body, ...PIPS[pips].map(spot));
}
