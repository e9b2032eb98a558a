// The contest view of Cephalopods: the sum and number of games for a board and a depth, and a heat map of run times.

import { ask, askBig, ApiError } from "./api.js";
import { views } from "./cephalopods.js";
import { die } from "./dice.js";
import { button, element, setAttribute, setText } from "./dom.js";
import { gridKeys } from "./gridkeys.js";
import { heatMap } from "./heat.js";

/** @typedef {import("./session.js").Session} Session */

export const CONTEST_INTRO = "How many games can follow from a board, and what is the sum of their final boards? Click squares to change the dice, and set the maximum number of moves. A game ends when the board is full or when it reaches that number of moves. A final board is read as a number of nine digits.";

const EXAMPLE = { board: "051000401", depth: "20" };
const MAX_DEPTH = 40;

/** @param {string} digits */
const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");

/**
 * @param {Session} session
 * @param {() => void} saveAddress Writes the state to the address.
 */
export function contest(session, saveAddress) {
  const { extra } = session.state;
  if (!/^[0-6]{9}$/.test(extra.board ?? "")) extra.board = EXAMPLE.board;
  const given = Number(extra.depth ?? "");
  if (!extra.depth || !Number.isInteger(given) || given < 0 || given > MAX_DEPTH) extra.depth = EXAMPLE.depth;

  const cells = Array.from({ length: 9 }, (_, cell) => element("button", {
    type: "button", class: "cell", onclick: () => set(cell, (Number(extra.board[cell]) + 1) % 7),
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (/^[0-6]$/.test(event.key)) set(cell, Number(event.key)); },
  }));
  const grid = element("div", { class: "dice-board", role: "group", id: "board", "aria-label": "Contest board; click a square or press 0 to 6 to change it" }, ...cells);
  grid.style.setProperty("--columns", "3");
  gridKeys(grid, cells, 3);
  const field = element("input", { id: "digits", value: extra.board, maxlength: 9, inputmode: "numeric", autocomplete: "off", onchange: readDigits });
  const depthShown = element("output", { for: "depth" });
  const depth = element("input", { id: "depth", type: "range", min: 0, max: MAX_DEPTH, value: extra.depth, oninput: readDepth });
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  /** @param {string} id */
  const figure = (id) => element("dd", { id, class: "figure" }, "…");
  const sum = figure("sum");
  const sumTime = figure("sum-time");
  const games = figure("games-count");
  const whole = figure("whole-sum");
  const finals = figure("final-boards");
  let latestRequest = 0;
  let timer = 0;

  /**
   * @param {number} cell
   * @param {number} pips
   */
  function set(cell, pips) {
    extra.board = extra.board.slice(0, cell) + pips + extra.board.slice(cell + 1);
    field.value = extra.board;
    changed();
  }

  function readDigits() {
    const text = field.value.trim();
    const isBoard = /^[0-6]{9}$/.test(text);
    fault.hidden = isBoard;
    setText(fault, isBoard ? "" : "A board is nine digits from 0 to 6, row by row; 0 is an empty square.");
    if (!isBoard) return;
    extra.board = text;
    changed();
  }

  function readDepth() {
    extra.depth = depth.value;
    changed();
  }

  function draw() {
    cells.forEach((node, cell) => {
      const pips = Number(extra.board[cell]);
      node.replaceChildren(...(pips ? [die(pips, 0)] : []));
      setAttribute(node, "aria-label", `row ${Math.floor(cell / 3) + 1}, column ${(cell % 3) + 1}: ${pips || "empty"}`);
    });
    setText(depthShown, extra.depth);
  }

  function changed() {
    saveAddress();
    draw();
    clearTimeout(timer);
    timer = setTimeout(compute, 120);
  }

  async function compute() {
    latestRequest += 1;
    const request = latestRequest;
    const question = { board: extra.board, depth: Number(extra.depth) };
    [sum, sumTime, games, whole, finals].forEach((node) => node.classList.add("old"));
    /** @param {HTMLElement} node @param {string} text */
    const show = (node, text) => { setText(node, text); node.classList.remove("old"); };
    try {
      const found = await ask("/api/cephalopods/sum", question);
      if (request !== latestRequest) return;
      show(sum, String(found.sum));
      show(sumTime, `${found.ms.toFixed(1)} ms`);
      const exact = await askBig("/api/cephalopods/count", question);
      if (request !== latestRequest) return;
      show(games, grouped(String(exact.games)));
      show(whole, grouped(exact.sum));
      show(finals, grouped(String(exact.final_boards)));
      fault.hidden = true;
    } catch (error) {
      fault.hidden = false;
      setText(fault, error instanceof ApiError ? error.message : String(error));
    }
  }

  /** @param {string} term @param {HTMLElement} value */
  const row = (term, value) => element("div", {}, element("dt", {}, term), value);
  const node = element("div", { class: "table" },
    element("div", { class: "play" },
      element("div", { class: "setup" }, views(true),
        element("label", { class: "choice" }, element("span", {}, "Board as digits"), field),
        button("Empty board", () => { extra.board = "000000000"; field.value = extra.board; changed(); })),
      element("div", { class: "dice-frame" }, grid),
      element("label", { class: "choice depth" }, element("span", {}, "At most ", depthShown, " moves"), depth),
      fault),
    element("div", { class: "panel" },
      element("section", { class: "card", "aria-labelledby": "answer-title" },
        element("h2", { id: "answer-title" }, "All games up to the maximum number of moves"),
        element("dl", { class: "figures", "aria-live": "polite" },
          row("Sum of all final boards modulo 2³⁰ (the contest's answer)", sum), row("Time for this sum", sumTime),
          row("Number of games (move sequences)", games), row("Sum without the modulo", whole), row("Different final boards", finals))),
      heatMap()));
  draw();
  compute();
  return node;
}
