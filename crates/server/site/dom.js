// Helpers to create and update elements. The setters write only what has changed, so nothing flickers.

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute */

/**
 * Adds attributes and children. A function is a listener, and its name starts with `on`. `true` gives an empty
 * attribute; `false`, `null` and `undefined` give none.
 * @template {Element} N
 * @param {N} node
 * @param {Record<string, Attribute>} attributes
 * @param {(Node | string)[]} children
 * @returns {N}
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else setAttribute(node, name, value);
  }
  node.append(...children);
  return node;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * @param {string} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function setAttribute(node, name, value) {
  if (value === false || value === null || value === undefined) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/**
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A labelled drop-down list.
 * @param {string} label
 * @param {[string, string][]} choices Pairs of value and label.
 * @param {string} chosen
 * @param {(value: string) => void} pick
 * @param {string} [id]
 */
export function select(label, choices, chosen, pick, id) {
  const list = element("select", { onchange: (event) => pick(event.target.value), id });
  for (const [value, name] of choices) list.append(element("option", { value, selected: value === chosen }, name));
  return element("label", { class: "choice" }, element("span", {}, label), list);
}

/**
 * @param {string} text
 * @param {() => void} press
 * @param {Record<string, Attribute>} [attributes]
 */
export function button(text, press, attributes = {}) {
  return element("button", { type: "button", onclick: press, ...attributes }, text);
}

/**
 * Opens a modal dialog. Closing it removes it and returns the focus to the element that had it before.
 * @param {string} title
 * @param {(Node | string)[]} children
 */
export function openDialog(title, ...children) {
  const before = document.activeElement;
  const dialog = element("dialog", { "aria-label": title });
  const close = button("Close", () => dialog.close(), { class: "close" });
  dialog.append(element("div", { class: "dialog-head" }, element("h2", {}, title), close), ...children);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
