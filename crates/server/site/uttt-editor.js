// The position editor of Ultimate Tic-Tac-Toe: puts stones on any square. The last move determines the forced board.
//
// The editor writes a FEN, which does not list won boards. The server derives them and explains why a position is
// impossible.

import { ApiError, ask } from "./api.js";
import { button, element, openDialog, select, setAttribute, setText } from "./dom.js";
import { gridKeys } from "./gridkeys.js";
import { split, squareName } from "./uttt-cells.js";

/** @typedef {import("./session.js").Session} Session */

/**
 * @param {string[]} squares
 * @param {string} mover
 * @param {string} last The cell of the last move, or an empty string.
 */
function fen(squares, mover, last) {
  const rows = Array.from({ length: 9 }, (_, row) =>
    squares.slice(row * 9, row * 9 + 9).map((stone) => stone.toLowerCase()).join("").replace(/\.+/g, (empty) => String(empty.length)));
  const move = last === "" ? "-" : squareName(Number(last));
  return `${rows.join("/")} ${mover} ${squares.filter((stone) => stone !== ".").length} ${move}`;
}

/** @param {Session} session */
export function editUttt(session) {
  const { view } = session;
  if (!view || view.board.game !== "uttt") return;
  const squares = [...view.board.squares];
  let mover = view.players[view.mover - 1];
  let brush = "X";
  let last = "";
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const lastList = element("select", { id: "edit-last", onchange: () => (last = lastList.value) });

  const cells = squares.map((_, cell) => element("button", { type: "button", class: "square", onclick: () => paint(cell) }));
  const locals = Array.from({ length: 9 }, () => element("div", { class: "local" }));
  cells.forEach((node, cell) => locals[split(cell)[0]].append(node));
  const grid = element("div", { class: "uttt small", role: "group", "aria-label": "Squares to set" }, ...locals);
  gridKeys(grid, cells, 9);

  /** @param {number} cell */
  function paint(cell) {
    squares[cell] = squares[cell] === brush ? "." : brush;
    draw();
  }

  function draw() {
    cells.forEach((node, cell) => {
      const stone = squares[cell] === "." ? "" : squares[cell];
      setText(node, stone);
      setAttribute(node, "data-stone", stone || false);
      setAttribute(node, "title", squareName(cell));
      setAttribute(node, "aria-label", `${squareName(cell)}: ${stone || "empty"}`);
    });
    const other = mover === "X" ? "O" : "X";
    const stones = squares.flatMap((stone, cell) => (stone === other ? [cell] : []));
    if (!stones.includes(Number(last)) || last === "") last = "";
    lastList.replaceChildren(element("option", { value: "" }, "none: any open board"), ...stones.map((cell) =>
      element("option", { value: cell, selected: String(cell) === last }, squareName(cell))));
  }

  async function apply() {
    const position = fen(squares, mover, last);
    try {
      const looked = await ask("/api/uttt/look", { position, options: session.options });
      await session.begin(looked.position);
      dialog.close();
    } catch (error) {
      fault.hidden = false;
      setText(fault, error instanceof ApiError ? error.message : String(error));
    }
  }

  const brushes = /** @type {[string, string][]} */ ([["X", "X"], ["O", "O"], [".", "empty"]]);
  const dialog = openDialog("Edit the position",
    element("p", {}, "Choose a stone, then click squares. Click a square again to clear it."),
    element("div", { class: "setup" },
      select("Stone", brushes, brush, (value) => (brush = value), "edit-brush"),
      select("Side to move", [["X", "X"], ["O", "O"]], mover, (value) => { mover = value; draw(); }, "edit-mover"),
      element("label", { class: "choice" }, element("span", {}, "Last move"), lastList)),
    grid, fault,
    element("div", { class: "buttons" },
      button("Clear", () => { squares.fill("."); draw(); }),
      button("Use this position", apply, { id: "edit-apply", class: "main" })));
  draw();
}
