// The dialog for the hands and rules of Triple Triad: cards by name, rules as check boxes, and the opponents of Final
// Fantasy XIV by name.

import { ask, get, ApiError } from "./api.js";
import { rank } from "./card.js";
import { button, element, openDialog, select, setText } from "./dom.js";
import { picker } from "./picker.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {"ff8" | "ff14"} Edition */
/** @typedef {{ name: string, games: string[], switch: boolean, on: string[] }} RuleFact */

/**
 * What each rule does.
 * @type {Record<string, string>}
 */
const MEANINGS = {
  "open": "all hands are visible", "three-open": "three cards of each hand are visible",
  "same": "two equal pairs of facing ranks capture", "same-wall": "an A against the border counts for Same",
  "plus": "two equal sums of facing ranks capture",
  "elemental": "on a cell with an element: +1 for a card of this element, −1 for any other",
  "reverse": "the lower rank captures", "fallen-ace": "a 1 also captures an A",
  "ascension": "+1 for each card of the same type on the board", "descension": "−1 for each card of the same type on the board",
  "order-a": "A plays the cards in the order of the hand", "order-b": "B plays the cards in the order of the hand",
  "chaos-a": "A's next card is drawn at random", "chaos-b": "B's next card is drawn at random",
  "sudden-death": "a draw is played again with the cards owned at the end", "random": "hands are dealt at random",
  "swap": "the players swap one random card", "draft": "hands are drafted", "roulette": "a random rule is added",
  "combo": "cards captured by Same or Plus attack their neighbours",
  "same-takes-weaker": "Same also captures weaker neighbours",
  "plus-one-sum": "of two pairs of equal sums, only one captures",
  "basic-chains": "cards captured by the basic rule attack in combos too", "ace-chains": "Fallen Ace applies inside combos",
};

/**
 * The regional rules of Final Fantasy VIII, and common rules of Final Fantasy XIV.
 * @type {Record<Edition, [string, string[]][]>}
 */
const PRESETS = {
  ff8: [
    ["No special rules", []], ["Balamb", ["open"]], ["Galbadia", ["same"]], ["Trabia", ["random", "plus"]],
    ["Centra", ["same", "plus", "random"]], ["Dollet", ["random", "elemental"]], ["Fishermans Horizon", ["sudden-death", "elemental"]],
    ["Esthar", ["elemental", "same-wall"]],
    ["Lunar", ["open", "same", "plus", "same-wall", "elemental", "random", "sudden-death"]],
  ],
  ff14: [
    ["No special rules", []], ["All Open", ["open"]], ["Same and Plus", ["open", "same", "plus"]], ["Reverse", ["open", "reverse"]],
    ["Fallen Ace", ["open", "fallen-ace"]], ["Ascension", ["open", "ascension"]], ["Descension", ["open", "descension"]],
    ["Order", ["open", "order-a", "order-b"]], ["Chaos", ["open", "chaos-a", "chaos-b"]],
  ],
};

const ELEMENTS = ["none", "Fire", "Ice", "Thunder", "Earth", "Poison", "Wind", "Water", "Holy"];

/** @param {string} name The spelling of the game, such as Three Open. */
const ruleName = (name) => name.toLowerCase().replaceAll(" ", "-");

/** @param {Session} session */
export async function dealDialog(session) {
  const { view } = session;
  const board = view?.board.game === "triad" ? view.board : null;
  /** @type {RuleFact[]} */
  const facts = (await get("/api/triad/rules")).rules;
  /** @type {Edition} */
  let edition = board?.edition === "ff14" ? "ff14" : "ff8";
  /** @type {Set<string>} */
  let on = new Set();
  let elements = board ? board.elements.map((name) => name ?? "none") : Array(9).fill("none");
  let first = view?.position.split(" ").pop()?.[0] ?? "a";
  const names = board ? board.cards.map((card) => card.name) : Array(10).fill("");
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const message = element("p", { class: "said", role: "status" });
  const switches = element("div", { class: "switches" });
  const cellElements = element("div", { class: "cell-elements" });
  const presets = element("div", {});

  /** @param {unknown} error */
  function showFault(error) {
    fault.hidden = false;
    setText(fault, error instanceof ApiError ? error.message : String(error));
  }

  const search = async (/** @type {string} */ query) => {
    const found = await ask("/api/triad/cards", { game: edition, query, most: 8 });
    return found.cards.map((/** @type {any} */ card) => ({
      name: card.name,
      note: `${card.sides.map(rank).join(" ")} ${card.element ?? card.type ?? ""} ${card.stars ? `${card.stars}★` : `Lv ${card.level}`}`,
    }));
  };
  const pickers = Array.from({ length: 10 }, (_, number) => picker(
    `${"AB"[Math.floor(number / 5)]} card ${(number % 5) + 1}`, search, (name) => (names[number] = name),
    { value: names[number], "data-slot": String(number) }));
  const opponent = picker("Opponent", async (query) => {
    const found = await ask("/api/triad/npcs", { query, most: 8 });
    return found.npcs.map((/** @type {any} */ npc) => ({ name: npc.name, note: npc.rules.join(", ") || "no special rules" }));
  }, chooseOpponent, { id: "npc" });
  const opponentSection = element("div", { class: "opponent" },
    element("h3", {}, "Opponent from Final Fantasy XIV"), opponent.node, message);

  /** @param {string} name */
  async function chooseOpponent(name) {
    try {
      const [npc] = (await ask("/api/triad/npcs", { query: name, most: 1 })).npcs;
      const hand = [...npc.fixed, ...npc.variable].slice(0, 5);
      hand.forEach((card, index) => put(5 + index, card));
      on = new Set([...facts.filter((fact) => fact.on.includes("ff14")).map((fact) => fact.name)]);
      for (const rule of npc.rules.map(ruleName)) {
        for (const known of rule === "order" || rule === "chaos" ? [`${rule}-a`, `${rule}-b`] : rule === "all-open" ? ["open"] : [rule]) on.add(known);
      }
      const fixed = npc.fixed.length ? `always has ${npc.fixed.join(", ")}` : "has no fixed cards";
      const rest = npc.variable.length ? ` The other cards are drawn from ${npc.variable.join(", ")}. Set B's cards to the ones you see.` : "";
      setText(message, `${npc.name} ${fixed}.${rest}`);
      drawRules();
    } catch (error) {
      showFault(error);
    }
  }

  /**
   * @param {number} slot
   * @param {string} name
   */
  function put(slot, name) {
    names[slot] = name;
    pickers[slot].field.value = name;
  }

  /** @param {string[]} rules */
  function setRules(rules) {
    on = new Set([...facts.filter((fact) => fact.on.includes(edition)).map((fact) => fact.name), ...rules]);
    drawRules();
  }

  function drawRules() {
    const box = (/** @type {RuleFact} */ fact) => {
      const input = element("input", { type: "checkbox", checked: on.has(fact.name), "data-rule": fact.name, onchange: () => {
        if (input.checked) on.add(fact.name); else on.delete(fact.name);
        drawElements();
      } });
      return element("label", { class: "check" }, input, ` ${fact.name} `, element("small", {}, MEANINGS[fact.name] ?? ""));
    };
    const available = facts.filter((fact) => fact.games.includes(edition));
    switches.replaceChildren(
      element("div", { class: "rule-list" }, ...available.filter((fact) => !fact.switch).map(box)),
      element("details", {}, element("summary", {}, "Rule details"),
        element("div", { class: "rule-list" }, ...available.filter((fact) => fact.switch).map(box))));
    drawElements();
  }

  function drawElements() {
    cellElements.hidden = !on.has("elemental");
    const choices = /** @type {[string, string][]} */ (ELEMENTS.map((name) => [name, name]));
    cellElements.replaceChildren(...elements.map((name, cell) => select(`Cell ${cell + 1}`, choices, name, (value) => (elements[cell] = value))));
  }

  /** @param {Edition} chosen */
  function setEdition(chosen) {
    edition = chosen;
    opponentSection.hidden = edition !== "ff14";
    const list = PRESETS[edition];
    const choices = /** @type {[string, string][]} */ ([["", "choose …"], ...list.map(([name]) => [name, name])]);
    presets.replaceChildren(select("Preset", choices, "", (name) => setRules(list.find(([known]) => known === name)?.[1] ?? []), "preset"));
    drawRules();
  }

  async function random() {
    const seed = Math.floor(Math.random() * 2 ** 31);
    try {
      const dealt = await ask("/api/triad/look", { options: { edition, seed } });
      dealt.board.cards.forEach((/** @type {{ name: string }} */ card, /** @type {number} */ slot) => put(slot, card.name));
    } catch (error) {
      showFault(error);
    }
  }

  async function apply() {
    const rules = facts.filter((fact) => fact.games.includes(edition) && on.has(fact.name) !== fact.on.includes(edition))
      .map((fact) => (on.has(fact.name) ? fact.name : `no-${fact.name}`));
    pickers.forEach(({ field }, slot) => (names[slot] = field.value.trim()));
    const isElemental = on.has("elemental");
    const masks = elements.map((name) => (name === "none" ? 0 : 1 << (ELEMENTS.indexOf(name) - 1)));
    try {
      const dealt = await ask("/api/triad/deal", {
        game: edition, rules, hand_a: names.slice(0, 5), hand_b: names.slice(5), first, ...(isElemental ? { cell_elements: masks } : {}),
      });
      await session.begin(dealt.position, { edition, rules: rules.join(",") || "-" });
      dialog.close();
    } catch (error) {
      showFault(error);
    }
  }

  const editions = /** @type {[string, string][]} */ ([["ff8", "Final Fantasy VIII"], ["ff14", "Final Fantasy XIV"]]);
  /** @param {number} player */
  const hand = (player) => element("fieldset", {}, element("legend", {}, `Hand of ${"AB"[player]}`),
    ...pickers.slice(player * 5, player * 5 + 5).map(({ node }) => node));
  const dialog = openDialog("Hands and rules",
    element("div", { class: "setup" },
      select("Game", editions, edition, (value) => { setEdition(/** @type {Edition} */ (value)); setRules([]); random(); }, "edition"),
      presets,
      select("First player", [["a", "A"], ["b", "B"]], first, (value) => (first = value), "opens"),
      button("Random hands", random, { id: "random" })),
    opponentSection,
    element("p", {}, "Type part of a name, or ranks such as 8A32 (top, right, bottom, left; A is 10)."),
    element("div", { class: "hands-form" }, hand(0), hand(1)),
    element("h3", {}, "Rules"), switches, cellElements, fault,
    element("div", { class: "buttons" }, button("Play these hands", apply, { id: "deal-apply", class: "main" })));
  dialog.classList.add("wide");
  setEdition(edition);
  setRules([]);
  for (const rule of board?.rules ?? []) {
    if (rule.startsWith("no-")) on.delete(rule.slice(3));
    else for (const known of rule === "order" || rule === "chaos" ? [`${rule}-a`, `${rule}-b`] : [rule]) on.add(known);
  }
  drawRules();
}
