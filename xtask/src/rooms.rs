//! The allowed dependencies between packages. The table is the design; the check compares it with cargo's dependency graph.

use crate::process::Outcome;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A package and its allowed dependencies. Its tests may also use [`REFERENCE`] and any outside crate.
struct Room {
    package: &'static str,
    /// Packages of this workspace.
    inside: &'static [&'static str],
    /// Outside packages. The commit that adds one gives the reason.
    outside: &'static [&'static str],
}

/// The packages that must have few dependencies.
const LIGHT: &[&str] = &["ninefold-grid", "ninefold-triad", "ninefold-uttt", "ninefold-cephalopods"];

/// A new package or a new dependency needs an entry here.
const ROOMS: &[Room] = &[
    Room { package: "ninefold-grid", inside: &[], outside: &["fearless_simd"] },
    Room { package: "ninefold-triad", inside: &["ninefold-grid"], outside: &["fearless_simd_macros"] },
    Room { package: "ninefold-uttt", inside: &["ninefold-grid"], outside: &["fearless_simd_macros"] },
    Room { package: "ninefold-cephalopods", inside: &["ninefold-grid"], outside: &["fearless_simd_macros"] },
    Room { package: "ninefold-search", inside: &["ninefold-grid"], outside: &["fearless_simd_macros", "zerocopy"] },
    Room { package: "ninefold-oracle", inside: &["ninefold-grid"], outside: &["serde", "serde_json"] },
    Room {
        package: "ninefold-engine",
        inside: &["ninefold-grid", "ninefold-triad", "ninefold-uttt", "ninefold-cephalopods", "ninefold-search"],
        outside: &["crc32fast", "fearless_simd_macros", "memmap2", "schemars", "serde", "thiserror", "zerocopy"],
    },
    Room {
        package: "ninefold-learn",
        inside: &["ninefold-grid", "ninefold-uttt", "ninefold-search", "ninefold-engine"],
        outside: &["thiserror"],
    },
    Room {
        package: "ninefold-api",
        // search: the types of `Control`. oracle: `verify` checks a certificate with rules that share no code with the
        // solver.
        inside: &[
            "ninefold-grid",
            "ninefold-triad",
            "ninefold-uttt",
            "ninefold-cephalopods",
            "ninefold-search",
            "ninefold-engine",
            "ninefold-oracle",
        ],
        outside: &["schemars", "serde", "serde_json", "thiserror"],
    },
    Room {
        package: "ninefold",
        inside: &[
            "ninefold-grid",
            "ninefold-triad",
            "ninefold-uttt",
            "ninefold-cephalopods",
            "ninefold-engine",
            "ninefold-api",
        ],
        outside: &[],
    },
    Room {
        package: "ninefold-server",
        inside: &["ninefold-api", "ninefold-grid"],
        outside: &["axum", "hyper", "hyper-util", "schemars", "serde", "serde_json", "serde_path_to_error", "tokio"],
    },
    Room {
        package: "ninefold-cli",
        // bench: `ninefold bench` runs its headline figures. learn: `uttt selfplay`, `train` and `pipeline`.
        inside: &["ninefold-api", "ninefold-bench", "ninefold-grid", "ninefold-learn", "ninefold-server"],
        outside: &[
            "clap",
            "clap_complete",
            "clap_mangen",
            "crossterm",
            "indicatif",
            "ratatui",
            "rustix",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
        ],
    },
    Room {
        package: "ninefold-bench",
        inside: &[
            "ninefold-grid",
            "ninefold-triad",
            "ninefold-uttt",
            "ninefold-cephalopods",
            "ninefold-search",
            "ninefold-engine",
            "ninefold-oracle",
        ],
        outside: &[],
    },
    Room { package: "xtask", inside: &[], outside: &["serde_json"] },
];

/// The additional package for tests. The tests of `grid` may not use it, because it depends on `grid`.
const REFERENCE: &str = "ninefold-oracle";

/// All transitive dependencies that the light packages may have, including procedural macros.
const SMALL_TREE: &[&str] =
    &["fearless_simd", "fearless_simd_macros", "libm", "proc-macro2", "quote", "syn", "unicode-ident"];

/// A package of this workspace in cargo's graph.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Known {
    /// Direct dependencies, without those of the tests.
    used: BTreeSet<String>,
    /// Direct dependencies of the tests within this workspace.
    tested_with: BTreeSet<String>,
    /// All transitive outside dependencies.
    tree: BTreeSet<String>,
}

/// Every difference between the graph and the table.
pub(crate) fn faults(metadata: &Value) -> Outcome<Vec<String>> {
    Ok(judge(&graph(metadata).ok_or("cargo metadata has another form than expected")?))
}

fn judge(graph: &BTreeMap<String, Known>) -> Vec<String> {
    let mut faults = Vec::new();
    for (package, known) in graph {
        let Some(room) = ROOMS.iter().find(|room| room.package == package) else {
            faults.push(format!("{package} is not in the table of xtask/src/rooms.rs"));
            continue;
        };
        let allowed = |name: &String| room.inside.iter().chain(room.outside).any(|allowed| allowed == name);
        faults.extend(
            known.used.iter().filter(|name| !allowed(name)).map(|name| format!("{package} may not depend on {name}")),
        );
        let stands_on_it =
            |name: &String| name == REFERENCE && !["ninefold-grid", REFERENCE].contains(&package.as_str());
        let strangers = known.tested_with.iter().filter(|name| !allowed(name) && !stands_on_it(name));
        faults.extend(strangers.map(|name| format!("{package} may not depend on {name}, not even in its tests")));
        if LIGHT.contains(&package.as_str()) {
            let heavy = known.tree.iter().filter(|name| !SMALL_TREE.contains(&name.as_str()));
            faults.extend(heavy.map(|name| format!("{package} must stay light, but depends on {name}")));
        }
    }
    let gone = ROOMS.iter().filter(|room| !graph.contains_key(room.package));
    faults.extend(gone.map(|room| format!("xtask/src/rooms.rs lists {}, which is not a package", room.package)));
    faults
}

/// The members of the workspace and their dependencies.
fn graph(metadata: &Value) -> Option<BTreeMap<String, Known>> {
    let packages = metadata["packages"].as_array()?;
    let name_of: BTreeMap<&str, &str> = packages
        .iter()
        .map(|package| Some((package["id"].as_str()?, package["name"].as_str()?)))
        .collect::<Option<_>>()?;
    let members: BTreeSet<&str> = metadata["workspace_members"].as_array()?.iter().filter_map(Value::as_str).collect();
    let inside: BTreeSet<&str> = members.iter().map(|id| name_of[id]).collect();
    let nodes: BTreeMap<&str, &Value> =
        metadata["resolve"]["nodes"].as_array()?.iter().filter_map(|node| Some((node["id"].as_str()?, node))).collect();
    let dependencies = |id: &str, wanted: fn(Option<&str>) -> bool| -> Vec<&str> {
        let edges = nodes[id]["deps"].as_array().into_iter().flatten();
        let of_kind = |edge: &&Value| {
            edge["dep_kinds"].as_array().into_iter().flatten().any(|kind| wanted(kind["kind"].as_str()))
        };
        edges.filter(of_kind).filter_map(|edge| edge["pkg"].as_str()).collect()
    };
    let name = |id: &str| name_of[id].to_string();
    let mut graph = BTreeMap::new();
    for &member in &members {
        let mut known = Known {
            used: dependencies(member, |kind| kind != Some("dev")).into_iter().map(name).collect(),
            tested_with: dependencies(member, |kind| kind == Some("dev"))
                .into_iter()
                .map(name)
                .filter(|name| inside.contains(name.as_str()))
                .collect(),
            tree: BTreeSet::new(),
        };
        let mut open = dependencies(member, |kind| kind != Some("dev"));
        while let Some(id) = open.pop() {
            if inside.contains(name_of[id]) || known.tree.insert(name(id)) {
                open.extend(dependencies(id, |kind| kind != Some("dev")));
            }
        }
        graph.insert(name(member), known);
    }
    Some(graph)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    /// The table itself as a graph, which has no faults.
    fn house() -> BTreeMap<String, Known> {
        let known = |room: &Room| Known { used: set(room.inside), ..Known::default() };
        ROOMS.iter().map(|room| (room.package.to_string(), known(room))).collect()
    }

    fn faults_after(change: impl FnOnce(&mut BTreeMap<String, Known>)) -> Vec<String> {
        let mut house = house();
        change(&mut house);
        judge(&house)
    }

    fn room<'a>(house: &'a mut BTreeMap<String, Known>, name: &str) -> &'a mut Known {
        house.entry(name.to_string()).or_default()
    }

    #[test]
    fn forbidden_knowledge_is_found() {
        assert_eq!(judge(&house()), [""; 0]);
        let used = |package: &str, name: &str| faults_after(|house| room(house, package).used.extend(set(&[name])));
        assert_eq!(used("ninefold-search", "ninefold-uttt"), ["ninefold-search may not depend on ninefold-uttt"]);
        assert_eq!(used("ninefold-uttt", "ninefold-oracle"), ["ninefold-uttt may not depend on ninefold-oracle"]);
        assert_eq!(used("ninefold-grid", "serde"), ["ninefold-grid may not depend on serde"]);
        let tested =
            |package: &str, name: &str| faults_after(|house| room(house, package).tested_with.extend(set(&[name])));
        assert_eq!(tested("ninefold-uttt", "ninefold-oracle"), [""; 0]);
        assert_eq!(tested("ninefold-grid", "ninefold-oracle").len(), 1);
        assert_eq!(tested("ninefold-uttt", "ninefold-engine").len(), 1);
        assert_eq!(faults_after(|house| room(house, "ninefold-triad").tree.extend(set(&["rand"]))).len(), 1);
        assert_eq!(faults_after(|house| room(house, "fourth-game").used.clear()).len(), 1);
        assert_eq!(faults_after(|house| drop(house.remove("ninefold-uttt"))).len(), 1);
    }

    #[test]
    fn the_words_of_cargo_are_understood() {
        let metadata = serde_json::json!({
            "packages": [{"id": "#a", "name": "a"}, {"id": "#b", "name": "b"}, {"id": "#c", "name": "c"}, {"id": "#d", "name": "d"}],
            "workspace_members": ["#a", "#b"],
            "resolve": {"nodes": [
                {"id": "#a", "deps": [{"pkg": "#c", "dep_kinds": [{"kind": null}]}, {"pkg": "#b", "dep_kinds": [{"kind": "dev"}]}]},
                {"id": "#b", "deps": [{"pkg": "#a", "dep_kinds": [{"kind": null}]}]},
                {"id": "#c", "deps": [{"pkg": "#d", "dep_kinds": [{"kind": "build"}]}]},
                {"id": "#d", "deps": []},
            ]},
        });
        let a = Known { used: set(&["c"]), tested_with: set(&["b"]), tree: set(&["c", "d"]) };
        let b = Known { used: set(&["a"]), tested_with: set(&[]), tree: set(&["c", "d"]) };
        assert_eq!(graph(&metadata), Some(BTreeMap::from([("a".to_string(), a), ("b".to_string(), b)])));
        assert!(faults(&serde_json::json!({})).is_err());
    }
}
