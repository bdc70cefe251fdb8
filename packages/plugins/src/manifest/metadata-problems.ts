import type { JsonObject, JsonValue } from "@skillwright/core";
import { isObject } from "../files/json-text.js";
import { type FieldProblem, fieldProblem } from "./field-problem.js";

export const NAME_FORM =
  "1 to 64 lower-case letters, digits, `-` and `.`, without `--` and `..`, with a letter or digit at both ends";

const TEXTS = ["version", "description", "homepage", "repository", "license"];
const AUTHOR = ["name", "email", "url"];

/** Checks the types of the descriptive fields; whether a version or an address is well-formed does not matter. */
export function metadataProblems(manifest: JsonObject): readonly FieldProblem[] {
  const { author, keywords } = manifest;
  return [
    ...TEXTS.flatMap((field) => textProblem(field, manifest[field])),
    ...(author === undefined ? [] : authorProblems(author)),
    ...(keywords === undefined || isTextList(keywords)
      ? []
      : [fieldProblem("keywords", keywords, "a list of texts")]),
  ];
}

function authorProblems(author: JsonValue): readonly FieldProblem[] {
  if (!isObject(author)) return [fieldProblem("author", author, "an object")];
  return Object.entries(author).flatMap(([field, value]) =>
    AUTHOR.includes(field)
      ? textProblem(`author.${field}`, value)
      : [fieldProblem(`author.${field}`, value, "no field but name, email and url")],
  );
}

function textProblem(path: string, value: JsonValue | undefined): readonly FieldProblem[] {
  return value === undefined || typeof value === "string" ? [] : [fieldProblem(path, value, "a text")];
}

export function isTextList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export function isTextMap(value: JsonValue): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((one) => typeof one === "string");
}
