//! Generates the tables of the documents, between `<!-- generated: NAME -->` and `<!-- end -->`.

use super::verbs;
use crate::failure::Failure;
use serde_json::Value;

/// Replaces the tables of a document. `fields TYPE` is the table of a type's fields.
pub(super) fn fill(document: &str, definitions: &Value) -> Result<String, Failure> {
    const BEGIN: &str = "<!-- generated: ";
    const END: &str = "<!-- end -->";
    let mut out = String::new();
    let mut rest = document;
    while let Some(at) = rest.find(BEGIN) {
        let name_at = at + BEGIN.len();
        let missing = || Failure::Run(format!("a generated table has no `{END}`"));
        let name_end = name_at + rest[name_at..].find(" -->").ok_or_else(missing)?;
        let end = name_end + rest[name_end..].find(END).ok_or_else(missing)?;
        out.push_str(&rest[..name_end + " -->".len()]);
        out.push_str("\n\n");
        out.push_str(&table(&rest[name_at..name_end], definitions)?);
        out.push('\n');
        out.push_str(END);
        rest = &rest[end + END.len()..];
    }
    Ok(out + rest)
}

fn table(name: &str, definitions: &Value) -> Result<String, Failure> {
    Ok(match name {
        "verbs" => {
            let rows =
                verbs().into_iter().map(|verb| format!("| `{}` | {} | {} |\n", verb.schema, verb.call, verb.each));
            format!("| schema | verb | one object per |\n|---|---|---|\n{}", rows.collect::<String>())
        }
        "addresses" => {
            let type_of = |describe: fn(&mut schemars::SchemaGenerator) -> schemars::Schema| {
                let schema = describe(&mut server::describe::answers("/x")).to_value();
                let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or("any").to_owned();
                format!("`{name}`")
            };
            let rows = server::describe::routes().into_iter().map(|route| {
                let question = route.question.map_or_else(String::new, type_of);
                let (method, path, summary) = (route.method, route.path, route.summary);
                format!("| `{method} {path}` | {question} | {} | {summary} |\n", type_of(route.answer))
            });
            format!("| address | question | answer | what it is |\n|---|---|---|---|\n{}", rows.collect::<String>())
        }
        "statuses" => {
            let rows = server::describe::STATUSES.map(|(status, meaning)| format!("| {status} | {meaning} |\n"));
            format!("| status | why |\n|---|---|\n{}", rows.concat())
        }
        _ => match name.strip_prefix("fields ").map(|name| (name, &definitions[name])) {
            Some((_, schema)) if schema["properties"].is_object() => fields(schema),
            _ => return Err(Failure::Run(format!("no table is called `{name}`"))),
        },
    })
}

fn fields(schema: &Value) -> String {
    let mut out = String::from("| field | meaning |\n|---|---|\n");
    for (name, value) in schema["properties"].as_object().into_iter().flatten() {
        let about = value["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        out += &format!("| `{name}` | {about} |\n");
    }
    out
}
