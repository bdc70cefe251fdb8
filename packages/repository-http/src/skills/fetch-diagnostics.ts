import type { Diagnostic, SkillError } from "@skillwright/core";

/** Reports why a listed skill could not be fetched. */
export function unfetched(path: string, { code, message }: SkillError): Diagnostic {
  const hint = "Refresh to try again, or let whoever publishes it mend it.";
  const name = code.toLowerCase().replaceAll("_", "-");
  return { code: `fetch.${name}`, severity: "error", message, hint, path };
}

/** Reports why a skill still has the state from before the last refresh. */
export function stale(path: string, { message }: SkillError): Diagnostic {
  return {
    code: "fetch.stale",
    severity: "warning",
    message: `"${path}" is as it was before the refresh. ${message}`,
    hint: "Refresh again.",
    path,
  };
}
