//! Tables made at compile time from their slow definitions.

use grid::{mix, zobrist_keys};

/// Hash keys of the first player's stones, for each board and each *set* of squares: the exclusive or of the keys of its
/// squares, so that a whole board leaves the hash in two loads when it closes. The second player's key is the first's,
/// turned by half a word. 36 KiB, of which play touches the nine single squares of a board and, rarely, the rest.
pub(crate) static STONES: [[u64; 512]; 9] = {
    let squares: [u64; 81] = zobrist_keys(0x7574_7474);
    let mut table = [[0; 512]; 9];
    let mut board = 0;
    while board < 9 {
        let mut set: usize = 1;
        while set < 512 {
            let lowest = set.trailing_zeros() as usize;
            table[board][set] = table[board][set & (set - 1)] ^ squares[9 * board + lowest];
            set += 1;
        }
        board += 1;
    }
    table
};

/// The part of the hash that comes from the stones of one board.
#[inline]
pub(crate) fn stones_key(board: usize, first: u16, second: u16) -> u64 {
    STONES[board][first as usize] ^ STONES[board][second as usize].rotate_left(32)
}

/// Hash keys of decided boards: won by the first, won by the second, drawn.
pub(crate) static DECIDED: [[u64; 3]; 9] = {
    let keys: [u64; 27] = zobrist_keys(0x626f_6172);
    let mut table = [[0; 3]; 9];
    let mut at = 0;
    while at < 27 {
        table[at / 3][at % 3] = keys[at];
        at += 1;
    }
    table
};

/// Hash keys of where the next stone goes: nine boards, anywhere, nowhere.
pub(crate) static NEXT: [u64; 11] = zobrist_keys(0x6e65_7874);

/// Hash key of the second player being on the move.
pub(crate) const SECOND_MOVES: u64 = mix(0x7365_636f);

/// For each set of boards, the four-bit lanes of those boards full of ones: sums the free squares of a set of boards.
pub(crate) static NIBBLES: [u64; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut board = 0;
        while board < 9 {
            if set >> board & 1 != 0 {
                table[set] |= 0xf << (4 * board);
            }
            board += 1;
        }
        set += 1;
    }
    table
};

/// The place of the `n`-th lowest bit of a set, for picking one square at random. 8 KiB.
pub(crate) static NTH: [[u8; 16]; 512] = {
    let mut table = [[0; 16]; 512];
    let mut set = 0;
    while set < 512 {
        let (mut bit, mut n) = (0, 0);
        while bit < 9 {
            if set >> bit & 1 != 0 {
                table[set][n] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};
