// Ultimate Tic-Tac-Toe in the browser: a whole game by clicks, scores against the command line, editor, text, address.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ADDRESS, accessible, ask, fits, launch, moveCount, ninefold, picture, settled, status, visit, waitForMoves } from "./browser.js";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Late in a game: the engine solves every legal move at once. */
const LATE = "O;..O@XXXO.;.XXXOOOX./XOX.OOO../OOX.O.O.O/..O.....X/X...X..XX/..X..X..X/X.X.O.XXX/OX.OO.OXO/OX.XOOO..";

test("a whole game by clicks, then undo, redo and reload", () => visit(browser, "#/uttt?scores=off", async (page) => {
  await page.waitForSelector(".square[data-legal]");
  assert.match(await status(page), /X to move in any open board/);
  let count = 0;
  while (!/won|drawn/i.test(await status(page))) {
    await page.locator(".square[data-legal]").nth(count % 2).click().catch(() => page.locator(".square[data-legal]").first().click());
    count += 1;
    await waitForMoves(page, count);
  }
  assert.ok(count >= 17, `${count} moves`);
  assert.equal(await page.locator(".square[data-legal]").count(), 0);
  const marks = await page.locator(".square[data-stone]").count();
  assert.equal(marks, count);
  await picture(page, "uttt-won");

  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction((wanted) => document.querySelectorAll(".square[data-stone]").length === wanted, count - 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction((wanted) => document.querySelectorAll(".square[data-stone]").length === wanted, count - 2);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.waitForFunction((wanted) => document.querySelectorAll(".square[data-stone]").length === wanted, count - 1);
  const text = await page.locator("#position").inputValue();
  await page.reload();
  await page.waitForSelector(".square[data-stone]");
  assert.equal(await page.locator("#position").inputValue(), text);
  assert.equal(await moveCount(page), count);
  // Arrow keys do the same while the focused element does not use them.
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((wanted) => document.querySelectorAll(".square[data-stone]").length === wanted, count);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelectorAll(".square[data-stone]").length === 0);
}));

test("every legal square has a score; late in the game the scores equal those of the command line", () => visit(browser, "#/uttt?time=500", async (page) => {
  await settled(page);
  assert.equal(await page.locator(".square .score:not(:empty)").count(), 81);
  assert.equal(await page.locator(".square[data-best]").count(), 1);
  assert.match(await page.locator(".facts").innerText(), /depth \d+ · [\d,]+ nodes/);
  await picture(page, "uttt-start");

  await page.locator("#position").fill(LATE);
  await page.getByRole("button", { name: "Load text" }).click();
  await page.waitForFunction(() => /^✓ (exact|solved)$/.test(document.querySelector(".badge")?.textContent ?? ""));
  const known = ninefold("uttt", "analyse", LATE, "--lines", "81", "--time", "5s", "--json");
  const view = await ask("/api/uttt/look", { position: LATE });
  assert.equal(known.lines.length, view.moves.length);
  for (const { move, cell } of view.moves) {
    const shown = await page.locator(".square .score").nth(await indexOf(page, cell)).innerText();
    const { outcome } = known.lines.find((/** @type {any} */ line) => line.move === move);
    assert.equal(shown, outcome[0].toUpperCase(), move);
  }
  await picture(page, "uttt-exact");
}));

/**
 * The index of a cell among the page's squares. The page orders squares board by board, cells count row by row.
 * @param {import("playwright-core").Page} page
 * @param {number} cell
 */
async function indexOf(page, cell) {
  const name = `${"abcdefghi"[cell % 9]}${9 - Math.floor(cell / 9)}:`;
  const labels = await page.locator(".uttt .square").evaluateAll((nodes) => nodes.map((node) => node.getAttribute("aria-label") ?? ""));
  return labels.findIndex((label) => label.startsWith(name));
}

test("moves are named by the edges of the board, as the command line names them", () => visit(browser, "#/uttt?scores=off&moves=ee-ea-ai", async (page) => {
  await waitForMoves(page, 3);
  const { moves: letters } = ninefold("uttt", "moves", "--json");
  const { moves: squares } = ninefold("uttt", "moves", "--algebraic", "--json");
  const shown = await page.evaluate(async (moves) => {
    const { cellOf, squareName } = await import(new URL("uttt-cells.js", document.baseURI).href);
    return moves.map((/** @type {string} */ move) => squareName(cellOf(move)));
  }, letters);
  assert.equal(shown.length, 81);
  assert.deepEqual(shown, squares);
  assert.deepEqual(await page.locator(".moves button").allInnerTexts(), ["e5", "d6", "c7"]);
  assert.deepEqual(await page.locator(".edge-files span").allInnerTexts(), [..."abcdefghi"]);
  assert.deepEqual(await page.locator(".edge-ranks span").allInnerTexts(), [..."987654321"]);
  assert.equal(await page.locator(".square[data-last]").getAttribute("title"), "c7");
}));

test("positions are loaded and copied as text, and a bad text gives an error", () => visit(browser, "#/uttt?scores=off&moves=ee-ea", async (page) => {
  await waitForMoves(page, 2);
  const before = await page.locator("#position").inputValue();
  await page.getByRole("button", { name: "Copy text" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), before);
  await page.getByRole("button", { name: "Copy JSON" }).click();
  const json = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  assert.deepEqual([json.game, json.position, json.moves], ["uttt", before, ["ee", "ea"]]);
  assert.equal(json.view.moves.length, (await ask("/api/uttt/look", { position: before })).moves.length);
  await page.getByRole("button", { name: "Copy link" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());

  await page.locator("#position").fill(before.replace("/", "?"));
  await page.getByRole("button", { name: "Load text" }).click();
  await page.waitForSelector("#fault:not([hidden])");
  assert.match(await page.locator("#fault").innerText(), /expected/);
  assert.equal(await moveCount(page), 2, "the game is unchanged");
  await picture(page, "uttt-fault");
}, { refusals: 1 }));

test("the editor places stones and refuses an impossible position", () => visit(browser, "#/uttt?scores=off", async (page) => {
  await page.waitForSelector(".square[data-legal]");
  await page.click("#edit");
  const square = (/** @type {string} */ name) => page.locator(`dialog .square[aria-label^="${name}:"]`);
  await square("e5").click();
  await page.click("#edit-apply");
  await page.waitForSelector("dialog .fault:not([hidden])");
  await picture(page, "uttt-editor");
  await page.selectOption("#edit-mover", "O");
  await page.selectOption("#edit-last", { label: "e5" });
  await page.click("#edit-apply");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForSelector(".square[data-stone]");
  assert.match(await status(page), /O to move in the centre board/);
  assert.equal(await page.locator(".local[data-open]").count(), 1);
  assert.equal(await page.locator(".square[data-legal]").count(), 8);
}, { refusals: 1 }));

test("the address keeps the rule", () => visit(browser, "#/uttt?scores=off", async (page) => {
  await page.waitForSelector(".square[data-legal]");
  await page.selectOption("#rule", "open");
  await page.waitForFunction(() => location.hash.includes("rule=open"));
  await page.reload();
  await page.waitForSelector(".square[data-legal]");
  assert.equal(await page.locator("#rule").inputValue(), "open");
}));

test("the engine answers a move; two engines play without input", () => visit(browser, "#/uttt?mode=first&level=2&scores=off", async (page) => {
  await page.waitForSelector(".square[data-legal]");
  await page.locator(".square[data-legal]").nth(40).click();
  await waitForMoves(page, 2);
  assert.match(await status(page), /X to move/);
  await page.selectOption("#mode", "engines");
  await page.waitForFunction(() => document.querySelectorAll(".moves button").length >= 5, undefined, { timeout: 20000 });
  await page.selectOption("#mode", "two");
}));

test("a whole game with the keyboard only", () => visit(browser, "#/uttt?scores=off", async (page) => {
  await page.waitForSelector(".square[data-legal]");
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");
  for (let tabs = 0; !/^a9/.test(await focus()); tabs += 1) {
    assert.ok(tabs < 20, `the board is not reached by Tab: ${await focus()}`);
    await page.keyboard.press("Tab");
  }
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowRight");
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowDown");
  assert.match(await focus(), /^e5: empty, legal/);
  await page.keyboard.press("Enter");
  await waitForMoves(page, 1);
  assert.match(await focus(), /^e5: X, last move/);
  // Play the rest of the game, each time on the first legal square.
  for (let count = 1; !/won|drawn/i.test(await status(page)); count += 1) {
    const cells = await page.locator(".uttt .square").evaluateAll((nodes) => nodes.map((node) => [node.getAttribute("aria-label") ?? "", node.hasAttribute("data-legal")]));
    const wanted = String(cells.find(([, legal]) => legal)?.[0]).split(":")[0];
    const [row, column] = [9 - Number(wanted[1]), "abcdefghi".indexOf(wanted[0])];
    await page.keyboard.press("Home");
    for (let up = 0; up < 9; up += 1) await page.keyboard.press("ArrowUp");
    for (let down = 0; down < row; down += 1) await page.keyboard.press("ArrowDown");
    for (let right = 0; right < column; right += 1) await page.keyboard.press("ArrowRight");
    assert.ok((await focus()).startsWith(`${wanted}: empty, legal`), `${wanted} is not reached: ${await focus()}`);
    await page.keyboard.press("Enter");
    await waitForMoves(page, count + 1);
  }
}));

test("on a phone and in dark mode, without accessibility problems", async () => {
  await visit(browser, "#/uttt?time=500&moves=ee-eb-be-ea-ae-ec", async (page) => {
    await settled(page);
    await fits(page);
    await accessible(page);
    await picture(page, "uttt-phone");
  }, { width: 360, height: 780, still: true });
  await visit(browser, "#/uttt?time=500&moves=ee-eb-be-ea-ae-ec", async (page) => {
    await settled(page);
    await accessible(page);
    await picture(page, "uttt-dark");
  }, { dark: true });
  await visit(browser, "#/uttt?time=500&moves=ee-eb-be-ea-ae-ec", async (page) => {
    await settled(page);
    await accessible(page);
    await fits(page);
    await picture(page, "uttt-light");
  }, { width: 1900, height: 1000 });
});

test("the first load is small and makes no request to another origin", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  let bytes = 0;
  /** @type {Promise<void>[]} */
  const sizes = [];
  page.on("response", (response) => {
    if (!response.url().includes("/api/")) sizes.push(response.body().then((body) => { bytes += body.length; }));
    assert.ok(response.url().startsWith(ADDRESS), response.url());
  });
  await page.goto(ADDRESS);
  await page.waitForSelector(".square[data-legal]");
  await Promise.all(sizes);
  assert.ok(bytes > 50000 && bytes < 200000, `${bytes} bytes`);
  await context.close();
});
