// Where the 81 squares of Ultimate Tic-Tac-Toe are: rows of the whole board, or a board and a square in it.

/**
 * The board and the square of a cell of the whole board, all from 0.
 * @param {number} cell
 */
export function split(cell) {
  const row = Math.floor(cell / 9);
  const column = cell % 9;
  return [Math.floor(row / 3) * 3 + Math.floor(column / 3), (row % 3) * 3 + (column % 3)];
}

/**
 * The cell of a move: two letters, the board and the square.
 * @param {string} move
 */
export function cellOf(move) {
  const [board, square] = [move.charCodeAt(0) - 97, move.charCodeAt(1) - 97];
  return (Math.floor(board / 3) * 3 + Math.floor(square / 3)) * 9 + (board % 3) * 3 + (square % 3);
}
