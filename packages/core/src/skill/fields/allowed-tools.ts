import type { JsonValue } from "../../json-value.js";
import { type ReportField, textList } from "./field-values.js";

/**
 * The tools of `allowed-tools` in each of its three forms: one text with spaces (the standard), with commas, or a list.
 * What stands in parentheses stays together, commas and spaces too; a parenthesis that is never closed goes to the end.
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
