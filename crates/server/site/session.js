// A game in progress: its moves, the position shown, and the engine's analysis. Callbacks tell the page to redraw it.

import { ask, ApiError, stream } from "./api.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./api-types.js").View} View */
/** @typedef {import("./api-types.js").Played} Played */
/** @typedef {import("./api-types.js").Analysis} Analysis */
/** @typedef {import("./api-types.js").Line} Line */

/** Time limit for an engine move. Triple Triad nearly always stops earlier, because the position is solved. */
const ENGINE_TIME_MS = { uttt: 1000, cephalopods: 1000, triad: 5000 };

/** Minimum time a position is shown before the engine moves. */
const PAUSE_MS = 350;

export class Session {
  /**
   * @param {State} state
   * @param {() => void} onChange The game or its settings have changed.
   * @param {() => void} onAnalysis A new analysis result has arrived.
   */
  constructor(state, onChange, onAnalysis) {
    this.state = state;
    this.onChange = onChange;
    this.onAnalysis = onAnalysis;
    /** @type {View | null} */
    this.view = null;
    /** The position before the first move. */
    this.start = "";
    /** @type {Played[]} */
    this.played = [];
    /** @type {Analysis | null} */
    this.analysis = null;
    /** @type {Map<string, Line>} */
    this.lines = new Map();
    /** Whether the analysis is finished. */
    this.settled = false;
    /** Whether the engine is choosing a move. */
    this.thinking = false;
    /** @type {string} */
    this.fault = "";
    /** @type {Map<string, View>} */
    this.views = new Map();
    this.control = new AbortController();
    this.seed = Math.floor(Math.random() * 2 ** 32);
  }

  get game() {
    return this.state.game;
  }

  /** The move that led to the position shown, if any. */
  get last() {
    return this.state.at > 0 ? this.played[this.state.at - 1] : undefined;
  }

  /** Whether it is the engine's turn. */
  get isEngineTurn() {
    const { view, state } = this;
    if (!view || view.result !== null) return false;
    return state.mode === "engines" || (state.mode === "first" && view.mover === 2) || (state.mode === "second" && view.mover === 1);
  }

  /** The options with the types that the server expects. The address holds only strings. */
  get options() {
    const { seed, ...rest } = this.state.options;
    return seed === undefined ? rest : { ...rest, seed: Number(seed) };
  }

  /** Loads the game of the state: replays all moves from its first position. */
  async open() {
    const { state } = this;
    await this.attempt(async () => {
      const body = { options: this.options, moves: state.moves, ...(state.from ? { position: state.from } : {}) };
      /** @type {import("./api-types.js").PlayAnswer} */
      const answer = await ask(`/api/${state.game}/play`, body);
      this.start = answer.start;
      this.played = answer.played;
      state.moves = answer.played.map((step) => step.move);
      this.views.set(answer.view.position, answer.view);
      await this.showPosition();
    });
  }

  /** The position shown. */
  get position() {
    return this.state.at > 0 ? this.played[this.state.at - 1].position : this.start;
  }

  /** Gets the view of the current position, from the cache if possible, and shows it. */
  async showPosition() {
    const position = this.position;
    let view = this.views.get(position);
    if (!view) {
      view = /** @type {View} */ (await ask(`/api/${this.game}/look`, { position, options: this.options }));
      this.views.set(position, view);
    }
    if (position !== this.position) return;
    this.view = view;
    this.restart();
  }

  /** Cancels the running search, drops its results, and starts the engine or the analysis for the position shown. */
  restart() {
    this.control.abort();
    this.control = new AbortController();
    this.analysis = null;
    this.lines = new Map();
    this.settled = false;
    const isLast = this.state.at === this.state.moves.length;
    this.thinking = this.isEngineTurn && isLast;
    this.onChange();
    if (this.thinking) this.thinkAndMove(this.control.signal);
    else if (this.state.scores) this.analyse(this.state.time, this.control.signal);
  }

  /**
   * @param {number} time
   * @param {AbortSignal} signal
   */
  async analyse(time, signal) {
    const body = { position: this.position, options: this.options, limits: { time_ms: time } };
    for (let wait = 1000; ; wait *= 2) {
      try {
        await stream(this.game, body, (analysis, done) => this.receive(analysis, done, signal), signal);
        return;
      } catch (fault) {
        if (signal.aborted) return;
        // 429: the server's queue is full. Wait and try again.
        if (!(fault instanceof ApiError && fault.status === 429 && wait < 20000)) return this.reportFault(fault);
        await new Promise((resume) => setTimeout(resume, wait));
        if (signal.aborted) return;
      }
    }
  }

  /**
   * @param {Analysis} analysis
   * @param {boolean} done
   * @param {AbortSignal} signal
   */
  receive(analysis, done, signal) {
    if (signal.aborted) return;
    this.analysis = analysis;
    this.settled = done;
    this.lines = new Map(analysis.lines.map((line) => [line.move, line]));
    this.onAnalysis();
  }

  /** @param {AbortSignal} signal */
  async thinkAndMove(signal) {
    const { state } = this;
    const began = performance.now();
    const time = ENGINE_TIME_MS[this.game];
    try {
      if (state.scores) await this.analyse(time, signal);
      const best = state.level === 10 && this.settled ? this.analysis?.best : null;
      const body = { position: this.position, options: this.options, limits: { time_ms: time }, level: state.level, seed: this.seed };
      const move = best ?? (await ask(`/api/${this.game}/choose`, body, signal)).move;
      const pause = PAUSE_MS - (performance.now() - began);
      if (pause > 0) await new Promise((resume) => setTimeout(resume, pause));
      if (move && !signal.aborted) await this.play(move);
    } catch (fault) {
      if (!signal.aborted) this.reportFault(fault);
    }
  }

  /**
   * Plays a move. Moves that were undone are dropped.
   * @param {string} move
   */
  async play(move) {
    await this.attempt(async () => {
      const position = this.position;
      /** @type {import("./api-types.js").PlayAnswer} */
      const answer = await ask(`/api/${this.game}/play`, { position, options: this.options, moves: [move] });
      if (position !== this.position) return;
      const { state } = this;
      this.played = [...this.played.slice(0, state.at), ...answer.played];
      state.moves = this.played.map((step) => step.move);
      state.at = state.moves.length;
      this.views.set(answer.view.position, answer.view);
      await this.showPosition();
    });
  }

  /**
   * Shows the position after the first `at` moves.
   * @param {number} at
   */
  async goTo(at) {
    const target = Math.max(0, Math.min(this.state.moves.length, at));
    if (target === this.state.at) return;
    this.state.at = target;
    await this.attempt(() => this.showPosition());
  }

  /** Lets the engine play one move for the side to move. */
  playEngineMove() {
    if (!this.view || this.view.result !== null) return;
    this.control.abort();
    this.control = new AbortController();
    this.thinking = true;
    this.onChange();
    this.thinkAndMove(this.control.signal);
  }

  /**
   * Starts a new game from a position, or from the start position if `from` is empty.
   * @param {string} from
   * @param {Record<string, string>} [options]
   */
  async begin(from, options) {
    if (options) {
      Object.assign(this.state.options, options);
      this.views.clear();
    }
    Object.assign(this.state, { from, moves: [], at: 0 });
    this.seed += 1;
    await this.open();
  }

  /**
   * Changes settings and keeps the position.
   * @param {Partial<State>} change
   */
  adjust(change) {
    Object.assign(this.state, change);
    this.restart();
  }

  stop() {
    this.control.abort();
  }

  /**
   * Runs an action and shows its error.
   * @param {() => Promise<void>} action
   */
  async attempt(action) {
    try {
      this.fault = "";
      await action();
    } catch (fault) {
      this.reportFault(fault);
    }
  }

  /** @param {unknown} fault */
  reportFault(fault) {
    this.fault = fault instanceof Error ? fault.message : String(fault);
    this.thinking = false;
    this.onChange();
  }
}
