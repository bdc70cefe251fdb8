import { SkillError } from "./skill-error.js";

const MAX_PATH_LENGTH = 1024;
const MAX_SEGMENT_BYTES = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

const PLAIN_PART = "[A-Za-z0-9_-][A-Za-z0-9._ -]{0,200}";
const PLAIN_PATH = new RegExp(`^${PLAIN_PART}(?:/${PLAIN_PART})*$`);

/**
 * Checks a virtual path: relative, with `/` between its parts. Returns it unchanged. All paths inside skills,
 * workspaces and archives pass this check, on every operating system.
 *
 * @throws SkillError `PATH_OUTSIDE` for absolute paths, drive letters and `..`; `PATH_INVALID` for empty paths and
 * parts, `.`, backslashes, control characters, lone surrogates, text that is not in Unicode form NFC, more than 1,024
 * characters or a part of more than 255 bytes.
 */
export function containedPath(path: string): string {
  if (isPlain(path)) return path;
  const problem = outsideProblem(path) ?? formProblem(path);
  if (problem) throw new SkillError(problem.code, problem.message, { details: { path } });
  return path;
}

/** True where `containedPath` accepts the path. */
export function isContainedPath(path: string): boolean {
  return isPlain(path) || (!outsideProblem(path) && !formProblem(path));
}

/** Fast path for nearly all inputs; the full check takes ten times as long. */
function isPlain(path: string): boolean {
  return path.length <= MAX_PATH_LENGTH && PLAIN_PATH.test(path);
}

interface Problem {
  code: "PATH_OUTSIDE" | "PATH_INVALID";
  message: string;
}

function outsideProblem(path: string): Problem | undefined {
  const shown = JSON.stringify(path.slice(0, 200));
  const outside = (why: string): Problem => ({
    code: "PATH_OUTSIDE",
    message: `The path ${shown} ${why}. Give a path below the folder, such as "out/report.md".`,
  });
  if (path.startsWith("/")) return outside("is absolute");
  if (/^[A-Za-z]:/.test(path)) return outside("names a drive");
  if (path.split(/[/\\]/).includes("..")) return outside('leaves its folder through ".."');
  return undefined;
}

function formProblem(path: string): Problem | undefined {
  const shown = JSON.stringify(path.slice(0, 200));
  const invalid = (why: string): Problem => ({
    code: "PATH_INVALID",
    message: `The path ${shown} ${why}. Use plain names with "/" between them.`,
  });
  if (path === "") return invalid("is empty");
  if (path.length > MAX_PATH_LENGTH) return invalid(`is longer than ${MAX_PATH_LENGTH} characters`);
  if (path.includes("\\")) return invalid("contains a backslash");
  if (CONTROL_CHARACTER.test(path)) return invalid("contains a control character");
  if (/\p{Surrogate}/u.test(path)) return invalid("contains half a surrogate pair");
  if (path.normalize("NFC") !== path) return invalid("is not in Unicode form NFC");
  for (const segment of path.split("/")) {
    if (segment === "") return invalid("has an empty part");
    if (segment === ".") return invalid('has the part "."');
    if (new TextEncoder().encode(segment).byteLength > MAX_SEGMENT_BYTES)
      return invalid(`has a part of more than ${MAX_SEGMENT_BYTES} bytes`);
  }
  return undefined;
}

/**
 * Returns the path up to and including the part that makes it unusable, so that a directory is reported once and not
 * for each of its files. Bytes that are not UTF-8 also make a part unusable.
 */
export function firstUnusablePart(path: string): string {
  const parts = path.split("/");
  const fault = parts.findIndex((part) => !isContainedPath(part) || part.includes("\ufffd"));
  return fault === -1 ? path : parts.slice(0, fault + 1).join("/");
}
