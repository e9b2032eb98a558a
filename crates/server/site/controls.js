// Players, engine strength and analysis time; and the position as text: load it, or copy it as text, JSON or a link.

import { TIMES } from "./address.js";
import { button, element, select, setText } from "./dom.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./types.js").GameModule} GameModule */
/** @typedef {import("./types.js").Mode} Mode */

/**
 * @param {Session} session
 * @param {[string, string]} players
 */
export function players(session, players) {
  const { state } = session;
  const modes = /** @type {[string, string][]} */ ([
    ["two", "Two people"],
    ["first", `You play ${players[0]}, the engine plays ${players[1]}`],
    ["second", `You play ${players[1]}, the engine plays ${players[0]}`],
    ["engines", "Engine against engine"],
  ]);
  const shown = element("output", { for: "level", id: "level-shown" });
  const level = element("input", {
    type: "range", id: "level", min: 1, max: 10, value: state.level,
    oninput: () => setText(shown, level.value),
    onchange: () => session.adjust({ level: Number(level.value) }),
  });
  setText(shown, String(state.level));
  const scores = element("input", {
    type: "checkbox", id: "scores", checked: state.scores,
    onchange: () => session.adjust({ scores: scores.checked }),
  });
  const times = /** @type {[string, string][]} */ (TIMES.map((time) => [String(time), `${time / 1000} s`]));
  return element("section", { class: "card players", "aria-labelledby": "players-title" },
    element("h2", { id: "players-title" }, "Players and engine"),
    select("Players", modes, state.mode, (mode) => session.adjust({ mode: /** @type {Mode} */ (mode) }), "mode"),
    element("label", { class: "choice" }, element("span", {}, "Engine strength ", shown, " of 10"), level),
    select("Analysis time", times, String(state.time), (time) => session.adjust({ time: Number(time) }), "time"),
    element("label", { class: "check" }, scores, " Show a score on every move"),
    element("div", { class: "buttons" }, button("Let the engine move", () => session.playEngineMove(), { id: "engine-move" })));
}

/**
 * @param {Session} session
 * @param {GameModule} game
 */
export function texts(session, game) {
  const field = element("textarea", { id: "position", rows: 4, spellcheck: "false", autocomplete: "off" });
  const message = element("p", { class: "said", role: "status" });
  let shown = "";

  /**
   * @param {string} text
   * @param {string} what
   */
  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      setText(message, `Copied the ${what}.`);
    } catch {
      // No permission for the clipboard: select the text so that the user can copy it.
      field.value = text;
      field.select();
      setText(message, `The ${what} is in the field above. Copy it from there.`);
    }
  }
  const json = () => JSON.stringify({
    game: session.game, options: session.state.options, start: session.start, moves: session.state.moves.slice(0, session.state.at),
    position: session.position, view: session.view, analysis: session.analysis,
  }, null, 2);
  async function load() {
    const { state } = session;
    const previous = { from: state.from, moves: state.moves, at: state.at };
    await session.begin(field.value.trim());
    if (!session.fault) {
      setText(message, "Position loaded.");
      return;
    }
    // Restore the game, which clears the error, then show the error again.
    const fault = session.fault;
    Object.assign(state, previous);
    await session.open();
    session.reportFault(new Error(fault));
  }
  const node = element("section", { class: "card texts", "aria-labelledby": "texts-title" },
    element("h2", { id: "texts-title" }, "Position"),
    element("label", { class: "choice" }, element("span", {}, "As text: edit and load it, or copy it"), field),
    element("div", { class: "buttons" },
      button("Load text", load, { id: "load" }),
      button("Copy text", () => copy(session.position, "text")),
      button("Copy JSON", () => copy(json(), "JSON"), { id: "copy-json" }),
      button("Copy link", () => copy(location.href, "link")),
      button("Edit …", () => game.edit(session), { id: "edit" })),
    message);

  function render() {
    if (session.position !== shown) {
      shown = session.position;
      field.value = shown;
      setText(message, "");
    }
  }
  return { node, render };
}
