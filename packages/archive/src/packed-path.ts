import { leftOutReason } from "./rules/left-out.js";

const FOLDERS = new Set([
  "__pycache__",
  "node_modules",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".venv",
  ".idea",
  ".vscode",
]);
const FILES = /^(?:.*\.py[cod]|thumbs\.db|desktop\.ini)$/i;

/**
 * True for a file that belongs in an archive of its skill. False for version control, `node_modules`, caches and
 * settings of tools, compiled Python, files added by macOS and Windows, and `evals/` at the top.
 * @param path Path relative to the skill.
 */
export function isPackedPath(path: string): boolean {
  const parts = path.split("/");
  if (parts.length > 1 && parts[0] === "evals") return false;
  if (leftOutReason(path) !== undefined || parts.some((part) => FOLDERS.has(part))) return false;
  return !FILES.test(parts.at(-1) ?? "");
}
