/**
 * What skills over MCP cost: lists, a large file, many clients, a run over standard streams beside one in process, and the first answer of
 * the command beside that of an empty server of the official SDK. Prints a Markdown table; a slow figure fails nothing.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { measuredFigures } from "./measured-figures.mjs";

const packages = [
  "cli",
  "config",
  "mcp",
  "records",
  "repository-fs",
  "runtime-local",
  "skillbox",
  "tools",
  "workspace",
];
const figures = {
  lists: "`resources/list` of 1,000 skills (must 150 ms cold, 10 ms warm)",
  "large-file": "first lines of a file of 100 MB of a skill (must 50 ms, constant memory)",
  clients: "200 clients at once (must: none fails)",
  runs: "`skill_run` over standard streams beside the same run in process (must 1.15)",
  initialize: "`initialize` of a new `skillwright mcp` beside an empty server of the SDK (must 1.5)",
};
const place = mkdtempSync(`${tmpdir()}/skillwright-bench-mcp-`);
// Commands run as another user.
chmodSync(place, 0o711);
process.on("exit", () => rmSync(place, { recursive: true, force: true }));
await measuredFigures({ packages, figures, folder: "mcp" }, place);
