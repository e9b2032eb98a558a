// Ultimate Tic-Tac-Toe: nine boards of nine squares. Boards open for the next move are highlighted. Won boards show their
// winner.

import { button, element, select, setAttribute, setText } from "./dom.js";
import { editUttt } from "./uttt-editor.js";
import { gridKeys } from "./gridkeys.js";
import { isCertain, short, tone, words } from "./score.js";
import { FILES, RANKS, cellOf, split, squareName } from "./uttt-cells.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./types.js").UtttBoard} UtttBoard */
/** @typedef {import("./types.js").GameModule} GameModule */

/** @param {string} move Two letters: the board and the square. */
const moveName = (move) => squareName(cellOf(move));

const BOARDS = ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"];

/**
 * The labels along one edge of the board. Each square has its name in its own label, so these are hidden from readers.
 * @param {string} name
 * @param {string[]} labels
 */
const edge = (name, labels) => element("div", { class: name, "aria-hidden": "true" }, ...labels.map((label) => element("span", {}, label)));

/** @param {Session} session */
function board(session) {
  /** @type {{ node: HTMLButtonElement, mark: HTMLElement, score: HTMLElement }[]} */
  const squares = [];
  const boards = Array.from({ length: 9 }, () => {
    const overlay = element("div", { class: "overlay", "aria-hidden": "true" });
    const node = element("div", { class: "local", role: "group" });
    return { node, overlay };
  });
  for (let cell = 0; cell < 81; cell += 1) {
    const [local] = split(cell);
    const mark = element("span", { class: "mark" });
    const score = element("span", { class: "score" });
    const node = element("button", { type: "button", class: "square", onclick: () => press(cell) }, mark, score);
    squares.push({ node, mark, score });
    boards[local].node.append(node);
  }
  for (const { node, overlay } of boards) node.append(overlay);
  const grid = element("div", { class: "uttt", role: "group", "aria-label": "Board of 81 squares; arrow keys move, Enter plays", id: "board" },
    ...boards.map(({ node }) => node));
  gridKeys(grid, squares.map(({ node }) => node), 9);

  /** @param {number} cell */
  function press(cell) {
    const move = session.view?.moves.find((candidate) => candidate.cell === cell);
    if (move && !session.thinking) session.play(move.move);
  }

  function render() {
    const { view, lines, last, analysis } = session;
    if (!view || view.board.game !== "uttt") return;
    const board = view.board;
    const legal = new Map(view.moves.map((move) => [move.cell, move.move]));
    squares.forEach(({ node, mark, score }, cell) => {
      const stone = board.squares[cell] === "." ? "" : board.squares[cell];
      const move = legal.get(cell);
      const line = move === undefined ? undefined : lines.get(move);
      const isBest = move !== undefined && analysis?.best === move;
      const isLast = last !== undefined && cellOf(last.move) === cell;
      setText(mark, stone);
      setText(score, line ? short(line) : "");
      const [kind, strength] = line ? tone(line) : ["none", 0];
      setAttribute(node, "data-tone", kind);
      node.style.setProperty("--strength", `${strength}%`);
      setAttribute(node, "data-stone", stone || false);
      setAttribute(node, "data-legal", move !== undefined);
      setAttribute(node, "data-best", isBest);
      setAttribute(node, "data-last", isLast);
      setAttribute(node, "data-exact", isCertain(line));
      setAttribute(node, "aria-disabled", move === undefined ? "true" : false);
      const state = stone || (move === undefined ? "empty" : "empty, legal");
      const scoreText = line ? `, ${words(line)}${isBest ? ", best move" : ""}` : "";
      setAttribute(node, "title", squareName(cell));
      setAttribute(node, "aria-label", `${squareName(cell)}: ${state}${isLast ? ", last move" : ""}${scoreText}`);
    });
    boards.forEach(({ node, overlay }, index) => {
      const owner = board.boards[index];
      setAttribute(node, "data-owner", owner === "." ? false : owner === "#" ? "drawn" : owner);
      setAttribute(node, "data-open", board.open.includes(index));
      const result = owner === "." ? "undecided" : owner === "#" ? "drawn" : `won by ${owner}`;
      setAttribute(node, "aria-label", `${BOARDS[index]} board: ${result}${board.open.includes(index) ? ", open now" : ""}`);
      setText(overlay, owner === "." ? "" : owner === "#" ? "=" : owner);
    });
  }
  return { node: element("div", { class: "uttt-frame" }, edge("edge-files", FILES), edge("edge-ranks", RANKS), grid), render };
}

/** @type {[string, string][]} */
const RULES = [
  ["standard", "Standard: without a line, a draw"],
  ["codingame", "CodinGame: without a line, more boards win"],
  ["open", "Open: won boards stay playable"],
];

/** @param {Session} session */
function setup(session) {
  return element("div", { class: "setup" },
    select("Rule", RULES, session.state.options.rule, (rule) => session.begin("", { rule }), "rule"),
    button("New game", () => session.begin(""), { id: "new" }));
}

/** @type {GameModule} */
export const uttt = {
  title: "Ultimate Tic-Tac-Toe",
  intro: "Win three small boards in a row. The square you choose sends your opponent to the board in the same place. The highlighted boards are open now. Click a square to move. The number on a square is the engine's score for that move.",
  legend: "W, D and L are solved results for the side to move: win, draw, loss. A number is an estimate, from −99 (lost) to +99 (won). ★ marks the best move. A move is the file and rank of its square, as on the edges of the board: e5 is the centre.",
  options: { rule: "standard" },
  board,
  setup,
  edit: editUttt,
  place: squareName,
  moveName,
};
