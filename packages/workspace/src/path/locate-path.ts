import { SkillError } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";

/** What paths in one call may refer to. */
export interface PathContext {
  /** Absolute path of the workspace as its commands see it. */
  readonly root: string;
  /** Directories relative to the root, by variable, such as `WORK_DIR: "work"`. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface LocatedPath {
  /** Relative to the workspace's root; `.` for the root itself. */
  readonly base: string;
  /** The rest of the path, not validated yet; may be empty. */
  readonly rest: string;
}

/** The directories that may contain a path, for messages. */
export const ALLOWED_ROOTS = "work/, out/, runs/ and skills/";

/**
 * Understands the ways in which models name a path in the workspace: `$WORK_DIR/x`, `${OUTPUT_DIR}`, `/out/x`, the
 * absolute path that a command printed, with `/` or `\` between the parts. `undefined` for a plain relative path. A
 * variable name extends to its last letter, so `$OUTPUT_DIR_demo` is a file name; unknown variables are kept
 * literally.
 * @throws SkillError `PATH_OUTSIDE` for an absolute path outside the workspace.
 */
export function locatePath(text: string, context: PathContext): LocatedPath | undefined {
  const path = text.trim().replaceAll("\\", "/");
  const variable = /^\$(?:\{([A-Z_]+)\}|([A-Z_]+))(?:\/+(.*))?$/s.exec(path);
  const name = variable?.[1] ?? variable?.[2];
  if (name !== undefined && Object.hasOwn(context.variables, name))
    return { base: context.variables[name] ?? ".", rest: variable?.[3] ?? "" };
  if (/^[A-Za-z]:\//.test(path)) throw outsideWorkspace(text);
  if (!path.startsWith("/")) return undefined;
  const located = belowRoot(path, context.root) ?? belowLayout(path);
  if (!located) throw outsideWorkspace(text);
  return located;
}

export function outsideWorkspace(
  text: string,
  rule = `Allowed are ${ALLOWED_ROOTS}, also as $WORK_DIR, $OUTPUT_DIR, $RUN_DIR and $SKILLS_DIR`,
): SkillError {
  const shown = JSON.stringify(text.slice(0, 200));
  return new SkillError("PATH_OUTSIDE", `The path ${shown} is not allowed here. ${rule}.`, {
    details: { path: text.slice(0, 1024) },
  });
}

function belowRoot(path: string, root: string): LocatedPath | undefined {
  if (path !== root && !path.startsWith(`${root}/`)) return undefined;
  const rest = path.slice(root.length + 1);
  return rest === "" || isLayoutDirectory(rest.split("/")[0] ?? "") ? { base: ".", rest } : undefined;
}

/** Treats `/work/x` as `work/x`, because commands in a container print such paths. */
function belowLayout(path: string): LocatedPath | undefined {
  const [first = "", ...rest] = path.replace(/^\/+/, "").split("/");
  if (first === "") return { base: ".", rest: "" };
  if (first === "inputs") return { base: WORKSPACE_LAYOUT.inputs, rest: rest.join("/") };
  return isLayoutDirectory(first) ? { base: first, rest: rest.join("/") } : undefined;
}

export function isLayoutDirectory(name: string): boolean {
  return (
    name === WORKSPACE_LAYOUT.skills ||
    name === WORKSPACE_LAYOUT.work ||
    name === WORKSPACE_LAYOUT.out ||
    name === WORKSPACE_LAYOUT.runs
  );
}
