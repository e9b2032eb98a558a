// The browser of the tests. A page fails its test on any console error and on any request to another origin. Helpers
// read what the page shows.

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
 * Opens the page at an address and runs the steps of a test. Fails on console errors, requests to other origins, and an
 * unexpected number of refused requests.
 * @param {Browser} browser
 * @param {string} hash
 * @param {(page: Page) => Promise<void>} steps
 * @param {{ width?: number, height?: number, dark?: boolean, still?: boolean, refusals?: number }} [options]
 */
export async function visit(browser, hash, steps, options = {}) {
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
    // The browser logs refused requests itself. `options.refusals` is the number that the test expects.
    if (/status of 4\d\d/.test(message.text())) refusals += 1;
    else if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(ADDRESS)) wrong.push(`request to another origin: ${request.url()}`);
  });
  try {
    await page.goto(ADDRESS + hash);
    await steps(page);
    assert.deepEqual(wrong, []);
    assert.equal(refusals, options.refusals ?? 0, "refused requests");
  } finally {
    await context.close();
  }
}

/**
 * Runs the command line and reads its JSON answer.
 * @param {string[]} words
 */
export function ninefold(...words) {
  return JSON.parse(execFileSync(PROGRAM, words, { encoding: "utf8" }).trim().split("\n")[0]);
}

/**
 * Sends a request to the server as the page does.
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
 * Saves a screenshot.
 * @param {Page} page
 * @param {string} name
 */
export async function picture(page, name) {
  // The backdrop of a dialog covers only the window, not the full page.
  const fullPage = (await page.locator("dialog").count()) === 0;
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage });
}

/**
 * Fails if axe reports a serious or critical accessibility problem.
 * @param {Page} page
 */
export async function accessible(page) {
  // The content security policy forbids other scripts, but not what `evaluate` sends through the debugger.
  await page.evaluate(AXE);
  const findings = await page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run();
    return violations.filter((/** @type {any} */ finding) => ["serious", "critical"].includes(finding.impact))
      .map((/** @type {any} */ finding) => `${finding.id}: ${finding.help}: ${finding.nodes.slice(0, 3).map((/** @type {any} */ node) => node.html.slice(0, 160)).join(" | ")}`);
  });
  assert.deepEqual(findings, []);
}

/**
 * Waits until the analysis is finished.
 * @param {Page} page
 */
export async function settled(page) {
  await page.waitForSelector(".evaluation[data-settled]", { timeout: 30000 });
}

/**
 * The number of moves in the list.
 * @param {Page} page
 */
export const moveCount = (page) => page.locator(".moves button").count();

/**
 * Waits until the list has this number of moves.
 * @param {Page} page
 * @param {number} count
 */
export async function waitForMoves(page, count) {
  await page.waitForFunction((wanted) => document.querySelectorAll(".moves button").length === wanted, count, { timeout: 20000 });
}

/** @param {Page} page */
export const status = async (page) => (await page.locator("#status").textContent()) ?? "";

/**
 * Fails if the page is wider than the window.
 * @param {Page} page
 */
export async function fits(page) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= window, `the page is ${wide} wide in a window of ${window}`);
}
