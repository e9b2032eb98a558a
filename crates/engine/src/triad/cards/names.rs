//! Names as people type them: case, spaces and punctuation do not matter, and a misspelt name finds its card.
//!
//! The edit distance is written here: twenty lines, for a few hundred names of at most forty letters. A crate would bring
//! many metrics that are not needed.

/// A name without case, spaces and punctuation, so that `x-atm 092` is `X-ATM092`.
///
/// ```
/// use ninefold_engine::triad::cards::fold;
/// assert_eq!(fold("Wyra “Greenhands” Lyehga"), "wyragreenhandslyehga");
/// ```
#[must_use]
pub fn fold(name: &str) -> String {
    name.chars().filter(|symbol| symbol.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The edit distance of two texts: letters inserted, deleted, replaced or swapped with their neighbour.
///
/// ```
/// use ninefold_engine::triad::cards::distance;
/// assert_eq!(distance("sqaull", "squall"), 1);
/// assert_eq!(distance("ifrt", "ifrit"), 1);
/// assert_eq!(distance("", "abc"), 3);
/// ```
#[must_use]
pub fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before_last = vec![0; other.len() + 1];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for row in 1..=one.len() {
        let mut now = vec![row];
        for column in 1..=other.len() {
            let changed = usize::from(one[row - 1] != other[column - 1]);
            let mut least = (last[column] + 1).min(now[column - 1] + 1).min(last[column - 1] + changed);
            let swapped =
                row > 1 && column > 1 && one[row - 1] == other[column - 2] && one[row - 2] == other[column - 1];
            if swapped {
                least = least.min(before_last[column - 2] + 1);
            }
            now.push(least);
        }
        before_last = std::mem::replace(&mut last, now);
    }
    last[other.len()]
}

/// The distance, if it is at most `allowed`. The lengths alone rule out most names, so a long query costs no more than a
/// short one.
fn distance_within(query: &str, name: &str, allowed: usize) -> Option<usize> {
    if query.chars().count().abs_diff(name.chars().count()) > allowed {
        return None;
    }
    Some(distance(query, name)).filter(|distance| *distance <= allowed)
}

/// The rank of a name among the similar ones, lower is better: twice the distance of the query from the whole name or, if
/// that is less, twice the distance from one of its words plus one. `None` if both are above `allowed`.
fn similarity(query: &str, name: &str, allowed: usize) -> Option<usize> {
    let words = name.split(|symbol: char| !symbol.is_alphanumeric()).map(str::to_lowercase);
    let words = words.filter(|word| word.chars().count() > 3);
    // A word within a longer name ranks after a whole name at the same distance.
    let of_words = words.filter_map(|word| distance_within(query, &word, allowed)).map(|distance| 2 * distance + 1);
    of_words.chain(distance_within(query, &fold(name), allowed).map(|distance| 2 * distance)).min()
}

/// The indices of the names similar to a query, most similar first. One typing error is allowed per three letters, so a
/// similar name shares most of its letters with the query.
#[must_use]
pub fn nearest<'a>(query: &str, names: impl Iterator<Item = &'a str>, most: usize) -> Vec<usize> {
    let query = fold(query);
    let allowed = query.chars().count() / 3;
    let ranked = names.enumerate().filter_map(|(at, name)| Some((similarity(&query, name, allowed)?, at)));
    let mut near: Vec<(usize, usize)> = ranked.collect();
    near.sort_unstable();
    near.truncate(most);
    near.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_a_metric_on_a_few_words() {
        let words = ["squall", "sqaull", "seifer", "", "selphie", "siren", "quezacotl"];
        for one in words {
            for other in words {
                let there = distance(one, other);
                assert_eq!(there, distance(other, one));
                assert_eq!(there == 0, one == other);
                assert!(there <= one.len().max(other.len()) && there >= one.len().abs_diff(other.len()));
            }
        }
    }

    #[test]
    fn the_nearest_come_first() {
        let names = ["Siren", "Shiva", "Squall", "4th-make Cuchulainn", "Zell"];
        assert_eq!(nearest("shiwa", names.into_iter(), 3), [1]);
        assert_eq!(nearest("cuchulain", names.into_iter(), 3), [3]);
        assert!(nearest("", names.into_iter(), 3).is_empty());
        assert!(nearest("zebra crossing", names.into_iter(), 3).is_empty());
        // Half of the letters or more would be wrong.
        assert!(nearest("q", names.into_iter(), 3).is_empty());
        assert!(nearest("si", names.into_iter(), 3).is_empty());
    }

    #[test]
    fn a_long_query_is_not_compared_with_short_names() {
        assert_eq!(distance_within(&"q".repeat(1_000_000), &"s".repeat(100_000), 333_333), None);
        assert!(nearest(&"squall".repeat(100_000), ["Squall"; 500].into_iter(), 3).is_empty());
    }
}
