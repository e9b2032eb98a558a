// The panel beside the board: the evaluation, the best lines and the list of moves.

import { button, element, setAttribute, setText } from "./dom.js";
import { isCertain, short, verdict } from "./score.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./types.js").GameModule} GameModule */

const LINES = 4;

/** @param {number} number */
const formatCount = (number) => number.toLocaleString("en-GB");

/**
 * The evaluation: a bar, a verdict, a badge and the best lines. The elements stay; only their text changes.
 * @param {Session} session
 * @param {GameModule} game
 */
export function evaluation(session, game) {
  const share = element("div", { class: "bar-first" });
  const bar = element("div", { class: "bar", role: "img" }, share, element("div", { class: "bar-middle" }));
  const names = [element("span", { class: "player first" }), element("span", { class: "player second" })];
  const verdictText = element("p", { class: "verdict" });
  const badge = element("span", { class: "badge" });
  const facts = element("p", { class: "facts" });
  const rows = Array.from({ length: LINES }, () => {
    const score = element("span", { class: "worth" });
    const text = element("span", { class: "line-text" });
    return { node: element("li", {}, score, text), score, text };
  });
  const node = element("section", { class: "card evaluation", "aria-labelledby": "evaluation-title" },
    element("h2", { id: "evaluation-title" }, "Analysis"),
    element("div", { class: "bar-row" }, names[0], bar, names[1]),
    element("div", { class: "verdict-row" }, verdictText, badge), facts,
    element("h3", {}, "Best lines"),
    element("ol", { class: "lines" }, ...rows.map((row) => row.node)));

  function render() {
    const { view, analysis, state } = session;
    if (!view) return;
    setText(names[0], view.players[0].toUpperCase());
    setText(names[1], view.players[1].toUpperCase());
    const players = /** @type {[string, string]} */ (view.players.map((name) => name.toUpperCase()));
    setAttribute(node, "data-settled", session.settled);
    if (!state.scores) {
      setText(verdictText, "Scores are off");
      setText(badge, "off");
      setAttribute(badge, "data-kind", "none");
      setText(facts, "Turn them on under Players and engine.");
      rows.forEach((row) => { setText(row.score, ""); setText(row.text, ""); });
      setAttribute(bar, "aria-label", "No evaluation");
      share.style.inlineSize = "50%";
      return;
    }
    // Keep the previous evaluation until the first result arrives, so that the bar does not jump to the middle.
    if (!analysis) return;
    const value = analysis.score * (view.mover === 1 ? 1 : -1);
    share.style.inlineSize = `${Math.round(50 + 50 * Math.max(-1, Math.min(1, value)))}%`;
    const isOver = view.result !== null;
    const text = isOver ? ended(view.result ?? 0, players) : verdict(analysis, view.mover, players);
    setText(verdictText, text);
    const { certainty } = analysis;
    // A proof that rests on a hash is not called exact.
    const word = certainty.kind === "estimated" ? "estimated" : certainty.kind === "hashed" ? "solved" : "exact";
    setText(badge, word !== "estimated" ? `✓ ${word}` : session.settled ? "≈ estimated" : "≈ estimated …");
    setAttribute(badge, "data-kind", isCertain(analysis) ? "exact" : "estimated");
    setAttribute(badge, "title", {
      exact: "Proved: the search covered the game to its end",
      solved: `Proved, up to a hash collision: a chance below ${certainty.kind === "hashed" ? certainty.error.toExponential(0) : 0}`,
      estimated: "Estimated by the search; not proved",
    }[word]);
    setAttribute(bar, "aria-label", `${text}, ${word}`);
    const depth = analysis.depth ? `depth ${analysis.depth} · ` : "";
    setText(facts, isOver ? "The game is over." : `${depth}${formatCount(analysis.nodes)} nodes · ${analysis.seconds.toFixed(1)} s`);
    rows.forEach((row, index) => {
      const line = analysis.lines[index];
      setText(row.score, line ? short(line) : "");
      setAttribute(row.score, "data-exact", isCertain(line));
      const shown = line ? line.line.slice(0, 12).map((move) => game.moveName(move, view)).join(" · ") : "";
      setText(row.text, shown + (line && line.line.length > 12 ? " …" : ""));
    });
  }
  return { node, render };
}

/**
 * @param {number} result
 * @param {[string, string]} players
 */
function ended(result, players) {
  return result === 0 ? "Drawn" : `${players[result > 0 ? 0 : 1]} has won`;
}

/**
 * The list of moves, with undo and redo.
 * @param {Session} session
 * @param {GameModule} game
 */
export function moveList(session, game) {
  const list = element("ol", { class: "moves", tabindex: 0, "aria-label": "Moves made" });
  const steps = [
    button("|◀", () => session.goTo(0), { "aria-label": "To the start", title: "To the start (Home)" }),
    button("◀ Undo", () => session.goTo(session.state.at - 1), { title: "One move back (←)" }),
    button("Redo ▶", () => session.goTo(session.state.at + 1), { title: "One move forward (→)" }),
    button("▶|", () => session.goTo(session.state.moves.length), { "aria-label": "To the last move", title: "To the last move (End)" }),
  ];
  const node = element("section", { class: "card history", "aria-labelledby": "moves-title" },
    element("h2", { id: "moves-title" }, "Moves"), element("div", { class: "buttons steps" }, ...steps), list);
  let drawn = "";

  function render() {
    const { state, played, view } = session;
    if (!view) return;
    const key = state.moves.join(" ");
    if (key !== drawn || list.children.length !== Math.max(1, played.length)) {
      drawn = key;
      list.replaceChildren(...played.map((step, index) =>
        element("li", {}, button(game.moveName(step.move, view), () => session.goTo(index + 1)))));
      if (!played.length) list.append(element("li", { class: "none" }, "No moves yet"));
    }
    played.forEach((_, index) => {
      const isHere = index + 1 === state.at;
      const item = /** @type {HTMLElement} */ (list.children[index].firstElementChild);
      setAttribute(item, "aria-current", isHere ? "step" : false);
      setAttribute(item, "class", index + 1 > state.at ? "undone" : false);
      if (isHere) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
    });
    steps[0].disabled = steps[1].disabled = state.at === 0;
    steps[2].disabled = steps[3].disabled = state.at === state.moves.length;
  }
  return { node, render };
}
