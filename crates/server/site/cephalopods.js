// The two-player game of Cephalopods on a board of any size. A cell with several captures opens a dialog to choose one.

import { button, element, openDialog, select, setAttribute, setText } from "./dom.js";
import { die } from "./dice.js";
import { editCephalopods } from "./cephalopods-editor.js";
import { explainBox } from "./explain.js";
import { gridKeys } from "./gridkeys.js";
import { isCertain, short, tone, words } from "./score.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./types.js").GameModule} GameModule */
/** @typedef {import("./api-types.js").MoveView} MoveView */
/** @typedef {import("./api-types.js").View} View */

/**
 * @param {number} cell
 * @param {number} columns
 */
export const cellName = (cell, columns) => `${"abcdefgh"[cell % columns]}${Math.floor(cell / columns) + 1}`;

/** @param {View} view */
const columnsOf = (view) => (view.board.game === "cephalopods" ? view.board.columns : 3);

/**
 * On 3x3 the server writes cells as digits, as in 4x13. On other boards it writes names.
 * @param {string} move
 * @param {View} view
 */
function moveName(move, view) {
  const named = /^\d/.test(move) ? move.replace(/\d/g, (digit) => cellName(Number(digit), columnsOf(view))) : move;
  return named.replace("x", "×");
}

/** @param {Session} session */
function board(session) {
  const frame = element("div", { class: "dice-frame" });
  /** @type {{ node: HTMLButtonElement, face: HTMLElement, score: HTMLElement, ways: HTMLElement, key: string }[]} */
  let cells = [];
  let shape = "";
  const explanation = explainBox(session, cephalopods);

  /**
   * @param {number} rows
   * @param {number} columns
   */
  function build(rows, columns) {
    shape = `${rows}x${columns}`;
    cells = Array.from({ length: rows * columns }, (_, cell) => {
      const face = element("span", { class: "face" });
      const score = element("span", { class: "score" });
      const ways = element("span", { class: "ways" });
      return { node: element("button", { type: "button", class: "cell", onclick: () => press(cell) }, face, score, ways), face, score, ways, key: "" };
    });
    const inner = element("div", { class: "dice-board", role: "group", id: "board", "aria-label": "Board; arrow keys move, Enter plays" });
    inner.style.setProperty("--columns", String(columns));
    inner.append(...cells.map(({ node }) => node));
    gridKeys(inner, cells.map(({ node }) => node), columns);
    frame.replaceChildren(inner);
  }

  /** @param {number} cell */
  function press(cell) {
    const { view } = session;
    if (!view || session.thinking) return;
    const moves = view.moves.filter((move) => move.cell === cell);
    if (moves.length === 1) session.play(moves[0].move);
    else if (moves.length > 1) choose(moves, view);
  }

  /**
   * @param {MoveView[]} moves
   * @param {View} view
   */
  function choose(moves, view) {
    if (view.board.game !== "cephalopods") return;
    const { dice, columns } = view.board;
    const pips = (/** @type {number} */ cell) => dice[cell]?.pips ?? 0;
    const options = moves.map((move) => {
      const taken = move.captures ?? [];
      const line = session.lines.get(move.move);
      const sum = taken.map(pips).reduce((total, more) => total + more, 0);
      const text = taken.length ? `${taken.map((cell) => `${cellName(cell, columns)} (${pips(cell)})`).join(" + ")} = ${sum}` : "no capture";
      const scoreNode = element("span", { class: "worth", "data-exact": isCertain(line) }, line ? short(line) : "");
      return element("li", {}, element("button", {
        type: "button", "data-move": move.move, onclick: () => { dialog.close(); session.play(move.move); },
      }, element("span", {}, text), scoreNode));
    });
    const dialog = openDialog(`Which dice to capture on ${cellName(moves[0].cell, columns)}?`, element("ul", { class: "captures" }, ...options));
  }

  function render() {
    const { view, lines, last, analysis } = session;
    if (!view || view.board.game !== "cephalopods") return;
    explanation.render();
    const { rows, columns, dice } = view.board;
    if (shape !== `${rows}x${columns}`) build(rows, columns);
    const taken = new Set(last?.flips.map((flip) => flip.cell));
    const lastCell = last ? lastCellOf(last.move, columns) : -1;
    cells.forEach((cell, index) => {
      const placed = dice[index];
      const key = placed ? `${placed.owner}${placed.pips}` : "";
      if (key !== cell.key) {
        cell.key = key;
        cell.face.replaceChildren(...(placed ? [die(placed.pips, placed.owner)] : []));
      }
      const moves = view.moves.filter((move) => move.cell === index);
      const known = moves.flatMap((move) => lines.get(move.move) ?? []);
      const line = known.reduce((/** @type {typeof known[0] | undefined} */ best, next) => (!best || next.score > best.score ? next : best), undefined);
      const isBest = moves.some((move) => move.move === analysis?.best);
      setText(cell.score, line ? short(line) : "");
      setAttribute(cell.ways, "data-ways", moves.length > 1 ? `${moves.length} ways` : false);
      const [kind, strength] = line ? tone(line) : ["none", 0];
      setAttribute(cell.node, "data-tone", kind);
      cell.node.style.setProperty("--strength", `${strength}%`);
      setAttribute(cell.node, "data-legal", moves.length > 0);
      setAttribute(cell.node, "data-best", isBest);
      setAttribute(cell.node, "data-last", index === lastCell);
      setAttribute(cell.node, "data-taken", taken.has(index));
      setAttribute(cell.node, "data-exact", isCertain(line));
      setAttribute(cell.node, "aria-disabled", moves.length ? false : "true");
      const what = placed ? `die of ${view.players[placed.owner - 1]}, ${placed.pips}` : moves.length ? "empty, legal" : "empty";
      const marks = `${index === lastCell ? ", last move" : ""}${taken.has(index) ? ", captured just now" : ""}`;
      const many = moves.length > 1 ? `, ${moves.length} ways to capture` : "";
      const scoreText = line ? `, ${words(line)}${isBest ? ", best move" : ""}` : "";
      setAttribute(cell.node, "aria-label", `${cellName(index, columns)}: ${what}${marks}${many}${scoreText}`);
    });
  }
  return { node: element("div", {}, frame, explanation.node), render };
}

/**
 * @param {string} move
 * @param {number} columns
 */
function lastCellOf(move, columns) {
  if (/^\d/.test(move)) return Number(move[0]);
  return (Number(move[1]) - 1) * columns + move.charCodeAt(0) - 97;
}

/** @type {[string, string][]} */
const RULES = [
  ["majority", "Most squares win"],
  ["sixes", "Most sixes win"],
  ["misere", "Fewest squares win"],
];

/** @type {[string, string][]} */
const SIZES = ["3x3", "3x4", "3x5", "4x4", "5x5"].map((size) => [size, size.replace("x", " × ")]);

/**
 * Links to the two views of this game: the two-player game and the contest.
 * @param {boolean} isContest
 */
export function views(isContest) {
  const link = (/** @type {string} */ text, /** @type {string} */ hash, /** @type {boolean} */ here) =>
    element("a", { href: hash, "aria-current": here ? "true" : false }, text);
  return element("nav", { class: "views", "aria-label": "Views of Cephalopods" },
    link("Game for two", "#/cephalopods", !isContest), link("Contest", "#/cephalopods?view=contest", isContest));
}

/** @param {Session} session */
function setup(session) {
  const { options } = session.state;
  const sizes = SIZES.some(([size]) => size === options.size) ? SIZES : [...SIZES, /** @type {[string, string]} */ ([options.size, options.size])];
  return element("div", { class: "setup" }, views(false),
    select("Rule", RULES, options.rule, (rule) => session.begin("", { rule }), "rule"),
    select("Size", sizes, options.size, (size) => session.begin("", { size }), "size"),
    button("New game", () => session.begin(""), { id: "new" }));
}

/** @type {GameModule} */
export const cephalopods = {
  title: "Cephalopods",
  intro: "Put a die on an empty square. If two or more neighbouring dice add up to six or less, you capture them: they are removed, and your die shows their sum. Otherwise your die shows 1. The game ends when the board is full; under the usual rule the player with more squares wins.",
  legend: "W, D and L are solved results for the side to move: win, draw, loss. A number is an estimate, from −99 (lost) to +99 (won). ★ marks the best move. A's dice are rounded, B's are octagonal. a1 is the top left square.",
  options: { rule: "majority", size: "3x3" },
  board,
  setup,
  edit: editCephalopods,
  place: (cell, view) => cellName(cell, columnsOf(view)),
  moveName,
};
