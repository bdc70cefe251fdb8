import type { JsonValue } from "../../json-value.js";
import { type ReportField, textList } from "./field-values.js";

/**
 * Parses `allowed-tools` in each of its three forms: a text separated by spaces (the standard) or by commas, or a list.
 * Text in parentheses stays together, including commas and spaces; an unclosed parenthesis extends to the end.
 */
export function allowedTools(value: JsonValue | undefined, report: ReportField): readonly string[] {
  return textList(value, "allowed-tools", report).flatMap(splitTools);
}

function splitTools(text: string): string[] {
  const tools: string[] = [];
  let tool = "";
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth = Math.max(0, depth - 1);
    if (depth > 0 || !/[\s,]/.test(character)) tool += character;
    else if (tool !== "") {
      tools.push(tool);
      tool = "";
    }
  }
  return tool === "" ? tools : [...tools, tool];
}
