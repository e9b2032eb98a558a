// The page: reads the address, builds the view of a game, and keeps the address up to date.

import { get } from "./api.js";
import { read, write } from "./address.js";
import { cephalopods } from "./cephalopods.js";
import { CONTEST_INTRO, contest } from "./contest.js";
import { players, texts } from "./controls.js";
import { element, setAttribute, setText } from "./dom.js";
import { evaluation, moveList } from "./panel.js";
import { Session } from "./session.js";
import { triad } from "./triad.js";
import { uttt } from "./uttt.js";

/** @typedef {import("./types.js").GameName} GameName */
/** @typedef {import("./types.js").GameModule} GameModule */

/** @type {Record<GameName, GameModule>} */
const GAMES = { uttt, triad, cephalopods };
const DEFAULTS = { uttt: uttt.options, triad: triad.options, cephalopods: cephalopods.options };

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {Session | null} */
let session = null;
/** The address as last written, to tell our own changes from the user's. */
let written = "";

/** @param {Session} current */
function saveAddress(current) {
  written = write(current.state, DEFAULTS);
  if (location.hash !== written) history.replaceState(null, "", written);
  // The link to this game in the header returns to its current state.
  setAttribute(/** @type {Element} */ (document.querySelector(`[data-game=${current.game}]`)), "href", written);
}

/** @param {Session} current */
function showFault(current) {
  const box = byId("fault");
  box.hidden = !current.fault;
  setText(box, current.fault);
}

function open() {
  session?.stop();
  const state = read(location.hash, DEFAULTS);
  const game = GAMES[state.game];
  document.title = `${game.title} · Ninefold`;
  for (const link of document.querySelectorAll("#games a")) {
    setAttribute(link, "aria-current", link.getAttribute("data-game") === state.game ? "page" : false);
  }
  /** @type {(() => void)[]} */
  let renders = [];
  const current = new Session(state, () => {
    if (current !== session) return;
    saveAddress(current);
    showFault(current);
    renders.forEach((render) => render());
  }, () => {
    if (current === session) renders.forEach((render) => render());
  });
  session = current;
  setText(byId("intro"), game.intro);
  if (state.view === "contest" && state.game === "cephalopods") {
    setText(byId("intro"), CONTEST_INTRO);
    const node = contest(current, () => { saveAddress(current); });
    byId("stage").replaceChildren(node);
    saveAddress(current);
    showFault(current);
    return;
  }
  const board = game.board(current);
  const status = element("p", { id: "status", class: "status", role: "status" });
  const side = evaluation(current, game);
  const moves = moveList(current, game);
  const text = texts(current, game);
  const names = /** @type {[string, string]} */ (state.game === "uttt" ? ["X", "O"] : ["A", "B"]);
  byId("stage").replaceChildren(element("div", { class: "table" },
    element("div", { class: "play" }, game.setup(current), status, board.node,
      element("p", { class: "legend" }, game.legend)),
    element("div", { class: "panel" }, side.node, moves.node, players(current, names), text.node)));
  renders = [board.render, side.render, moves.render, text.render, () => {
    const { view } = current;
    if (view) setText(status, (current.thinking ? "The engine is thinking … " : "") + sentence(view.status));
  }];
  current.open();
}

/** @param {string} status */
const sentence = (status) => status.charAt(0).toUpperCase() + status.slice(1);

window.addEventListener("hashchange", () => {
  if (location.hash !== written) open();
});

/** Arrow keys step through the game unless the focused element uses them itself. */
document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!session?.view || event.altKey || event.ctrlKey || event.metaKey) return;
  if (target.closest("input, textarea, select, dialog, [role=grid], .moves, .popover")) return;
  const { state } = session;
  /** @type {Record<string, number>} */
  const targets = { ArrowLeft: state.at - 1, ArrowRight: state.at + 1, Home: 0, End: state.moves.length };
  if (!(event.key in targets)) return;
  event.preventDefault();
  session.goTo(targets[event.key]);
});

open();
get("/api/about").then((facts) => setText(byId("about"), `version ${facts.version}, instruction set ${facts.isa}`), () => {});
