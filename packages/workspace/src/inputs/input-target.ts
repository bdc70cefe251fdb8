import { containedPath, type SkillError } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { outsideWorkspace, type PathContext } from "../path/locate-path.js";
import { workspacePath } from "../path/workspace-path.js";
import type { InputSource } from "./input-source.js";

/**
 * Resolves the target of an input, relative to the workspace's root. A missing or blank target, `.` and `inputs` give
 * `work/inputs/<base name>`; `inputs/m.txt` means `work/inputs/m.txt`.
 * @throws SkillError `PATH_OUTSIDE` outside `work/`, `out/` and `runs/`: the root, also as `/`, and `skills/` accept no
 * inputs; `PATH_INVALID`.
 */
export function inputTarget(to: string | undefined, source: InputSource, context: PathContext): string {
  if (to !== undefined && to.trim() !== "" && /^[\s/\\]+$/.test(to)) throw notBelow(to);
  const path = isDefault(to) ? defaultTarget(source) : workspacePath(to, context);
  const [first, ...rest] = path.split("/");
  const writable = first === "work" || first === "out" || first === "runs";
  if (!writable || rest.length === 0 || path === WORKSPACE_LAYOUT.inputs) throw notBelow(to ?? path);
  return path;
}

function notBelow(path: string): SkillError {
  return outsideWorkspace(
    path,
    "Inputs must be below work/, out/ or runs/; without `to` they go to work/inputs/<name>",
  );
}

function isDefault(to: string | undefined): to is undefined {
  const directory = to?.trim().replaceAll("\\", "/").replace(/\/+$/, "") ?? "";
  return (
    directory === "" || directory === "." || directory === "inputs" || directory === WORKSPACE_LAYOUT.inputs
  );
}

/** Validates the name like an explicit target, without repairs: `artifact://..` is refused. */
function defaultTarget(source: InputSource): string {
  const written = source.scheme === "artifact" ? source.reference.name : source.path;
  const path = source.scheme === "workspace" ? written.replaceAll("\\", "/") : written;
  const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return containedPath(`${WORKSPACE_LAYOUT.inputs}/${name}`);
}
