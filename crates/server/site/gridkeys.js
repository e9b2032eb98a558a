// Keyboard control of a grid of buttons, as in the ARIA grid pattern: one Tab stop for the grid, arrow keys inside it,
// Home and End for the ends of a row.

/**
 * @param {HTMLElement} grid
 * @param {HTMLElement[]} cells Row by row.
 * @param {number} columns
 */
export function gridKeys(grid, cells, columns) {
  let current = 0;

  /** @param {number} next */
  const move = (next) => {
    cells[current].tabIndex = -1;
    current = next;
    cells[current].tabIndex = 0;
  };
  cells.forEach((cell, index) => (cell.tabIndex = index === 0 ? 0 : -1));
  grid.addEventListener("focusin", (event) => {
    const index = cells.indexOf(/** @type {HTMLElement} */ (event.target));
    if (index >= 0 && index !== current) move(index);
  });
  grid.addEventListener("keydown", (event) => {
    const column = current % columns;
    const rows = cells.length / columns;
    const row = Math.floor(current / columns);
    /** @type {Record<string, number>} */
    const next = {
      ArrowLeft: column > 0 ? current - 1 : current,
      ArrowRight: column < columns - 1 ? current + 1 : current,
      ArrowUp: row > 0 ? current - columns : current,
      ArrowDown: row < rows - 1 ? current + columns : current,
      Home: current - column,
      End: current - column + columns - 1,
    };
    if (!(event.key in next) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (cells.indexOf(/** @type {HTMLElement} */ (event.target)) < 0) return;
    event.preventDefault();
    // Outside a grid the arrow keys step through the game: keep the event from that listener.
    event.stopPropagation();
    move(next[event.key]);
    cells[current].focus();
  });
}
