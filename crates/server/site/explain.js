// Lists the captures of the last move with their causes, or of a move that is previewed.

import { element, setAttribute, setText } from "./dom.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./types.js").GameModule} GameModule */
/** @typedef {import("./api-types.js").Played} Played */

/**
 * @param {Session} session
 * @param {GameModule} game
 */
export function explainBox(session, game) {
  const head = element("p", { class: "explain-head" });
  const list = element("ul", { class: "flips" });
  const node = element("section", { class: "explain", "aria-label": "What the move does" }, head, list);
  let shown = "";

  /**
   * @param {string} title
   * @param {Played | undefined} played
   * @param {boolean} isPreview
   */
  function show(title, played, isPreview) {
    const { view } = session;
    if (!view) return;
    const key = `${title}|${played?.position ?? ""}`;
    if (key === shown) return;
    shown = key;
    setText(head, title);
    setAttribute(node, "data-preview", isPreview);
    list.replaceChildren(...(played?.flips ?? []).map((flip) =>
      element("li", {}, element("strong", {}, game.place(flip.cell, view)), ` ${flip.cause}`)));
    if (played && !played.flips.length) list.append(element("li", { class: "none" }, "No captures."));
  }

  function render() {
    const { last, view } = session;
    if (!view) return;
    show(last ? `Last move: ${game.moveName(last.move, view)}` : "No move yet.", last, false);
  }

  /** @param {Played} played */
  function preview(played) {
    if (session.view) show(`If you play ${game.moveName(played.move, session.view)}:`, played, true);
  }
  return { node, render, preview };
}
