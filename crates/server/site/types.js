// The shapes that the modules hand each other, for `tsc`. What comes from the server has the names of the engine's types.

/**
 * @typedef {"uttt" | "triad" | "cephalopods"} GameName
 *
 * @typedef {object} Die
 * @property {number} owner
 * @property {number} pips
 *
 * @typedef {object} CephalopodsBoard
 * @property {"cephalopods"} game
 * @property {number} rows
 * @property {number} columns
 * @property {(Die | null)[]} dice
 *
 * @typedef {object} CardView
 * @property {string} name
 * @property {number[]} sides
 * @property {number} change
 * @property {string} [kind]
 * @property {number} [grade]
 * @property {number} owner
 * @property {boolean} laid
 * @property {boolean} playable
 *
 * @typedef {object} TriadBoard
 * @property {"triad"} game
 * @property {"ff8" | "ff14"} edition
 * @property {string[]} rules
 * @property {(string | null)[]} elements
 * @property {(number | null)[]} cells
 * @property {CardView[]} cards
 * @property {number} score
 *
 * @typedef {object} UtttBoard
 * @property {"uttt"} game
 * @property {string} squares
 * @property {string} boards
 * @property {number[]} open
 *
 * @typedef {object} MoveView
 * @property {string} move
 * @property {string} label
 * @property {number} cell
 * @property {number} [card]
 * @property {number[]} [captures]
 *
 * @typedef {object} View
 * @property {string} position
 * @property {string} [fen]
 * @property {number} mover
 * @property {[string, string]} players
 * @property {number} ply
 * @property {MoveView[]} moves
 * @property {number | null} result
 * @property {string} status
 * @property {CephalopodsBoard | TriadBoard | UtttBoard} board
 *
 * @typedef {object} Flip
 * @property {number} cell
 * @property {string} cause
 *
 * @typedef {object} Played
 * @property {string} move
 * @property {string} label
 * @property {Flip[]} flips
 * @property {string} position
 *
 * @typedef {object} Walk
 * @property {string} start
 * @property {Played[]} played
 * @property {View} view
 *
 * @typedef {"win" | "draw" | "loss"} Outcome
 *
 * @typedef {object} Line
 * @property {string} move
 * @property {string} label
 * @property {Outcome | null} outcome
 * @property {boolean} exact
 * @property {number} score
 * @property {number | null} margin
 * @property {string[]} line
 *
 * @typedef {object} Analysis
 * @property {string} position
 * @property {Outcome | null} outcome
 * @property {boolean} exact
 * @property {number} score
 * @property {number | null} margin
 * @property {string | null} best
 * @property {Line[]} lines
 * @property {number} depth
 * @property {number} nodes
 * @property {number} seconds
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
