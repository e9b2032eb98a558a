// Cephalopods in the browser: the two-player game with its captures, and the contest.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, fits, launch, moveCount, ninefold, picture, settled, status, visit, waitForMoves } from "./browser.js";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test("a whole game by clicks, with captures chosen, then undo and reload", () => visit(browser, "#/cephalopods?scores=off", async (page) => {
  await page.waitForSelector(".cell[data-legal]");
  let count = 0;
  let choices = 0;
  while (!/won|drawn/i.test(await status(page))) {
    await page.locator(".cell[data-legal]").first().click();
    if (await page.locator("dialog").count()) {
      if (choices === 0) await picture(page, "cephalopods-choice");
      choices += 1;
      await page.locator(".captures button").first().click();
    }
    count += 1;
    assert.ok(count < 200);
    await waitForMoves(page, count);
  }
  assert.ok(choices > 0, "some cell had several captures");
  assert.equal(await page.locator(".cell .die").count(), 9);
  await picture(page, "cephalopods-won");
  const text = await page.locator("#position").inputValue();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction((old) => /** @type {HTMLTextAreaElement} */ (document.querySelector("#position")).value !== old, text);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.waitForFunction((old) => /** @type {HTMLTextAreaElement} */ (document.querySelector("#position")).value === old, text);
  await page.reload();
  await page.waitForSelector(".die");
  assert.equal(await page.locator("#position").inputValue(), text);
  assert.equal(await moveCount(page), count);
}));

test("scores equal those of the command line and are proved", () => visit(browser, "#/cephalopods", async (page) => {
  await settled(page);
  await page.locator("#position").fill("12.a..b..:A");
  await page.click("#load");
  await page.waitForFunction(() => document.querySelectorAll(".cell[data-legal] .score:not(:empty)").length === 5);
  const known = ninefold("cephalopods", "solve", "12.a..b..:A", "--json");
  for (const { move, outcome } of known.lines) {
    const shown = await page.locator(".cell .score").nth(Number(move[0])).innerText();
    assert.equal(shown, { win: "W", draw: "D", loss: "L" }[/** @type {"win" | "draw" | "loss"} */ (outcome)], move);
  }
  assert.equal(await page.locator(".badge").innerText(), "✓ exact");
  // A capture is shown with its cause.
  await page.locator(".cell").nth(4).click();
  await page.waitForSelector(".cell[data-taken]");
  assert.match(await page.locator(".explain").innerText(), /b2×b1a2[\s\S]*captured: 2 \+ 1 = 3/);
  await settled(page);
  await picture(page, "cephalopods-capture");
}));

test("other rules, other sizes, and the editor", () => visit(browser, "#/cephalopods?time=500", async (page) => {
  await page.waitForSelector(".cell[data-legal]");
  await page.selectOption("#size", "3x5");
  await page.waitForFunction(() => document.querySelectorAll(".dice-board .cell").length === 15);
  await settled(page);
  assert.equal(await page.locator(".cell .score:not(:empty)").count(), 15);
  await picture(page, "cephalopods-3x5");
  await page.selectOption("#size", "3x3");
  await page.waitForFunction(() => document.querySelectorAll(".dice-board .cell").length === 9);
  await page.selectOption("#rule", "misere");
  await page.waitForFunction(() => location.hash.includes("misere"));

  await page.click("#edit");
  await page.selectOption("#edit-pips", "3");
  await page.locator("dialog .cell").nth(0).click();
  await page.selectOption("#edit-owner", "2");
  await page.locator("dialog .cell").nth(4).click();
  await page.selectOption("#edit-mover", "B");
  await picture(page, "cephalopods-editor");
  await accessible(page);
  await page.click("#edit-apply");
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector("#position")).value === "3...c....:B");
}));

test("a whole game with the keyboard only", () => visit(browser, "#/cephalopods?scores=off", async (page) => {
  await page.waitForSelector(".cell[data-legal]");
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  for (let tabs = 0; !(await focus()).startsWith("a1:"); tabs += 1) {
    assert.ok(tabs < 20);
    await page.keyboard.press("Tab");
  }
  let count = 0;
  while (!/won|drawn/i.test(await status(page))) {
    const legal = await page.locator(".dice-board .cell").evaluateAll((nodes) => nodes.findIndex((node) => node.hasAttribute("data-legal")));
    await page.keyboard.press("Home");
    for (let up = 0; up < 3; up += 1) await page.keyboard.press("ArrowUp");
    for (let down = 0; down < Math.floor(legal / 3); down += 1) await page.keyboard.press("ArrowDown");
    for (let right = 0; right < legal % 3; right += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    if (await page.locator("dialog").count()) {
      // One Tab goes from the close button to the first capture.
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement?.hasAttribute("data-move")), true);
      await page.keyboard.press("Enter");
      await page.waitForSelector("dialog", { state: "detached" });
      assert.match(await focus(), /^[abc][123]:/, "the focus returns to the board");
    }
    count += 1;
    assert.ok(count < 200);
    await waitForMoves(page, count);
  }
}));

test("the contest counts, draws and keeps its state", () => visit(browser, "#/cephalopods?view=contest", async (page) => {
  await page.waitForFunction(() => document.querySelector("#games-count")?.textContent?.startsWith("4"));
  assert.equal(await page.locator("#sum").innerText(), "738691369");
  const known = ninefold("cephalopods", "count", "051000401", "--depth", "20", "--json");
  assert.equal((await page.locator("#games-count").innerText()).replace(/\D/g, ""), String(known.games));
  assert.equal((await page.locator("#whole-sum").innerText()).replace(/\D/g, ""), known.sum);
  await page.locator(".cell").nth(0).focus();
  await page.keyboard.press("3");
  await page.waitForFunction(() => location.hash.includes("v.board=351000401"));
  await page.locator("#depth").fill("10");
  const other = ninefold("cephalopods", "sum", "351000401", "--depth", "10", "--json");
  await page.waitForFunction((sum) => document.querySelector("#sum")?.textContent === String(sum), other.sum);
  await page.reload();
  await page.waitForFunction((sum) => document.querySelector("#sum")?.textContent === String(sum), other.sum);
  assert.equal(await page.locator("#digits").inputValue(), "351000401");
  await page.locator("#digits").fill("9");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".fault:not([hidden])");
  await page.locator("#digits").fill("351000401");
  await page.keyboard.press("Tab");
  await page.click("#measure");
  await page.waitForSelector(".heat", { timeout: 60000 });
  assert.equal(await page.locator(".heat td").count(), 19 * 8);
  await accessible(page);
  await picture(page, "cephalopods-contest");
}));

test("on a phone and in dark mode, without accessibility problems", async () => {
  for (const [name, hash] of [["cephalopods", "#/cephalopods?moves=0-1-2-3-5"], ["contest", "#/cephalopods?view=contest"]]) {
    for (const [kind, options] of /** @type {const} */ ([["phone", { width: 360, height: 780 }], ["dark", { dark: true }]])) {
      await visit(browser, hash, async (page) => {
        if (name === "cephalopods") await settled(page);
        else await page.waitForFunction(() => document.querySelector("#games-count")?.textContent?.startsWith("4"));
        await fits(page);
        await accessible(page);
        await picture(page, `${name}-${kind}`);
      }, options);
    }
  }
});
