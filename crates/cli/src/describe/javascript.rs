//! Writes JSON schemas as JSDoc types, so that `tsc` checks the page against the server's answers.

use serde_json::Value;
use std::fmt::Write;

/// All definitions as one module.
pub(super) fn types(definitions: &Value) -> String {
    let mut out = String::from(
        "// The questions and answers of the server. Generated from the Rust types by `cargo xtask describe`: do not edit.\n",
    );
    for (name, schema) in definitions.as_object().into_iter().flatten() {
        out.push_str("\n/**\n");
        for line in schema["description"].as_str().unwrap_or_default().lines() {
            let _ = writeln!(out, " *{}{line}", if line.is_empty() { "" } else { " " });
        }
        match schema["properties"].as_object().filter(|_| schema["oneOf"].is_null()) {
            Some(properties) => {
                let _ = writeln!(out, " * @typedef {{object}} {name}");
                for (field, value) in properties {
                    let name = if is_required(schema, field) { field.clone() } else { format!("[{field}]") };
                    let about = value["description"].as_str().unwrap_or_default().replace('\n', " ");
                    let _ = writeln!(out, "{}", format!(" * @property {{{}}} {name} {about}", text(value)).trim_end());
                }
            }
            None => {
                let _ = writeln!(out, " * @typedef {{{}}} {name}", text(schema));
            }
        }
        out.push_str(" */\n");
    }
    out + "\nexport {};\n"
}

fn is_required(schema: &Value, field: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|name| name == field))
}

/// A schema as a type expression.
fn text(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if !schema["const"].is_null() {
        return schema["const"].to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    if let Some(any) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return any.iter().map(text).collect::<Vec<_>>().join(" | ");
    }
    if let Some(kinds) = schema["type"].as_array() {
        let one = |kind: &Value| {
            let mut schema = schema.clone();
            schema["type"] = kind.clone();
            text(&schema)
        };
        return kinds.iter().map(one).collect::<Vec<_>>().join(" | ");
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => "number".to_owned(),
        Some("string") => "string".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        Some("null") => "null".to_owned(),
        Some("array") => match schema["prefixItems"].as_array() {
            Some(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", ")),
            None => {
                let items = text(&schema["items"]);
                if items.contains(' ') { format!("({items})[]") } else { format!("{items}[]") }
            }
        },
        Some("object") => match schema["properties"].as_object() {
            Some(properties) => {
                let field = |(name, value): (&String, &Value)| {
                    format!("{name}{}: {}", if is_required(schema, name) { "" } else { "?" }, text(value))
                };
                format!("{{ {} }}", properties.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            None => format!("Record<string, {}>", text(&schema["additionalProperties"])),
        },
        _ => "any".to_owned(),
    }
}
