import { lineChanges } from "@skillwright/runtime-local";

interface FileChange {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  /** Text before and after the change; missing where there is none. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** What changes in a file: its path, then each line that goes or comes, with two lines around it. Nothing is escaped. */
export function fileChangeLines({ path, change, before, after }: FileChange): readonly string[] {
  const head = `${change.padEnd(8)} ${path}`;
  const old = change === "added" ? "" : before;
  const fresh = change === "removed" ? "" : after;
  if (old === undefined && fresh === undefined) return [head, "  is not text, or too long to be shown"];
  return [head, ...lineChanges(old ?? "", fresh ?? "").map((line) => `  ${line}`)];
}
