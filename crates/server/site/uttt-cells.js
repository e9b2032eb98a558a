// Converts between the ways to name the 81 squares of Ultimate Tic-Tac-Toe: 0 to 80 row by row over the whole grid, a
// local board and a square in it, or file and rank for people.

/** The files and ranks on the edges of the board, from the left and from the top. */
export const FILES = [..."abcdefghi"];
export const RANKS = [..."987654321"];

/**
 * The name of a cell for people: file and rank, such as e5.
 * @param {number} cell
 */
export const squareName = (cell) => `${FILES[cell % 9]}${RANKS[Math.floor(cell / 9)]}`;

/**
 * The local board and the square in it, both from 0.
 * @param {number} cell
 */
export function split(cell) {
  const row = Math.floor(cell / 9);
  const column = cell % 9;
  return [Math.floor(row / 3) * 3 + Math.floor(column / 3), (row % 3) * 3 + (column % 3)];
}

/**
 * The cell of a move. A move is two letters: the board and the square.
 * @param {string} move
 */
export function cellOf(move) {
  const [board, square] = [move.charCodeAt(0) - 97, move.charCodeAt(1) - 97];
  return (Math.floor(board / 3) * 3 + Math.floor(square / 3)) * 9 + (board % 3) * 3 + (square % 3);
}
