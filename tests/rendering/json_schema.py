"""The part of JSON Schema that the schema of reports is written in: what of a value does not fit it."""

import re

TYPES = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None),
}  # fmt: skip
KNOWN = {
    "$schema", "$defs", "$ref", "title", "description", "type", "required", "additionalProperties", "properties",
    "items", "enum", "const", "anyOf", "minimum",
}  # fmt: skip


def misfits(value, schema, root=None, path="$"):
    """Every place that does not fit; an empty list if the value is as the schema says."""
    root = schema if root is None else root
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    found = []
    if "$ref" in schema:
        name = re.fullmatch(r"#/\$defs/(\w+)", schema["$ref"]).group(1)
        found += misfits(value, root["$defs"][name], root, path)
    if "anyOf" in schema and all(misfits(value, option, root, path) for option in schema["anyOf"]):
        found.append(f"{path}: none of the options")
    if "const" in schema and (value != schema["const"] or isinstance(value, bool)):
        found.append(f"{path}: not {schema['const']}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: {value!r} is not one of {schema['enum']}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return [*found, f"{path}: {value!r} is not {kinds}"]
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        found.append(f"{path}: {value} is less than {schema['minimum']}")
    if isinstance(value, dict):
        found += [f"{path}.{key}: missing" for key in schema.get("required", ()) if key not in value]
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key, part in value.items():
            if key in properties:
                found += misfits(part, properties[key], root, f"{path}.{key}")
            elif others is False:
                found.append(f"{path}.{key}: not known")
            elif isinstance(others, dict):
                found += misfits(part, others, root, f"{path}.{key}")
    if isinstance(value, list) and "items" in schema:
        for k, item in enumerate(value):
            found += misfits(item, schema["items"], root, f"{path}[{k}]")
    return found


def _is(value, kind):
    return isinstance(value, TYPES[kind]) and not (kind == "integer" and isinstance(value, bool))
