//! Values of JSON as TOML.

use serde_json::{Map, Value};
use urlint_config::quoted;

/// Returns a value as TOML. TOML has no null, so null is left out.
pub fn toml(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(values) => {
            let values = values.iter().filter(|value| !value.is_null());
            let values: Vec<_> = values.map(toml).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(table) => inline(table),
    }
}

fn inline(table: &Map<String, Value>) -> String {
    let pairs = table.iter().filter(|(_, value)| !value.is_null());
    let pairs = pairs.map(|(key, value)| format!("{} = {}", quoted(key), toml(value)));
    let pairs: Vec<_> = pairs.collect();
    format!("{{ {} }}", pairs.join(", "))
}
