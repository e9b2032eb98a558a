// A card of Triple Triad, drawn by the page: four ranks, name, element or type, level or stars, owner.
//
// All but the name is drawn by the style sheet out of `data-text`: a picture to look at. Whoever listens hears `spoken`.

import { element, setAttribute, setText } from "./dom.js";
import { kindMark } from "./kind.js";

/** @typedef {import("./api-types.js").CardView} CardView */

/** @param {number} side */
export const rank = (side) => (side === 10 ? "A" : String(side));

/**
 * For those who listen: ranks and mark.
 * @param {CardView} card
 */
export function spoken(card) {
  const [top, right, bottom, left] = card.sides.map(rank);
  const change = card.change ? `, ranks changed by ${card.change > 0 ? "+" : "−"}${Math.abs(card.change)}` : "";
  return `top ${top}, right ${right}, bottom ${bottom}, left ${left}${card.kind ? `, ${card.kind}` : ""}${change}`;
}

/** A card that can be given another face without being built anew. */
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
