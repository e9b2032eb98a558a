//! Hash keys and lookup tables, computed at compile time from their slow definitions.

use grid::{CellSet, mix, zobrist_keys};

/// Hash keys of the first player's stones, for each board and each *set* of squares: the xor of the keys of the squares. So
/// removing a whole board from the hash takes two loads when it closes. The second player's key is the first player's key,
/// rotated by 32 bits. 36 KiB; most moves use only the nine single-square entries of a board.
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

/// Hash keys of the forced board: nine boards, any board, game over.
pub(crate) static NEXT: [u64; 11] = zobrist_keys(0x6e65_7874);

/// Hash key for the second player to move.
pub(crate) const SECOND_MOVES: u64 = mix(0x7365_636f);

/// For each set of boards, the mask of their four-bit lanes. Used to sum the free squares of a set of boards.
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

/// The index of the `n`-th lowest bit of a set, to pick a random square. 8 KiB.
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

/// The properties of a local board, for each pair of sets `first | second << 9`: seven bits, with the first and the second
/// player side by side. 256 KiB; a search uses only the entries of the boards it visits.
///
/// ```text
/// bit 0, 1  LINE        the player has a line
/// bit 2, 3  WINNABLE    some line has no stone of the other
/// bit 4, 5  THREATENED  some line lacks one stone of the player and has none of the other
/// bit 6     FULL        no square is empty
/// ```
pub(crate) static BOARDS: [u8; 1 << 18] = {
    let mut table = [0; 1 << 18];
    let mut pair = 0;
    while pair < 1 << 18 {
        let (first, second) = (pair & 0x1ff, pair >> 9);
        table[pair] = facts_of(first, second) | facts_of(second, first) << 1;
        if first | second == 0x1ff {
            table[pair] |= 1 << FULL;
        }
        pair += 1;
    }
    table
};

pub(crate) const LINE: usize = 0;
pub(crate) const WINNABLE: usize = 2;
pub(crate) const THREATENED: usize = 4;
pub(crate) const FULL: usize = 6;

const fn facts_of(ours: usize, theirs: usize) -> u8 {
    let [has_line, completing] = FACTS[ours];
    let [blocked, _] = FACTS[0x1ff & !theirs];
    (has_line as u8) << LINE | (blocked as u8) << WINNABLE | ((completing & !theirs as u16 != 0) as u8) << THREATENED
}

/// For each set of squares, whether it has a line, and the squares that would complete one.
const FACTS: [[u16; 2]; 512] = {
    let mut table = [[0; 2]; 512];
    let mut set = 0;
    while set < 512 {
        let cells = CellSet::from_bits(set as u16);
        table[set] = [cells.has_line_scalar() as u16, cells.completing().bits()];
        set += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use grid::{Cell, LINES};

    /// By trying everything: can `us` make the first line if both players may move in any order?
    fn can_win(ours: CellSet, theirs: CellSet, known: &mut [Option<bool>]) -> bool {
        if ours.has_line_scalar() || theirs.has_line_scalar() {
            return ours.has_line_scalar();
        }
        let number = ours.index() | theirs.index() << 9;
        if let Some(answer) = known[number] {
            return answer;
        }
        let free = !(ours | theirs);
        let answer = free
            .into_iter()
            .any(|cell| can_win(ours.with(cell), theirs, known) || can_win(ours, theirs.with(cell), known));
        known[number] = Some(answer);
        answer
    }

    #[test]
    fn the_table_of_boards_is_what_it_says() {
        let mut known = vec![None; 1 << 18];
        let sets = || (0..512).map(CellSet::from_bits);
        let pairs = sets().flat_map(|first| sets().map(move |second| [first, second]));
        let mut boards = 0;
        for pair in pairs.filter(|pair| (pair[0] & pair[1]).is_empty()) {
            let facts = BOARDS[pair[0].index() | pair[1].index() << 9];
            boards += 1;
            assert_eq!(facts >> FULL & 1 != 0, (pair[0] | pair[1]) == CellSet::ALL, "{pair:?}");
            for us in 0..2 {
                let (ours, theirs) = (pair[us], pair[1 - us]);
                let fact = |bit: usize| facts >> (bit + us) & 1 != 0;
                assert_eq!(fact(LINE), LINES.iter().any(|&line| ours & line == line), "{pair:?}");
                if ours.has_line_scalar() || theirs.has_line_scalar() {
                    continue;
                }
                assert_eq!(fact(WINNABLE), can_win(ours, theirs, &mut known), "{pair:?}");
                let wins = |cell: &Cell| ours.with(*cell).has_line_scalar();
                assert_eq!(fact(THREATENED), (!(ours | theirs)).into_iter().any(|cell| wins(&cell)), "{pair:?}");
            }
        }
        assert_eq!(boards, 19_683);
    }
}
