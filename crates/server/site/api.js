// Requests to the server. A failed request becomes an `ApiError` that names the field at fault.

/** @typedef {import("./api-types.js").Analysis} Analysis */

/** A request that the server refused or did not answer. The status is 0 if there was no answer. */
export class ApiError extends Error {
  /**
   * @param {string} field
   * @param {string} message
   * @param {number} status
   */
  constructor(field, message, status) {
    super(message);
    this.field = field;
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
async function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  let response;
  try {
    response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (fault) {
    if (signal?.aborted) throw fault;
    throw new ApiError("", "The server does not answer. Is `ninefold serve` still running?", 0);
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  const message = answer.error?.message ?? `The server answered with status ${response.status}.`;
  // This hint names an option of the command line. The page has no such option.
  throw new ApiError(answer.error?.field ?? "", message.replace(" (--lenient takes it)", ""), response.status);
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, body, signal) {
  return (await post(path, body, signal)).json();
}

/**
 * Like `ask`, but integers of 16 digits or more become strings: a number would lose digits above 2^53.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export async function askBig(path, body) {
  const text = await (await post(path, body)).text();
  return JSON.parse(text.replace(/([[:,])(\d{16,})(?=[,\]}])/g, '$1"$2"'));
}

/** @param {string} path */
export async function get(path) {
  return (await fetch(path)).json();
}

/**
 * Analyses a position and reports each intermediate result. `done` is true for the last one.
 * @param {string} game
 * @param {unknown} body
 * @param {(analysis: Analysis, done: boolean) => void} onReport
 * @param {AbortSignal} signal
 */
export async function stream(game, body, onReport, signal) {
  const response = await post(`/api/${game}/analyse/stream`, body, signal);
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done || signal.aborted) return;
    rest += decoder.decode(value, { stream: true });
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
      if (!data) continue;
      const content = JSON.parse(data);
      if (name === "fault") throw new ApiError(content.field, content.message, 500);
      onReport(content, name === "done");
    }
  }
}
