// Triple Triad: two hands and nine cells. The player chooses a card and then a cell. The cells show the scores of the
// chosen card, or of the best card while none is chosen.

import { ask } from "./api.js";
import { cardNode, spoken } from "./card.js";
import { dealDialog } from "./deal.js";
import { button, element, setAttribute, setText } from "./dom.js";
import { explainBox } from "./explain.js";
import { gridKeys } from "./gridkeys.js";
import { kindMark } from "./kind.js";
import { isCertain, short, tone, words } from "./score.js";
import { editTriad } from "./triad-editor.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./types.js").GameModule} GameModule */
/** @typedef {import("./api-types.js").Line} Line */
/** @typedef {import("./api-types.js").Played} Played */
/** @typedef {import("./api-types.js").View} View */

const PLACES = ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"];

/**
 * @param {string} move Card and cell, both from 0, as in 3@4.
 * @param {View} view
 */
function moveName(move, view) {
  const [card, cell] = move.split("@").map(Number);
  const name = view.board.game === "triad" ? view.board.cards[card].name : String(card);
  return `${card < 5 ? "A" : "B"} ${name} → ${cell + 1}`;
}

/** @param {Line[]} lines */
function bestOf(lines) {
  const scoreOf = (/** @type {Line} */ line) => line.margin ?? line.score;
  return lines.reduce((/** @type {Line | undefined} */ best, next) => (!best || scoreOf(next) > scoreOf(best) ? next : best), undefined);
}

/** @param {Session} session */
function board(session) {
  /** The chosen card, or -1, and the position it was chosen in. */
  let picked = -1;
  let pickedFor = "";
  const hint = element("p", { class: "hint", role: "status" });
  const explanation = explainBox(session, triad);
  /** @type {Map<string, Played>} */
  const previews = new Map();

  const cards = Array.from({ length: 10 }, (_, number) => {
    const face = cardNode();
    const score = element("span", { class: "score" });
    const node = element("button", { type: "button", class: "hand-card", "data-card": number, onclick: () => pick(number) }, face.node, score);
    return { node, face, score };
  });
  const hands = [0, 1].map((player) => {
    const own = cards.slice(player * 5, player * 5 + 5).map(({ node }) => node);
    const title = element("h3", {});
    const list = element("div", { class: "hand-cards", role: "group" }, ...own);
    // A hand is a column on wide screens and a row on narrow ones, so all four arrow keys move in it.
    gridKeys(list, own, 1);
    list.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const at = own.indexOf(/** @type {HTMLButtonElement} */ (event.target));
      if (step === undefined || at < 0) return;
      event.preventDefault();
      event.stopPropagation();
      own[Math.max(0, Math.min(4, at + step))].focus();
    });
    return { node: element("div", { class: `hand hand-${player + 1}` }, title, list), title, list };
  });
  const cells = Array.from({ length: 9 }, (_, cell) => {
    const face = cardNode();
    const mark = element("span", { class: "cell-element" });
    const score = element("span", { class: "score" });
    const cause = element("span", { class: "cause" });
    const look = () => preview(cell);
    const node = element("button", {
      type: "button", class: "tt-cell", "data-cell": cell, onclick: () => press(cell), onmouseenter: look, onfocus: look,
      onmouseleave: explanation.render, onblur: explanation.render,
    }, mark, face.node, score, cause);
    return { node, face, mark, score, cause };
  });
  const grid = element("div", { class: "tt-board", role: "group", id: "board", "aria-label": "Board; arrow keys move, Enter plays the chosen card" },
    ...cells.map(({ node }) => node));
  gridKeys(grid, cells.map(({ node }) => node), 3);

  /** @param {number} number */
  function pick(number) {
    const { view } = session;
    if (!view || view.board.game !== "triad" || session.thinking) return;
    if (!view.board.cards[number].playable) {
      setText(hint, view.board.cards[number].owner === view.mover ? "This card cannot be played now." : "It is the other player's turn.");
      return;
    }
    picked = picked === number ? -1 : number;
    pickedFor = view.position;
    render();
  }

  /** @param {number} cell */
  function moveTo(cell) {
    const { view } = session;
    const moves = view?.moves.filter((move) => move.cell === cell && (picked < 0 || move.card === picked)) ?? [];
    return moves.length === 1 ? moves[0].move : null;
  }

  /** @param {number} cell */
  function press(cell) {
    const { view } = session;
    if (!view || session.thinking || !view.moves.some((move) => move.cell === cell)) return;
    const move = moveTo(cell);
    if (move) session.play(move);
    else setText(hint, `Choose a card of ${view.players[view.mover - 1].toUpperCase()} first, then the cell.`);
  }

  /** @param {number} cell */
  async function preview(cell) {
    const { view } = session;
    const move = moveTo(cell);
    if (!view || !move) return;
    const key = `${view.position} ${move}`;
    let played = previews.get(key);
    if (!played) {
      try {
        played = /** @type {Played} */ (await ask("/api/triad/explain", { position: view.position, move }));
      } catch {
        // A preview is optional. Playing the move reports the error.
        return;
      }
      previews.set(key, played);
    }
    const isThere = cells[cell].node.matches(":hover, :focus");
    if (isThere && session.view?.position === view.position && moveTo(cell) === move) explanation.preview(played);
  }

  function render() {
    const { view, last, analysis } = session;
    if (!view || view.board.game !== "triad") return;
    const board = view.board;
    if (pickedFor !== view.position) {
      const playable = board.cards.flatMap((card, number) => (card.playable ? [number] : []));
      picked = playable.length === 1 ? playable[0] : -1;
      pickedFor = view.position;
      explanation.render();
      setText(hint, view.result !== null ? "" : "Choose a card, then a cell.");
    }
    if (picked >= 0) setText(hint, `${board.cards[picked].name} is chosen. Click a cell. The scores are for this card.`);
    else if (view.result === null && !hint.textContent?.startsWith("Choose")) setText(hint, "Choose a card, then a cell.");
    const lines = [...session.lines.values()];
    const best = analysis?.best ?? "";
    const [bestCard, bestCell] = best.split("@").map(Number);
    cards.forEach(({ node, face, score }, number) => {
      const card = board.cards[number];
      face.draw(card, board.edition);
      const line = card.playable ? bestOf(lines.filter((known) => known.move.startsWith(`${number}@`))) : undefined;
      setAttribute(score, "data-text", line ? short(line) : false);
      const [kind, strength] = line ? tone(line) : ["none", 0];
      setAttribute(node, "data-tone", kind);
      node.style.setProperty("--strength", `${strength}%`);
      setAttribute(node, "data-laid", card.laid);
      setAttribute(node, "data-best", best !== "" && bestCard === number);
      setAttribute(node, "aria-pressed", picked === number ? "true" : "false");
      setAttribute(node, "aria-disabled", card.playable ? false : "true");
      const scoreText = line ? `, best result: ${words(line)}` : "";
      setAttribute(node, "aria-label", card.laid ? `${card.name}: already played` : `${card.name}: ${spoken(card)}${scoreText}`);
    });
    hands.forEach(({ node, title, list }, player) => {
      const isMover = view.result === null && view.mover === player + 1;
      setText(title, `${"AB"[player]}${isMover ? " to move" : ""}`);
      setAttribute(node, "data-mover", isMover);
      setAttribute(list, "aria-label", `Hand of ${"AB"[player]}`);
    });
    const flips = new Map(last?.flips.map((flip) => [flip.cell, flip.cause]));
    const lastCell = last ? Number(last.move.split("@")[1]) : -1;
    cells.forEach(({ node, face, mark, score, cause }, cell) => {
      const number = board.cells[cell];
      const card = number === null ? null : board.cards[number];
      face.node.hidden = card === null;
      if (card) face.draw(card, board.edition);
      const element = board.elements[cell];
      if (mark.title !== (element ?? "")) {
        mark.title = element ?? "";
        mark.replaceChildren(...(element ? [kindMark(element)] : []));
        setAttribute(mark, "data-text", element);
      }
      const known = lines.filter((line) => line.move.endsWith(`@${cell}`) && (picked < 0 || line.move.startsWith(`${picked}@`)));
      const line = bestOf(known);
      const isLegal = view.moves.some((move) => move.cell === cell);
      const isBest = best !== "" && bestCell === cell && (picked < 0 || picked === bestCard);
      setText(score, line ? short(line) : "");
      const [kind, strength] = line ? tone(line) : ["none", 0];
      setAttribute(node, "data-tone", kind);
      node.style.setProperty("--strength", `${strength}%`);
      setAttribute(node, "data-legal", isLegal);
      setAttribute(node, "data-best", isBest);
      setAttribute(node, "data-last", cell === lastCell);
      setAttribute(node, "data-taken", flips.has(cell));
      setAttribute(node, "data-exact", isCertain(line));
      setAttribute(node, "aria-disabled", isLegal ? false : "true");
      setAttribute(cause, "data-text", flips.has(cell) ? `⟲ ${flips.get(cell)?.split(" ")[0]}` : false);
      const content = card ? `${card.name}, ${spoken(card)}, owned by ${"AB"[card.owner - 1]}` : `empty${element ? `, ${element}` : ""}${isLegal ? ", legal" : ""}`;
      const marks = `${cell === lastCell ? ", last move" : ""}${flips.has(cell) ? `, captured just now: ${flips.get(cell)}` : ""}`;
      const scoreText = line && !card ? `, ${picked < 0 ? "with the best card " : ""}${short(line)}, ${words(line)}${isBest ? ", best move" : ""}` : "";
      setAttribute(node, "aria-label", `${PLACES[cell]}: ${content}${marks}${scoreText}`);
    });
    setText(rules, board.rules.length ? `Rules: ${board.rules.join(", ")}` : "No special rules");
    setText(owned, `A ${board.score} : ${10 - board.score} B`);
    setText(edition, board.edition === "ff8" ? "Final Fantasy VIII" : "Final Fantasy XIV");
  }
  const rules = element("span", {});
  const owned = element("strong", { class: "owned", title: "Cards owned" });
  const edition = element("span", {});
  const node = element("div", { class: "triad" },
    element("p", { class: "deal-line" }, owned, edition, rules),
    element("div", { class: "tt-table" }, hands[0].node, grid, hands[1].node), hint, explanation.node);
  return { node, render };
}

/** @param {Session} session */
function setup(session) {
  const dealAgain = () => {
    const seed = String((Number(session.state.options.seed) + 1) % 2 ** 31);
    const { view } = session;
    if (view?.board.game !== "triad") return;
    session.begin("", { edition: view.board.edition, rules: view.board.rules.join(",") || "-", seed });
  };
  return element("div", { class: "setup" },
    button("Hands and rules …", () => dealDialog(session), { id: "deal", class: "main" }),
    button("Deal new cards", dealAgain, { id: "new" }));
}

/** @type {GameModule} */
export const triad = {
  title: "Triple Triad",
  intro: "Choose one of your cards, then a cell. A card captures a neighbouring card of the opponent if its rank on the touching side is higher. When the board is full, the player who owns more of the ten cards wins. Both hands are open. Scores are exact where the badge says so.",
  legend: "W, D and L are solved results for the side to move (win, draw, loss); the number after the letter is the margin in cards. Under Chaos a percentage is the chance to win, and ≈ marks an estimated margin. ★ marks the best move. A on a card is a rank of 10. Cells are numbered 1 to 9, row by row.",
  options: { edition: "ff8", rules: "-", seed: "1" },
  board,
  setup,
  edit: editTriad,
  place: (cell) => `${cell + 1} (${PLACES[cell]})`,
  moveName,
};

