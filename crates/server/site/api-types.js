// The questions and answers of the server. Generated from the Rust types by `cargo xtask describe`: do not edit.

/**
 * A position, with moves played from there.
 * @typedef {object} PositionQuestion
 * @property {string | null} [position] The position as text; the start of the game if left out.
 * @property {string[]} [moves] Moves to play from the position.
 * @property {Options} [options] The rules.
 */

/**
 * The rules of a game and how its engine plays. Each game has some of these; another game's option is refused.
 * @typedef {object} Options
 * @property {string | null} [rule] UTTT: `standard`, `codingame` or `open`. Cephalopods: `majority`, `sixes` or `misere`.
 * @property {string | null} [search] UTTT: which search looks for the move: `bestfirst`, `alphabeta`, `mcts` or `uct`.
 * @property {string | null} [evaluation] UTTT: how the search judges a leaf: `playouts` or `handmade`.
 * @property {string | null} [edition] Triple Triad: `ff8` or `ff14`.
 * @property {string | null} [rules] Triple Triad: names of rules, separated by commas.
 * @property {string | null} [size] Cephalopods: rows x columns such as `3x5`, at most 8 a side and 32 cells.
 * @property {number | null} [seed] The seed of random choices: playouts, a random deal.
 */

/**
 * A move to be explained.
 * @typedef {object} ExplainQuestion
 * @property {string | null} [position] The position as text; the start of the game if left out.
 * @property {Options} [options] The rules.
 * @property {string} move The move.
 */

/**
 * What is each move worth?
 * @typedef {object} AnalyseQuestion
 * @property {string | null} [position] The position as text; the start of the game if left out.
 * @property {string[]} [moves] Moves to play from the position.
 * @property {Options} [options] The rules.
 * @property {Limits} [limits] What the analysis may spend.
 * @property {number | null} [lines] Number of best moves to show; every legal move if left out.
 */

/**
 * What a question may spend. Everything that is left out is not limited.
 * @typedef {object} Limits
 * @property {number | null} [time_ms] Wall-clock time, in milliseconds.
 * @property {number | null} [nodes] Number of nodes (positions or playouts).
 * @property {number | null} [depth] Number of plies to look ahead: of the last iteration of alpha-beta, of the longest line of a tree search.
 * @property {number | null} [memory_mib] Memory for tables and trees, in MiB.
 * @property {number | null} [threads] Number of threads.
 */

/**
 * What is the position worth for certain? Without a proof within the limits there is no value.
 * @typedef {object} SolveQuestion
 * @property {string | null} [position] The position as text; the start of the game if left out.
 * @property {string[]} [moves] Moves to play from the position.
 * @property {Options} [options] The rules.
 * @property {Limits} [limits] What the proof may spend.
 * @property {boolean} [value_only] UTTT: whether only the value is proved, and no move gets one. It excludes `all_moves` and `line`.
 * @property {boolean} [all_moves] Whether every move gets its value, and not only the best moves.
 * @property {boolean} [line] Whether the best move gets its principal variation.
 * @property {number | null} [replays] Triple Triad: how many replays of a draw to look ahead; five under Sudden Death if left out, otherwise none.
 */

/**
 * Which move does a player of some strength make?
 * @typedef {object} ChooseQuestion
 * @property {string | null} [position] The position as text; the start of the game if left out.
 * @property {string[]} [moves] Moves to play from the position.
 * @property {Options} [options] The rules.
 * @property {Limits} [limits] What the choice may cost.
 * @property {number} [level] The strength, from 1 (a beginner) to 10 (full strength).
 * @property {number} [seed] The seed of the mistakes of a weaker player.
 * @property {boolean} [book] UTTT: whether the opening book answers where it can; only at full strength.
 */

/**
 * Which cards?
 * @typedef {object} CardsQuestion
 * @property {string | null} [game] `ff8` or `ff14`; `ff8` if left out.
 * @property {string} [query] A name, a part of a name, a misspelt name, `#12` or `8A32`; empty for all cards.
 * @property {number | null} [most] Maximum number of cards.
 */

/**
 * Which opponents?
 * @typedef {object} NpcsQuestion
 * @property {string | null} [game] `ff14`, the only game with a list of opponents.
 * @property {string} [query] A name, a part of a name, a misspelt name, or `#12`; empty for all opponents.
 * @property {CardRef | null} [drops] Only opponents who give this card.
 * @property {CardRef[] | null} [owned] The cards that are owned: only opponents who give another card.
 * @property {number | null} [most] Maximum number of opponents.
 */

/**
 * A card: its number in the list, a text as on the command line, or its sides.
 * @typedef {number | string | { sides: number[], element?: number, type?: number }} CardRef
 */

/**
 * A deal, and the moves made so far.
 * @typedef {object} DealQuestion
 * @property {string | null} [game] `ff8` or `ff14`; `ff8` if left out.
 * @property {string[]} [rules] Names of rules.
 * @property {number[] | null} [cell_elements] The element of each cell, as a number like that of a card; no elements if left out.
 * @property {CardRef[]} hand_a Five cards.
 * @property {CardRef[]} hand_b Five cards.
 * @property {string | null} [first] Who plays the first card; if left out, the player of the first move, or `a`.
 * @property {MoveText[]} [moves] The moves made so far.
 */

/**
 * A move of a deal.
 * @typedef {object} MoveText
 * @property {string} player `A` or `B`.
 * @property {CardRef} card The place in the player's hand, 0 to 4, or the card.
 * @property {number} cell 0 to 8, row by row.
 */

/**
 * A game against an opponent whose hand is hidden, and what was seen of it so far.
 * @typedef {object} AdviseQuestion
 * @property {string | null} [game] `ff8` or `ff14`; `ff14` if left out.
 * @property {string[]} [rules] Names of rules. Those of a named opponent are added.
 * @property {string[]} [roulette] The rules that Roulette brought, if it is in force.
 * @property {number[] | null} [cell_elements] The element of each cell, as a number like that of a card; no elements if left out.
 * @property {CardRef[]} [hand] Your five cards at the start of the game, before Swap; under Order in playing order.
 * @property {OpponentQuestion} [opponent] The opponent.
 * @property {SwapText | null} [swap] What Swap exchanged, if it is in force.
 * @property {string | null} [first] Who plays the first card, `me` or `opponent`; if left out, the player of the first move, or `me`.
 * @property {string[]} [moves] The moves so far, as in `me:Titan@4` and `opponent:Ifrit@0`; cells 0 to 8, row by row.
 * @property {CardRef[]} [seen] Cards that you saw in the hand of the opponent, played or not.
 * @property {CardRef | null} [drawn] Under Chaos, the card that was drawn for your turn now. If left out, the moves of each card that may be drawn are answered, grouped by card.
 * @property {number} [replays] How often a draw is replayed with the cards that each player owns. The open solver's result of the replay then counts in place of the draw, in every measure. 0 if left out: a draw is a draw.
 * @property {Aim | null} [aim] What to play for against random and greedy play: `points` (a win 1, a draw 1/2) or `win`; `points` if left out.
 * @property {boolean} [greedy] Whether to compute the chances against greedy play too.
 * @property {Limits} [limits] What the advice may spend.
 */

/**
 * An opponent. Exactly one of `npc`, `fixed` with `variable`, and `hands` is given.
 * @typedef {object} OpponentQuestion
 * @property {string | null} [npc] An opponent of Final Fantasy XIV, by name or number as in `#12`. His rules are in force.
 * @property {CardRef[]} [fixed] The cards that are always in his hand.
 * @property {CardRef[]} [variable] The cards with which the hand is filled up to five, at random.
 * @property {CardRef[][]} [hands] Every hand he may hold, equally likely. Under Order each hand is in playing order.
 */

/**
 * What Swap exchanged.
 * @typedef {object} SwapText
 * @property {CardRef} gave Your card that went to the opponent.
 * @property {CardRef} got His card that came to you.
 */

/**
 * What to play for against random and greedy play.
 * @typedef {"points" | "win"} Aim
 */

/**
 * Which deck is best against an opponent?
 * @typedef {object} DeckQuestion
 * @property {string | null} [game] `ff8` or `ff14`; `ff14` if left out.
 * @property {OpponentQuestion} [opponent] The opponent.
 * @property {string[]} [rules] Names of rules. They are added to the rules of an opponent with a name.
 * @property {OwnedCard[] | null} [owned] The cards to choose from; all cards of the game if left out.
 * @property {CardRef[]} [locked] Cards that must be in the deck.
 * @property {CardRef[] | null} [deck] A deck that the answer must not be worse than.
 * @property {number} [seed] Chooses the random restarts.
 * @property {number | null} [finalists] How many of the decks with equal points are compared for a hidden hand; 4 if left out, 0 for none.
 * @property {Limits} [limits] What the search may spend.
 */

/**
 * A card that is owned.
 * @typedef {object} OwnedCard
 * @property {CardRef} card The card.
 * @property {number} [count] The number of copies; 1 if left out.
 */

/**
 * What is the sum of the values of all final boards, modulo 2^30?
 * @typedef {object} SumQuestion
 * @property {string} board Nine digits from 0 to 6, row by row.
 * @property {number} depth Maximum number of moves.
 * @property {Limits} [limits] What the sum may cost.
 * @property {EngineName} [engine] Which engine computes it.
 */

/**
 * Which engine computes a sum.
 * @typedef {"scratch" | "cache"} EngineName
 */

/**
 * How many sequences of moves are there, and where do they end?
 * @typedef {object} CountQuestion
 * @property {string} board Nine digits from 0 to 6, row by row.
 * @property {number} depth Maximum number of moves.
 * @property {number} [finals] Number of final boards to list, at most 100,000.
 * @property {Limits} [limits] What the count may cost.
 */

/**
 * How long does a sum take, by rank and by depth?
 * @typedef {object} HeatQuestion
 * @property {number} [last_rank] Measure the ranks (numbers of pips) from 0 to this, at most 48.
 * @property {number[]} [depths] The depths to measure, at most 61 each.
 * @property {number} [boards] Number of random boards per rank, from 1 to 10,000.
 * @property {number} [seed] The seed of the boards.
 * @property {EngineName} [engine] Which engine to measure.
 * @property {Limits} [limits] What the measurement may cost.
 */

/**
 * Why a question has no answer.
 * @typedef {object} Fault
 * @property {FaultKind} kind What kind of fault it is.
 * @property {string} field The path of the field that is to blame, such as `position`, `moves[3]` or `options.rule`; empty if no field is.
 * @property {string} message What is wrong. Where it is about a text, a second and third line show the text and point at the character.
 */

/**
 * What kind of fault it is: a translator chooses its exit code or status by it.
 * @typedef {"question" | "stopped" | "memory" | "file"} FaultKind
 */

/**
 * What this server is.
 * @typedef {object} About
 * @property {string} name `ninefold`.
 * @property {string} version The version of the program.
 * @property {string} isa The instruction set in use.
 * @property {AboutGame[]} games The games and their options.
 * @property {AboutLimits} limits The limits of this server.
 */

/**
 * A game and its options.
 * @typedef {object} AboutGame
 * @property {GameName} name The game.
 * @property {Setting[]} settings Its options and their defaults.
 */

/**
 * The games of two players.
 * @typedef {"cephalopods" | "triad" | "uttt"} GameName
 */

/**
 * An option of a game: its value now, and what it can be.
 * @typedef {object} Setting
 * @property {string} name Its name, one word.
 * @property {string} value Its value.
 * @property {SettingKind} kind What it can be.
 */

/**
 * What an option can be.
 * @typedef {{ choice: string[] } | { number: { least: number, most: number } } | "text"} SettingKind
 */

/**
 * The limits of this server.
 * @typedef {object} AboutLimits
 * @property {number} searches Searches at once.
 * @property {number} waiting Searches that may wait.
 * @property {number} time_ms The longest search, in milliseconds.
 * @property {number} nodes The largest search, in nodes.
 * @property {number} memory_mib The memory of a search, in MiB.
 * @property {number} body The longest body, in bytes.
 */

/**
 * A position without any search.
 * @typedef {object} View
 * @property {string} position The one-line form.
 * @property {string | null} [fen] UTTT: the position as FEN.
 * @property {number} mover Who moves next, 1 or 2; in a finished game, who would move.
 * @property {string[]} players What the two players are called.
 * @property {number} ply Moves made so far.
 * @property {MoveView[]} moves The legal moves; empty when the game is over.
 * @property {number | null} result The result for the first player: 1 won, 0 drawn, -1 lost; null until the game is over.
 * @property {string} status How the game stands, or how it ended, in words.
 * @property {BoardView} board The board.
 */

/**
 * A legal move.
 * @typedef {object} MoveView
 * @property {string} move The move, as `play` takes it; one word.
 * @property {string} label For people.
 * @property {number} cell The cell it is made on: 0 to 80 for Ultimate Tic-Tac-Toe (row by row of the whole board), else row by row.
 * @property {number | null} [card] Triple Triad: the card, 0 to 9.
 * @property {number[]} [captures] Cephalopods: the cells whose dice are captured.
 */

/**
 * The board of each game.
 * @typedef {{ game: "cephalopods", rows: number, columns: number, dice: (Die | null)[] } | { game: "triad", edition: string, rules: string[], elements: (string | null)[], cells: (number | null)[], cards: CardView[], score: number } | { game: "uttt", squares: string, boards: string, open: number[] }} BoardView
 */

/**
 * A die on the board.
 * @typedef {object} Die
 * @property {number} owner 1 or 2.
 * @property {number} pips 1 to 6.
 */

/**
 * A card of a deal.
 * @typedef {object} CardView
 * @property {string} name Its name, or its sides if it has none.
 * @property {number[]} sides Top, right, bottom, left: 1 to 10.
 * @property {number} change What Ascension, Descension or the element of its cell adds to each side.
 * @property {string | null} [kind] Its element or type.
 * @property {number | null} [grade] Its level or stars, if it is a known card.
 * @property {number} owner Who owns it now: 1 or 2.
 * @property {boolean} laid Whether it is on the board.
 * @property {boolean} playable Whether the mover may play it now.
 */

/**
 * Moves that were played, and where they lead.
 * @typedef {object} PlayAnswer
 * @property {string} start The position before the first move.
 * @property {Played[]} played What each move did.
 * @property {View} view The position after the last move.
 */

/**
 * A move that was made.
 * @typedef {object} Played
 * @property {string} move The move, in its one-word form.
 * @property {string} label The move for people.
 * @property {Flip[]} flips The captures, in the order of the rules.
 * @property {string} position The position after it.
 */

/**
 * A card or die that a move captured.
 * @typedef {object} Flip
 * @property {number} cell The cell of the card or die.
 * @property {string} cause Why, in words.
 */

/**
 * What is known of a position. All values are for the side to move.
 * @typedef {object} Analysis
 * @property {string} position The position, in its one-line form.
 * @property {string} mover The name of the side to move.
 * @property {Outcome | null} outcome The result with best play, if it is certain and luck does not decide it.
 * @property {number} score From -1 (lost) to 1 (won).
 * @property {number | null} margin Triple Triad: how many cards more than the other the side to move owns at the end; a mean where luck decides.
 * @property {Chances | null} chances The chances of the outcomes, where luck or hidden cards decide.
 * @property {Certainty} certainty How sure this is.
 * @property {string | null} best The best move; none when the game is over or nothing is known.
 * @property {string[]} optimal Every move that is certain to be as good as the best one, as far as that is known.
 * @property {Line[]} lines The moves, best first.
 * @property {boolean} complete Whether every move that was asked for has its final value.
 * @property {number} depth Plies searched.
 * @property {number} nodes Nodes visited.
 * @property {number} seconds Time spent.
 * @property {LegacyValue | null} value `solve`, as in edition 0.1; null if nothing is known. UTTT: `W`, `D` or `L` for the side to move. Triple Triad: how many of the ten cards A owns at the end. Cephalopods: from -1 to 1 for the side to move.
 * @property {boolean | null} [proved] UTTT `solve`: whether the value is proved. `complete` tells whether the moves are, too.
 * @property {Outcome | null} [result] Triple Triad `solve`, as in edition 0.1: `win`, `draw` or `loss` for A.
 * @property {((number | null)[])[] | null} [first_moves] Triple Triad `solve` of all moves, as in edition 0.1: by card of the mover's hand and cell, how many cards A owns at the end; null where the card cannot be played.
 * @property {Outcome | null} [sudden_death] Triple Triad: the outcome for the side to move when draws are played again, if replays were asked for.
 */

/**
 * A result, seen by the side to move.
 * @typedef {"loss" | "draw" | "win"} Outcome
 */

/**
 * The chances of the three outcomes, where luck or hidden cards decide. They sum to 1.
 * @typedef {object} Chances
 * @property {number} win To win.
 * @property {number} draw To draw.
 * @property {number} loss To lose.
 */

/**
 * How sure a value is.
 * @typedef {{ kind: "proved" } | { kind: "certified" } | { kind: "hashed", error: number } | { kind: "estimated", visits: number, error: number }} Certainty
 */

/**
 * A move and what is known of it. All values are for the side to move.
 * @typedef {object} Line
 * @property {string} move The move, as `play` takes it; one word.
 * @property {string} label The move for people.
 * @property {Outcome | null} outcome The result with best play, if it is certain and luck does not decide it.
 * @property {number} score From -1 (lost) to 1 (won).
 * @property {number | null} margin Triple Triad: how many cards more than the other the side to move owns at the end; a mean where luck decides.
 * @property {Chances | null} chances The chances of the outcomes, where luck or hidden cards decide.
 * @property {Certainty} certainty How sure this is.
 * @property {string[]} line The principal variation, this move included.
 */

/**
 * The `value` of edition 0.1.
 * @typedef {Letter | number | number} LegacyValue
 */

/**
 * Won, drawn or lost for the side to move.
 * @typedef {"W" | "D" | "L"} Letter
 */

/**
 * The move of a player.
 * @typedef {object} ChooseAnswer
 * @property {string | null} move The move; none when the game is over.
 * @property {boolean} [book] UTTT: whether the move is from the opening book.
 */

/**
 * All rules.
 * @typedef {object} RulesAnswer
 * @property {RuleInfo[]} rules The rules and switches.
 */

/**
 * A rule or switch.
 * @typedef {object} RuleInfo
 * @property {string} name Its name.
 * @property {string[]} games The games that have it.
 * @property {boolean} switch Whether it is a switch: it says how another rule is read.
 * @property {string[]} on The games in which it is on by default.
 */

/**
 * The cards that match, best first.
 * @typedef {object} CardsAnswer
 * @property {CardInfo[]} cards The cards.
 */

/**
 * A card of a list.
 * @typedef {object} CardInfo
 * @property {string} game `ff8` or `ff14`.
 * @property {number} id Its number.
 * @property {string} name Its name.
 * @property {number | null} [level] Final Fantasy VIII: 1 to 10.
 * @property {number | null} [stars] Final Fantasy XIV: 1 to 5.
 * @property {number[]} sides Top, right, bottom, left; 10 for an A.
 * @property {string} text The card as the command line reads it: sides and the letter of its element or type.
 * @property {string | null} [element] Final Fantasy VIII: its element.
 * @property {string | null} [type] Final Fantasy XIV: its type.
 * @property {number | null} [ai_power] Final Fantasy VIII: the power that opponents attribute to it.
 * @property {MatchKind} match How it matches the query.
 */

/**
 * How a name matches a query.
 * @typedef {"all" | "exact" | "part" | "near"} MatchKind
 */

/**
 * The opponents that match, best first.
 * @typedef {object} NpcsAnswer
 * @property {NpcInfo[]} npcs The opponents.
 */

/**
 * An opponent of Final Fantasy XIV.
 * @typedef {object} NpcInfo
 * @property {number} id The number in the list.
 * @property {string} name The name.
 * @property {string[]} rules The rules, by the names of the game.
 * @property {string[]} fixed The cards that are always in the hand.
 * @property {string[]} variable The cards from which the rest of the hand is drawn.
 * @property {number} hands The number of possible hands.
 * @property {string[]} rewards The cards that can be won.
 * @property {string[]} [missing] Those of them that are not owned, if the question says which are.
 * @property {number[]} place The coordinates on the map.
 * @property {MatchKind} match How the name matches the query.
 */

/**
 * What is known of every move, best first.
 * @typedef {object} AdviseAnswer
 * @property {number} worlds The number of hands that the opponent may still hold.
 * @property {string} turn Who is to move, `me` or `opponent`.
 * @property {Outcome | null} [result] The result for you, if the game is over.
 * @property {string | null} best The best move; none on the turn of the opponent, after the game, and while the card that Chaos draws is not told.
 * @property {MoveMeasures[]} moves Your moves, best first: by `certain`, then `guaranteed`, then `careful` under Chaos, then `random`. Grouped by card while the card that Chaos draws is not told.
 * @property {PositionMeasures} position The measures of the position itself.
 * @property {boolean} complete Whether every number is exact. If not, some are bounds or estimates, and say so.
 * @property {number} nodes Nodes visited; 0 if the answer was kept from before.
 * @property {number} seconds Seconds used.
 */

/**
 * The measures of a move.
 * @typedef {object} MoveMeasures
 * @property {string} move The move, with the card as the question named it: `Titan@4`.
 * @property {Outcome} certain The result against perfect play, whatever hand the opponent holds. A lower bound if `at_most` is there.
 * @property {Guaranteed} guaranteed In how many hands one strategy wins, and does not lose, against the best defence. Lower bounds if `at_most` is there.
 * @property {AtMost | null} [at_most] Upper bounds, if `certain` or `guaranteed` is not exact yet.
 * @property {ModelChances | null} [random] The chances against an opponent who plays a random card on a random cell.
 * @property {ModelChances | null} [careful] Under Chaos: the chances if the opponent's card is drawn and he places it where it costs you most, knowing no more than you do.
 * @property {ModelChances | null} [greedy] The chances against an opponent who captures as many cards as he can at once.
 */

/**
 * In how many of the remaining hands one fixed strategy reaches a goal.
 * @typedef {object} Guaranteed
 * @property {number} win It wins.
 * @property {number} not_lose It does not lose; this may be another strategy.
 */

/**
 * Upper bounds of `certain` and `guaranteed`.
 * @typedef {object} AtMost
 * @property {Outcome} certain Of `certain`.
 * @property {Guaranteed} guaranteed Of `guaranteed`.
 */

/**
 * Chances under a model of the opponent.
 * @typedef {object} ModelChances
 * @property {number} win To win.
 * @property {number} draw To draw.
 * @property {number} loss To lose.
 * @property {boolean} exact Whether they are exact; if not, `error` says how far off they may be.
 * @property {number | null} [error] One standard error, the largest of the three.
 */

/**
 * Measures that are never mixed, because each has a model of its own. Under Chaos `certain` and `guaranteed` hold whatever is
 * drawn, for both players.
 * @typedef {object} PositionMeasures
 * @property {Outcome} certain The result against perfect play, whatever hand the opponent holds. A lower bound if `at_most` is there.
 * @property {Guaranteed} guaranteed In how many hands one strategy wins, and does not lose, against the best defence. Lower bounds if `at_most` is there.
 * @property {AtMost | null} [at_most] Upper bounds, if `certain` or `guaranteed` is not exact yet.
 * @property {ModelChances | null} [random] The chances against an opponent who plays a random card on a random cell.
 * @property {ModelChances | null} [careful] Under Chaos: the chances if the opponent's card is drawn and he places it where it costs you most, knowing no more than you do.
 * @property {ModelChances | null} [greedy] The chances against an opponent who captures as many cards as he can at once.
 */

/**
 * The best deck found, and what is known about it.
 * @typedef {object} DeckAnswer
 * @property {string[]} deck The five cards; under Order in the order of play.
 * @property {number} points 1 for a win, 1/2 for a draw, over all games: every hand, both starts, hands open, perfect play. Expected points if luck decides.
 * @property {number} of The number of games.
 * @property {ExpectedPoints | null} [expected] The model behind expected points, under Chaos and Roulette.
 * @property {DeckStatus} status `perfect`: it wins every game. `proved`: no deck of the collection is better. `best-known`: no better deck was found.
 * @property {number} bound No deck of the collection has more points.
 * @property {number} open_boxes Sets of decks that are not refuted.
 * @property {boolean} no_exchange_is_better Whether it is shown that no exchange of a single card is better.
 * @property {string} rules The rules in force.
 * @property {DeckGame[]} games Every game. Empty if points are estimated.
 * @property {HiddenDeck | null} [hidden] What the deck does when the opponent's hand is hidden. Left out if it was not computed: on demand, under Swap, and if luck decides.
 * @property {MissingCard[]} [missing] Cards that are not owned and would make this deck better, best first.
 * @property {number} tests Games that were tested; decks if luck decides.
 * @property {number} seconds Seconds.
 */

/**
 * The model behind expected points, and how sure they are.
 * @typedef {object} ExpectedPoints
 * @property {string} model `both place best`: hands are open, what luck brings is equally likely, and both players place their cards best.
 * @property {Chances} chances The chances of one game, over all hands and both starts.
 * @property {boolean} exact Whether they are exact; if not, `error` says how far off the points may be.
 * @property {number | null} [error] One standard error of the points.
 * @property {string | null} [fraction] The exact points of one game, as in `17/32`.
 * @property {number} solved Games with all that luck may bring, but for the draws of Chaos, that were solved.
 * @property {number} trials All such games.
 */

/**
 * How good a deck is known to be.
 * @typedef {"best-known" | "proved" | "perfect"} DeckStatus
 */

/**
 * A game of a deck.
 * @typedef {object} DeckGame
 * @property {string[]} hand The opponent's hand, before a swap.
 * @property {string} first `me` or `opponent`.
 * @property {string[] | null} [swap] The card that I give and the card that I get, under Swap.
 * @property {Outcome | null} [result] For me; left out if luck decides.
 * @property {Chances | null} [chances] For me, if luck decides.
 * @property {number | null} [margin] My cards minus the opponent's at the end; left out under Swap.
 */

/**
 * What a deck does when the opponent's hand is hidden.
 * @typedef {object} HiddenDeck
 * @property {PositionMeasures} me If I start.
 * @property {PositionMeasures} opponent If the opponent starts.
 */

/**
 * A card that would help.
 * @typedef {object} MissingCard
 * @property {string} card The card.
 * @property {string} replaces The card of the deck whose place it takes.
 * @property {number} points The points of the deck with it.
 * @property {string[]} npcs The opponents who give it.
 */

/**
 * The sum of the values of all final boards.
 * @typedef {object} SumAnswer
 * @property {string} board The board.
 * @property {number} depth Maximum number of moves.
 * @property {number} sum The sum modulo 2^30.
 * @property {number | null} [ms] The time it took, in milliseconds.
 */

/**
 * All sequences of moves. The integers may be far beyond 2^53.
 * @typedef {object} CountAnswer
 * @property {number} games The number of sequences.
 * @property {string} sum The sum of the values of their final boards, in decimal.
 * @property {number} sum_modulo That sum modulo 2^30: the contest's answer.
 * @property {number[]} digits The sum of each cell's digit over the final boards.
 * @property {number[]} lengths The number of sequences of each length, from 0 moves on.
 * @property {number} final_boards The number of different final boards.
 * @property {([string, number])[]} finals Final boards and the number of sequences that end there, most first, equal ones by board; as many as were asked for.
 */

/**
 * Measured times.
 * @typedef {object} HeatAnswer
 * @property {string} engine `scratch`, `cache` or `table`.
 * @property {HeatPlan} plan What was measured.
 * @property {number[][]} ms The mean time in milliseconds by rank, then by depth.
 */

/**
 * What was measured.
 * @typedef {object} HeatPlan
 * @property {number} last_rank The ranks are 0 to this.
 * @property {number[]} depths The depths.
 * @property {number} boards Number of random boards per rank.
 * @property {number} seed The seed of the boards.
 */

/**
 * @typedef {object} Error
 * @property {Fault} error
 */

export {};
