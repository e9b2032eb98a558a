// A text field with suggestions from the server (an ARIA combobox): type part of a name and pick one.

import { element, setAttribute } from "./dom.js";

let pickers = 0;

/**
 * @typedef {object} Found
 * @property {string} name
 * @property {string} note
 */

/**
 * @param {string} label
 * @param {(query: string) => Promise<Found[]>} search
 * @param {(name: string) => void} picked
 * @param {Record<string, string>} [attributes]
 */
export function picker(label, search, picked, attributes = {}) {
  pickers += 1;
  const id = attributes.id ?? `picker-${pickers}`;
  const list = element("ul", { role: "listbox", id: `${id}-list`, class: "found", "aria-label": `${label}: suggestions`, hidden: true });
  const field = element("input", {
    id, role: "combobox", "aria-expanded": "false", "aria-controls": `${id}-list`, "aria-autocomplete": "list",
    autocomplete: "off", spellcheck: "false", oninput: typed, onkeydown: key, onblur: () => setTimeout(close, 150), ...attributes,
  });
  /** @type {Found[]} */
  let found = [];
  let active = -1;
  let timer = 0;
  let latestRequest = 0;

  function typed() {
    clearTimeout(timer);
    timer = setTimeout(look, 100);
  }

  async function look() {
    const query = field.value.trim();
    latestRequest += 1;
    const request = latestRequest;
    if (!query) return close();
    try {
      found = await search(query);
    } catch {
      // Show no suggestions if the query fails.
      found = [];
    }
    if (request !== latestRequest || document.activeElement !== field) return;
    active = found.length ? 0 : -1;
    list.replaceChildren(...found.map((item, index) => element("li", {
      role: "option", id: `${id}-${index}`, onmousedown: (event) => { event.preventDefault(); pick(index); },
    }, element("span", {}, item.name), element("small", {}, item.note))));
    list.hidden = found.length === 0;
    mark();
  }

  function mark() {
    [...list.children].forEach((node, index) => setAttribute(node, "aria-selected", index === active ? "true" : "false"));
    setAttribute(field, "aria-expanded", String(!list.hidden));
    setAttribute(field, "aria-activedescendant", active >= 0 && !list.hidden ? `${id}-${active}` : false);
    list.children[active]?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    latestRequest += 1;
    list.hidden = true;
    mark();
  }

  /** @param {number} index */
  function pick(index) {
    field.value = found[index].name;
    close();
    picked(found[index].name);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      active = (active + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      mark();
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      pick(active);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  }
  const node = element("div", { class: "picker" }, element("label", { class: "choice", for: id }, element("span", {}, label)), field, list);
  return { node, field };
}
