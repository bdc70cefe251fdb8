import { inspect } from "node:util";
import { SkillError } from "@skillwright/core";
import { shownText } from "@skillwright/core/adapter";
import type { Style } from "./style.js";

/** A failure for people: the error's message; stack and causes only with `debug`. */
export function failureText(error: unknown, style: Style, debug: boolean): string {
  const message = shownText(error instanceof Error ? error.message : String(error));
  const code = SkillError.is(error) ? ` ${style.dim(`(${error.code})`)}` : "";
  const told = `${style.red("error")} ${message}${code}`;
  if (debug) return `${told}\n${inspect(error)}`;
  const expected = SkillError.is(error) && error.code !== "BACKEND_FAILED";
  return expected ? told : `${told}\n      Run the command again with --debug for details.`;
}
