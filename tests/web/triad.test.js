// Triple Triad in the browser: hands by name, rules, an opponent by name, a whole game, scores and captures.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, ask, fits, launch, moveCount, ninefold, picture, settled, status, visit, waitForMoves } from "./browser.js";

/** @typedef {import("playwright-core").Page} Page */

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const HANDS = [["Squall", "Ifrit", "Geezard", "Funguar", "Bite Bug"], ["Quistis", "Shiva", "Red Bat", "Blobra", "Gayla"]];

/** @param {Page} page */
async function playOne(page) {
  await page.locator(".hand-card:not([aria-disabled])").first().click();
  await page.locator(".tt-cell[data-legal]").first().click();
}

test("a whole game by clicks, then undo and reload", () => visit(browser, "#/triad?scores=off", async (page) => {
  await page.waitForSelector(".tt-cell[data-legal]");
  await page.locator(".tt-cell[data-legal]").first().click();
  assert.match(await page.locator(".hint").innerText(), /Choose a card of A first/);
  for (let count = 1; count <= 9; count += 1) {
    await playOne(page);
    await waitForMoves(page, count);
  }
  assert.match(await status(page), /won|drawn/i);
  assert.equal(await page.locator(".tt-cell .tt-card:not([hidden])").count(), 9);
  await picture(page, "triad-won");
  const text = await page.locator("#position").inputValue();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".tt-cell .tt-card:not([hidden])").length === 8);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".tt-cell .tt-card:not([hidden])").length === 9);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".tt-cell .tt-card:not([hidden])").length === 9);
  assert.equal(await page.locator("#position").inputValue(), text);
  assert.equal(await moveCount(page), 9);
}));

test("hands by name, rules by check box; scores equal those of the command line; captures show their cause", () => visit(browser, "#/triad?time=20000", async (page) => {
  await page.waitForSelector(".tt-cell[data-legal]");
  await page.click("#deal");
  await page.waitForSelector("[data-rule=same]");
  for (const [slot, name] of HANDS.flat().entries()) {
    const field = page.locator(`[data-slot="${slot}"]`);
    await field.fill("");
    await field.pressSequentially(name.slice(0, 6));
    await page.locator(`.picker:has([data-slot="${slot}"]) [role=option]`, { hasText: name }).first().waitFor();
    if (slot === 0) await picture(page, "triad-picker");
    await page.keyboard.press("Enter");
    assert.equal(await field.inputValue(), name);
  }
  await page.locator("[data-rule=same]").check();
  await page.locator("[data-rule=plus]").check();
  await accessible(page);
  await page.click("#deal-apply");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForFunction(() => document.querySelector(".hand-card .card-name")?.textContent === "Squall");
  assert.match(await page.locator(".deal-line").innerText(), /same, plus/);
  await settled(page);

  const solved = ninefold("triad", "solve", "--rules", "same,plus", "--hand-a", HANDS[0].join(","), "--hand-b", HANDS[1].join(","), "--all-moves", "--json");
  assert.match(await page.locator(".verdict").innerText(), solved.value > 5 ? /^A wins/ : solved.value < 5 ? /^B wins/ : /draw/);
  for (let card = 0; card < 5; card += 1) {
    await page.locator(`[data-card="${card}"]`).click();
    await page.waitForSelector(`[data-card="${card}"][aria-pressed=true]`);
    const shown = await page.locator(".tt-cell .score").allInnerTexts();
    const wanted = solved.first_moves[card].map((/** @type {number} */ owned) => {
      const margin = 2 * owned - 10;
      return margin === 0 ? "D" : margin > 0 ? `W+${margin}` : `L−${-margin}`;
    });
    assert.deepEqual(shown, wanted, `card ${card}`);
  }
  await picture(page, "triad-scores");

  // A capture is explained in the preview and after the move.
  await page.locator('[data-card="0"]').click();
  await page.locator('[data-cell="4"]').click();
  await waitForMoves(page, 1);
  const view = await ask("/api/triad/look", { position: await page.locator("#position").inputValue() });
  let found = null;
  for (const move of view.moves) {
    const explained = await ask("/api/triad/explain", { position: view.position, move: move.move });
    if (explained.flips.length) { found = explained; break; }
  }
  assert.ok(found, "some reply captures the card in the middle");
  const [card, cell] = found.move.split("@");
  await page.locator(`[data-card="${card}"]`).click();
  await page.locator(`[data-cell="${cell}"]`).hover();
  await page.waitForSelector(".explain[data-preview]");
  assert.ok((await page.locator(".explain").innerText()).includes(found.flips[0].cause));
  await page.locator(`[data-cell="${cell}"]`).click();
  await waitForMoves(page, 2);
  await page.waitForSelector(`[data-cell="${found.flips[0].cell}"][data-taken]`);
  await page.mouse.move(0, 0);
  assert.ok((await page.locator(".explain").innerText()).includes(found.flips[0].cause));
  await settled(page);
  await picture(page, "triad-flip");
}));

test("the hand and rules of a Final Fantasy XIV opponent are set by name", () => visit(browser, "#/triad?edition=ff14&scores=off", async (page) => {
  await page.waitForSelector(".tt-cell[data-legal]");
  await page.click("#deal");
  await page.waitForSelector("#npc");
  await page.locator("#npc").pressSequentially("aurifort");
  await page.locator(".opponent [role=option]").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".opponent .said")?.textContent?.includes("Aurifort"));
  const [npc] = (await ask("/api/triad/npcs", { query: "Aurifort" })).npcs;
  assert.equal(await page.locator('[data-slot="5"]').inputValue(), npc.fixed[0]);
  assert.ok(await page.locator("[data-rule=three-open]").isChecked());
  assert.ok(await page.locator("[data-rule=order-b]").isChecked());
  await picture(page, "triad-opponent");
  await accessible(page);
  await page.click("#deal-apply");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.match(await page.locator(".deal-line").innerText(), /Final Fantasy XIV[\s\S]*three-open, order/);
  // Under Order only one card may be played. The page has already chosen it.
  assert.equal(await page.locator('.hand-card[aria-pressed="true"]').count(), 1);
  await page.locator(".tt-cell[data-legal]").first().click();
  await waitForMoves(page, 1);
}));

test("presets, elements, and an unknown card name", () => visit(browser, "#/triad?scores=off", async (page) => {
  await page.waitForSelector(".tt-cell[data-legal]");
  await page.click("#deal");
  await page.waitForSelector("[data-rule=same]");
  await page.selectOption("#preset", "Dollet");
  assert.ok(await page.locator("[data-rule=elemental]").isChecked());
  await page.locator(".cell-elements select").nth(4).selectOption("Fire");
  await page.locator('[data-slot="2"]').fill("Nobody at all");
  await page.click("#deal-apply");
  await page.waitForSelector("dialog .fault:not([hidden])");
  assert.match(await page.locator("dialog .fault").innerText(), /Nobody at all/);
  await page.locator('[data-slot="2"]').fill("Geezard");
  await page.click("#deal-apply");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.match((await page.locator('[data-cell="4"]').getAttribute("aria-label")) ?? "", /^centre: empty, Fire/);
  await picture(page, "triad-elements");
}, { refusals: 1 }));

test("a whole game with the keyboard only", () => visit(browser, "#/triad?scores=off", async (page) => {
  await page.waitForSelector(".tt-cell[data-legal]");
  const within = (/** @type {string} */ selector) => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
  const tabTo = async (/** @type {string} */ selector, /** @type {string} */ key) => {
    for (let tabs = 0; !(await within(selector)); tabs += 1) {
      assert.ok(tabs < 40, `${selector} is not reached by ${key}`);
      await page.keyboard.press(key);
    }
  };
  await tabTo(".hand-card", "Tab");
  for (let count = 0; count < 9; count += 1) {
    const hand = count % 2 === 0 ? ".hand-1 .hand-card" : ".hand-2 .hand-card";
    await tabTo(hand, count % 2 === 0 ? "Shift+Tab" : "Tab");
    for (let steps = 0; !(await within(`${hand}:not([aria-disabled])`)); steps += 1) {
      assert.ok(steps < 12);
      await page.keyboard.press(steps < 5 ? "ArrowDown" : "ArrowUp");
    }
    if (!(await within('[aria-pressed="true"]'))) await page.keyboard.press("Enter");
    await tabTo(".tt-cell", count % 2 === 0 ? "Tab" : "Shift+Tab");
    const legal = await page.locator(".tt-cell").evaluateAll((nodes) => nodes.findIndex((node) => node.hasAttribute("data-legal")));
    await page.keyboard.press("Home");
    for (let up = 0; up < 3; up += 1) await page.keyboard.press("ArrowUp");
    for (let down = 0; down < Math.floor(legal / 3); down += 1) await page.keyboard.press("ArrowDown");
    for (let right = 0; right < legal % 3; right += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await waitForMoves(page, count + 1);
  }
  assert.match(await status(page), /won|drawn/i);
}));

test("positions are loaded and shown as text", () => visit(browser, "#/triad?scores=off", async (page) => {
  await page.waitForSelector(".tt-cell[data-legal]");
  const text = "ff8 same,plus,elemental ....f.... 8A32,1234,5555f,6666,7777 1111,2222,3333,4444,5555 ..3.7.... ..a.b.... a";
  await page.locator("#position").fill(text);
  await page.click("#load");
  await page.waitForFunction(() => document.querySelectorAll(".tt-cell .tt-card:not([hidden])").length === 2);
  assert.equal(await page.locator("#position").inputValue(), text);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".tt-cell .tt-card:not([hidden])").length === 2);
  assert.equal(await page.locator("#position").inputValue(), text);
}));

test("on a phone and in dark mode, with long names, without accessibility problems", async () => {
  const long = await ask("/api/triad/cards", { game: "ff14" });
  const names = long.cards.sort((/** @type {any} */ a, /** @type {any} */ b) => b.name.length - a.name.length)
    .filter((/** @type {any} */ card) => card.stars <= 3).slice(0, 10).map((/** @type {any} */ card) => card.name);
  const dealt = await ask("/api/triad/deal", { game: "ff14", rules: ["same", "ascension"], hand_a: names.slice(0, 5), hand_b: names.slice(5) });
  const moves = [dealt.moves[4].move];
  const hash = `#/triad?time=20000&from=${encodeURIComponent(dealt.position)}&moves=${moves.join("-")}`;
  for (const [name, options] of /** @type {const} */ ([
    ["triad-phone", { width: 360, height: 780, still: true }], ["triad-dark", { dark: true }], ["triad-light", { width: 1600 }],
  ])) {
    await visit(browser, hash, async (page) => {
      await settled(page);
      await fits(page);
      await accessible(page);
      await picture(page, name);
    }, options);
  }
});

test("the editor places cards and refuses an impossible position", () => visit(browser, "#/triad?scores=off", async (page) => {
  await page.waitForSelector(".tt-cell[data-legal]");
  await page.click("#edit");
  await page.selectOption("#edit-card", "2");
  await page.click('[data-edit="4"]');
  await page.selectOption("#edit-card", "7");
  await page.click('[data-edit="4"]');
  await page.click('[data-edit="0"]');
  await page.selectOption("#edit-card", "2");
  await page.selectOption("#edit-owner", "2");
  await page.click('[data-edit="4"]');
  await accessible(page);
  await picture(page, "triad-editor");
  await page.click("#edit-apply");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.match(await page.locator("#position").inputValue(), / 7\.\.\.2\.\.\.\. a\.\.\.b\.\.\.\. a$/);
  // Players alternate, so three cards of A and none of B are impossible.
  await page.click("#edit");
  for (const [card, cell] of [["0", 1], ["1", 2]]) {
    await page.selectOption("#edit-card", String(card));
    await page.click(`[data-edit="${cell}"]`);
  }
  await page.selectOption("#edit-card", "7");
  await page.click('[data-edit="0"]');
  await page.click('[data-edit="0"]');
  await page.click("#edit-apply");
  await page.waitForSelector("dialog .fault:not([hidden])");
  await page.keyboard.press("Escape");
}, { refusals: 1 }));
