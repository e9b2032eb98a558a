// A Triple Triad card: four ranks, name, element or type, level or stars, owner.
//
// The style sheet draws everything but the name from `data-text`, and the card is hidden from screen readers. They read
// the text of `spoken` instead.

import { element, setAttribute, setText } from "./dom.js";
import { kindMark } from "./kind.js";

/** @typedef {import("./api-types.js").CardView} CardView */

/** @param {number} side */
export const rank = (side) => (side === 10 ? "A" : String(side));

/**
 * The ranks and the element or type, for screen readers.
 * @param {CardView} card
 */
export function spoken(card) {
  const [top, right, bottom, left] = card.sides.map(rank);
  const change = card.change ? `, ranks changed by ${card.change > 0 ? "+" : "−"}${Math.abs(card.change)}` : "";
  return `top ${top}, right ${right}, bottom ${bottom}, left ${left}${card.kind ? `, ${card.kind}` : ""}${change}`;
}

/** The elements of a card. `draw` shows another card in them, so they are built only once. */
export function cardNode() {
  const ranks = ["top", "right", "bottom", "left"].map((side) => element("span", { class: `rank ${side}` }));
  const name = element("span", { class: "card-name" });
  const kind = element("span", { class: "kind" });
  const grade = element("span", { class: "grade" });
  const change = element("span", { class: "change" });
  const owner = element("span", { class: "owner" });
  const node = element("span", { class: "tt-card", "aria-hidden": "true" },
    owner, grade, element("span", { class: "ranks" }, ...ranks, kind), change, name);

  /**
   * @param {CardView} card
   * @param {string} edition
   */
  function draw(card, edition) {
    card.sides.forEach((side, index) => setAttribute(ranks[index], "data-text", rank(side)));
    setText(name, card.name);
    setAttribute(name, "title", card.name);
    if (kind.title !== (card.kind ?? "")) {
      kind.title = card.kind ?? "";
      kind.replaceChildren(...(card.kind ? [kindMark(card.kind)] : []));
    }
    setAttribute(grade, "data-text", card.grade === undefined ? false : edition === "ff14" ? `${card.grade}★` : `Lv ${card.grade}`);
    setAttribute(change, "data-text", card.change ? `${card.change > 0 ? "+" : "−"}${Math.abs(card.change)}` : false);
    setAttribute(owner, "data-text", card.owner === 1 ? "A" : "B");
    setAttribute(node, "data-owner", card.owner);
  }
  return { node, draw };
}
