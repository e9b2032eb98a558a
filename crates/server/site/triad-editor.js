// The position editor of Triple Triad: puts cards of the deal on any cell, owned by either player.

import { ApiError, ask } from "./api.js";
import { cardNode, spoken } from "./card.js";
import { button, element, openDialog, select, setAttribute, setText } from "./dom.js";
import { gridKeys } from "./gridkeys.js";

/** @typedef {import("./session.js").Session} Session */

/** Fields of a position's text that hold the cells, their owners and the side to move. */
const CELLS = 5;
const OWNERS = 6;
const MOVER = 7;

/** @param {Session} session */
export function editTriad(session) {
  const { view } = session;
  if (!view || view.board.game !== "triad") return;
  const { cards, edition } = view.board;
  const fields = view.position.split(" ");
  const cells = [...view.board.cells];
  const owners = cells.map((card) => (card === null ? 0 : cards[card].owner));
  let mover = fields[MOVER][0];
  let brush = 0;
  let owner = 1;
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const places = cells.map((_, cell) => {
    const face = cardNode();
    const node = element("button", { type: "button", class: "tt-cell", "data-edit": cell, onclick: () => put(cell) }, face.node);
    return { node, face };
  });
  const grid = element("div", { class: "tt-board small", role: "group", "aria-label": "Cells to set" }, ...places.map(({ node }) => node));
  gridKeys(grid, places.map(({ node }) => node), 3);

  /** @param {number} cell */
  function put(cell) {
    const isThere = cells[cell] === brush && owners[cell] === owner;
    const before = cells.indexOf(brush);
    // Each card of the deal exists once.
    if (before >= 0) cells[before] = null;
    cells[cell] = isThere ? null : brush;
    owners[cell] = owner;
    draw();
  }

  function draw() {
    places.forEach(({ node, face }, cell) => {
      const number = cells[cell];
      face.node.hidden = number === null;
      const card = number === null ? null : { ...cards[number], owner: owners[cell], change: 0 };
      if (card) face.draw(card, edition);
      setAttribute(node, "aria-label", `cell ${cell + 1}: ${card ? `${card.name}, ${spoken(card)}, owned by ${"AB"[owners[cell] - 1]}` : "empty"}`);
    });
  }

  async function apply() {
    fields[CELLS] = cells.map((card) => card ?? ".").join("");
    fields[OWNERS] = cells.map((card, cell) => (card === null ? "." : "ab"[owners[cell] - 1])).join("");
    fields[MOVER] = mover;
    try {
      const looked = await ask("/api/triad/look", { position: fields.join(" "), options: session.options });
      await session.begin(looked.position);
      dialog.close();
    } catch (error) {
      fault.hidden = false;
      setText(fault, error instanceof ApiError ? error.message : String(error));
    }
  }

  const deal = /** @type {[string, string][]} */ (cards.map((card, number) => [String(number), `${"AB"[number < 5 ? 0 : 1]} ${card.name}`]));
  const dialog = openDialog("Edit the position",
    element("p", {}, "Choose a card, then click a cell. Click the cell again to remove the card. Cards that are not on the board stay in the hand they were dealt to."),
    element("div", { class: "setup" },
      select("Card", deal, "0", (value) => (brush = Number(value)), "edit-card"),
      select("Owned by", [["1", "A"], ["2", "B"]], "1", (value) => (owner = Number(value)), "edit-owner"),
      select("Side to move", [["a", "A"], ["b", "B"]], mover, (value) => (mover = value), "edit-mover")),
    grid, fault,
    element("div", { class: "buttons" },
      button("Clear", () => { cells.fill(null); draw(); }),
      button("Use this position", apply, { id: "edit-apply", class: "main" })));
  draw();
}
