// A browser for the tests: pages that fail the test on any console error or on any request that leaves the origin, and
// helpers to read what the page shows.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Browser} Browser */

/** @param {string} name */
function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with \`cargo xtask test web\``);
  return value;
}

export const ADDRESS = given("NINEFOLD_ADDRESS");
const PROGRAM = given("NINEFOLD_PROGRAM");
const PICTURES = given("NINEFOLD_PICTURES");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

mkdirSync(PICTURES, { recursive: true });

export function launch() {
  return chromium.launch({ executablePath: process.env.NINEFOLD_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/**
 * Opens the page at a state and hands it to a deed; afterwards nothing may have gone wrong in secret.
 * @param {Browser} browser
 * @param {string} hash
 * @param {(page: Page) => Promise<void>} deed
 * @param {{ width?: number, height?: number, dark?: boolean, still?: boolean, refusals?: number }} [options]
 */
export async function visit(browser, hash, deed, options = {}) {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.dark ? "dark" : "light",
    reducedMotion: options.still ? "reduce" : "no-preference",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  /** @type {string[]} */
  const wrong = [];
  let refusals = 0;
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refused question is logged by the browser itself; how many are expected is said by the test.
    if (/status of 4\d\d/.test(message.text())) refusals += 1;
    else if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(ADDRESS)) wrong.push(`a request leaves the origin: ${request.url()}`);
  });
  try {
    await page.goto(ADDRESS + hash);
    await deed(page);
    assert.deepEqual(wrong, []);
    assert.equal(refusals, options.refusals ?? 0, "refused questions");
  } finally {
    await context.close();
  }
}

/**
 * The answer of the command line, as JSON.
 * @param {string[]} words
 */
export function ninefold(...words) {
  return JSON.parse(execFileSync(PROGRAM, words, { encoding: "utf8" }).trim().split("\n")[0]);
}

/**
 * Asks the server as the page does.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(new URL(path, ADDRESS), { method: "POST", headers, body: JSON.stringify(body) });
  assert.equal(response.status, 200, `${path} ${JSON.stringify(body)}`);
  return response.json();
}

/**
 * Keeps what the page looks like.
 * @param {Page} page
 * @param {string} name
 */
export async function picture(page, name) {
  // What lies behind a dialog is dimmed in the window only.
  const fullPage = (await page.locator("dialog").count()) === 0;
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage });
}

/**
 * No finding of axe that is serious or worse.
 * @param {Page} page
 */
export async function accessible(page) {
  // The page's own policy forbids scripts from elsewhere, so the checker comes in through the debugger.
  await page.evaluate(AXE);
  const findings = await page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run();
    return violations.filter((/** @type {any} */ finding) => ["serious", "critical"].includes(finding.impact))
      .map((/** @type {any} */ finding) => `${finding.id}: ${finding.help}: ${finding.nodes.slice(0, 3).map((/** @type {any} */ node) => node.html.slice(0, 160)).join(" | ")}`);
  });
  assert.deepEqual(findings, []);
}

/**
 * Waits until the analysis has said its last word.
 * @param {Page} page
 */
export async function settled(page) {
  await page.waitForSelector(".evaluation[data-settled]", { timeout: 30000 });
}

/**
 * How many moves the list shows.
 * @param {Page} page
 */
export const moveCount = (page) => page.locator(".moves button").count();

/**
 * Waits for a number of moves.
 * @param {Page} page
 * @param {number} count
 */
export async function waitForMoves(page, count) {
  await page.waitForFunction((wanted) => document.querySelectorAll(".moves button").length === wanted, count, { timeout: 20000 });
}

/** @param {Page} page */
export const status = async (page) => (await page.locator("#status").textContent()) ?? "";

/**
 * Nothing is wider than the window.
 * @param {Page} page
 */
export async function fits(page) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= window, `the page is ${wide} wide in a window of ${window}`);
}
