// Types shared by the modules of the page, checked by `tsc`. The server's types are in api-types.js, which is generated
// from the Rust types.

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
 * @typedef {object} State The state that the address holds.
 * @property {GameName} game
 * @property {Options} options
 * @property {string} from The position before the first move; empty for the start position.
 * @property {string[]} moves
 * @property {number} at The number of moves played in the position shown; the moves after it are undone.
 * @property {Mode} mode
 * @property {number} level
 * @property {number} time Analysis time in milliseconds.
 * @property {boolean} scores Whether the analysis is on.
 * @property {string} view The view of the game: `contest`, or empty for the board.
 * @property {Record<string, string>} extra The state of that view.
 *
 * @typedef {object} Board The board of a game on the page.
 * @property {HTMLElement} node
 * @property {() => void} render Draws the session's current state.
 *
 * @typedef {object} GameModule
 * @property {string} title
 * @property {string} intro
 * @property {string} legend
 * @property {Record<string, string>} options The options and their defaults.
 * @property {(session: import("./session.js").Session) => Board} board
 * @property {(session: import("./session.js").Session) => HTMLElement} setup The controls above the board: rules and new game.
 * @property {(session: import("./session.js").Session) => void} edit Opens the position editor.
 * @property {(cell: number, view: View) => string} place The name of a cell.
 * @property {(move: string, view: View) => string} moveName The text of a move on the page.
 */

export {};
