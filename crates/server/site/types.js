// The shapes that the modules of the page pass to each other, for `tsc`. What comes from the server is in api-types.js,
// which is generated from the Rust types.

/** @typedef {import("./api-types.js").View} View */
/** @typedef {Extract<View["board"], { game: "cephalopods" }>} CephalopodsBoard */
/** @typedef {Extract<View["board"], { game: "triad" }>} TriadBoard */
/** @typedef {Extract<View["board"], { game: "uttt" }>} UtttBoard */

/**
 * @typedef {"uttt" | "triad" | "cephalopods"} GameName
 *
 * @typedef {Record<string, string>} Options
 *
 * @typedef {"two" | "first" | "second" | "engines"} Mode
 *
 * @typedef {object} State What the address holds.
 * @property {GameName} game
 * @property {Options} options
 * @property {string} from The position before the first move; empty for the start.
 * @property {string[]} moves
 * @property {number} at How many of the moves are made.
 * @property {Mode} mode
 * @property {number} level
 * @property {number} time Milliseconds of an analysis.
 * @property {boolean} scores Whether the analysis is on.
 * @property {string} view A second view of the game, such as the contest.
 * @property {Record<string, string>} extra What that view keeps.
 *
 * @typedef {object} Board What a game's module gives the page.
 * @property {HTMLElement} node
 * @property {() => void} render Draws what the session holds now.
 *
 * @typedef {object} GameModule
 * @property {string} title
 * @property {string} intro
 * @property {string} legend
 * @property {Record<string, string>} options The options and their defaults.
 * @property {(session: import("./session.js").Session) => Board} board
 * @property {(session: import("./session.js").Session) => HTMLElement} setup The rules and what begins a game.
 * @property {(session: import("./session.js").Session) => void} edit Opens the editor.
 * @property {(cell: number, view: View) => string} place The name of a cell.
 * @property {(move: string, view: View) => string} moveName A move for people.
 */

export {};
