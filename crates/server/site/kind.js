// Icons for the eight elements of Final Fantasy VIII and the four card types of Final Fantasy XIV. All shapes differ.

import { svg } from "./dom.js";

const DROP = "M12 2c4.5 5.5 7 9 7 12.5a7 7 0 0 1-14 0C5 11 7.500 7.500 12 2z";

/**
 * Filled paths. A path that begins with `|` is drawn as lines.
 * @type {Record<string, string>}
 */
const SHAPES = {
  Fire: "M12 1c1 5 7 8 7 14a7 7 0 0 1-14 0c0-4 2-6 3-8 1 2 2 3 3 3 1-3-1-6 1-9z",
  Ice: "|M12 2v20M3.300 7l17.400 10M3.300 17l17.400-10",
  Thunder: "M14 1L4 14h6l-1 9 11-14h-7z",
  Earth: "M1 21L9 5l4 7 3-4 7 13z",
  Poison: `${DROP}M8 13h3v3H8zM13 13h3v3h-3z`,
  Wind: "|M3 9h11a3 3 0 1 0-3-3M3 14h15a3 3 0 1 1-3 3M3 19h7",
  Water: DROP,
  Holy: "M9.500 1h5v6.500H21v5h-6.500V23h-5V12.500H3v-5h6.500z",
  Society: "M12 1l11 11-11 11L1 12z",
  Primal: "M12 2l11 20H1z",
  Scion: "M12 1l3 8h8l-6.500 5 2.500 8-7-5-7 5 2.500-8L1 9h8z",
  Garlean: "M2 2h20v20H2zM8 8v8h8V8z",
};

/** @param {string} kind */
export function kindMark(kind) {
  const shape = SHAPES[kind] ?? SHAPES.Society;
  const isLines = shape.startsWith("|");
  const path = svg("path", { d: isLines ? shape.slice(1) : shape, "fill-rule": "evenodd", class: isLines ? "lines" : "solid" });
  return svg("svg", { viewBox: "0 0 24 24", class: "kind-mark", "aria-hidden": "true" }, path);
}
