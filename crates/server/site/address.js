// Reads and writes the page's state as the URL fragment, so that a view can be reloaded and shared.
//
//   #/uttt?rule=open&moves=ee-ea&at=1&mode=first&level=4
//
// Default values are left out, so a new game has a short address.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").GameName} GameName */
/** @typedef {import("./types.js").Mode} Mode */

/** @type {readonly Mode[]} */
const MODES = ["two", "first", "second", "engines"];

/** Selectable analysis times in milliseconds. */
export const TIMES = [500, 1000, 5000, 20000, 60000];

/**
 * @param {GameName} game
 * @param {Record<string, string>} defaults The game's default options.
 * @returns {State}
 */
export function fresh(game, defaults) {
  return {
    game, options: { ...defaults }, from: "", moves: [], at: 0,
    mode: "two", level: 10, time: 5000, scores: true, view: "", extra: {},
  };
}

/**
 * @param {string} hash
 * @param {Record<GameName, Record<string, string>>} defaults
 * @returns {State}
 */
export function read(hash, defaults) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const game = /** @type {GameName} */ (path in defaults ? path : "uttt");
  const state = fresh(game, defaults[game]);
  for (const [name, value] of new URLSearchParams(query)) {
    if (name in state.options) state.options[name] = value;
    else if (name === "from") state.from = value;
    else if (name === "moves") state.moves = value.split("-").filter(Boolean);
    else if (name === "at") state.at = Number(value);
    else if (name === "mode" && MODES.includes(/** @type {Mode} */ (value))) state.mode = /** @type {Mode} */ (value);
    else if (name === "level") state.level = Math.min(10, Math.max(1, Number(value) || 10));
    else if (name === "time" && TIMES.includes(Number(value))) state.time = Number(value);
    else if (name === "scores") state.scores = value !== "off";
    else if (name === "view") state.view = value;
    else if (name.startsWith("v.")) state.extra[name.slice(2)] = value;
  }
  const hasAt = new URLSearchParams(query).has("at");
  const isValid = Number.isInteger(state.at) && state.at >= 0 && state.at <= state.moves.length;
  if (!hasAt || !isValid) state.at = state.moves.length;
  return state;
}

/**
 * @param {State} state
 * @param {Record<GameName, Record<string, string>>} defaults
 */
export function write(state, defaults) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state.options)) {
    if (value !== defaults[state.game][name]) query.set(name, value);
  }
  if (state.from) query.set("from", state.from);
  if (state.moves.length) query.set("moves", state.moves.join("-"));
  if (state.at !== state.moves.length) query.set("at", String(state.at));
  if (state.mode !== "two") query.set("mode", state.mode);
  if (state.level !== 10) query.set("level", String(state.level));
  if (state.time !== 5000) query.set("time", String(state.time));
  if (!state.scores) query.set("scores", "off");
  if (state.view) query.set("view", state.view);
  for (const [name, value] of Object.entries(state.extra)) query.set(`v.${name}`, value);
  const text = query.toString();
  return `#/${state.game}${text ? `?${text}` : ""}`;
}
