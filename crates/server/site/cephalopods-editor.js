// The position editor of Cephalopods: puts dice of either player on any square.

import { ApiError, ask } from "./api.js";
import { die } from "./dice.js";
import { button, element, openDialog, select, setAttribute, setText } from "./dom.js";
import { gridKeys } from "./gridkeys.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./api-types.js").Die} Die */

/** @param {Session} session */
export function editCephalopods(session) {
  const { view } = session;
  if (!view || view.board.game !== "cephalopods") return;
  const { rows, columns } = view.board;
  const dice = [...view.board.dice];
  let mover = view.players[view.mover - 1];
  let owner = 1;
  let pips = 1;
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const cells = dice.map((_, cell) => element("button", { type: "button", class: "cell", onclick: () => paint(cell) }));
  const grid = element("div", { class: "dice-board small", role: "group", "aria-label": "Squares to set" }, ...cells);
  grid.style.setProperty("--columns", String(columns));
  gridKeys(grid, cells, columns);

  /** @param {number} cell */
  function paint(cell) {
    const placed = dice[cell];
    dice[cell] = placed && placed.owner === owner && placed.pips === pips ? null : { owner, pips };
    draw();
  }

  function draw() {
    cells.forEach((node, cell) => {
      const placed = dice[cell];
      node.replaceChildren(...(placed ? [die(placed.pips, placed.owner)] : []));
      const name = `${"abcdefgh"[cell % columns]}${Math.floor(cell / columns) + 1}`;
      setAttribute(node, "aria-label", `${name}: ${placed ? `die of ${"AB"[placed.owner - 1]}, ${placed.pips}` : "empty"}`);
    });
  }

  function text() {
    const sign = (/** @type {Die | null} */ placed) => (placed === null ? "." : (placed.owner === 1 ? "0123456" : "0abcdef")[placed.pips]);
    const lines = Array.from({ length: rows }, (_, row) => dice.slice(row * columns, (row + 1) * columns).map(sign).join(""));
    return `${lines.join(rows === 3 && columns === 3 ? "" : "/")}:${mover}`;
  }

  async function apply() {
    try {
      const looked = await ask("/api/cephalopods/look", { position: text(), options: session.options });
      await session.begin(looked.position);
      dialog.close();
    } catch (error) {
      fault.hidden = false;
      setText(fault, error instanceof ApiError ? error.message : String(error));
    }
  }

  const numbers = /** @type {[string, string][]} */ ([1, 2, 3, 4, 5, 6].map((number) => [String(number), String(number)]));
  const players = /** @type {[string, string][]} */ ([["1", "A (rounded)"], ["2", "B (octagonal)"]]);
  const dialog = openDialog("Edit the position",
    element("p", {}, "Choose a die, then click squares. Click a square again to remove the die."),
    element("div", { class: "setup" },
      select("Die of", players, "1", (value) => (owner = Number(value)), "edit-owner"),
      select("Pips", numbers, "1", (value) => (pips = Number(value)), "edit-pips"),
      select("Side to move", [["A", "A"], ["B", "B"]], mover, (value) => (mover = value), "edit-mover")),
    grid, fault,
    element("div", { class: "buttons" },
      button("Clear", () => { dice.fill(null); draw(); }),
      button("Use this position", apply, { id: "edit-apply", class: "main" })));
  draw();
}
