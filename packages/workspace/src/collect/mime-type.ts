import { mimeLibrary } from "#late";

const UNKNOWN = "application/octet-stream";

/** Extensions for which the library has no type, or a type that is wrong for files of skills. */
const OVERRIDES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ts: "text/x-typescript", // library: a video type
    mts: "text/x-typescript",
    cts: "text/x-typescript",
    tsx: "text/x-typescript",
    rs: "text/x-rust", // library: application/rls-services+xml
    py: "text/x-python",
    jsonl: "application/x-ndjson",
    ndjson: "application/x-ndjson",
  }),
);

/** Returns the type by the name's extension, without charset; `undefined` for an unknown extension. */
function namedMimeType(path: string): string | undefined {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return OVERRIDES.get(extension) ?? (mimeLibrary().lookup(path) || undefined);
}

/** Returns the type for listings, where no file is opened: `application/octet-stream` for an unknown extension. */
export function listedMimeType(path: string): string {
  return namedMimeType(path) ?? UNKNOWN;
}

/**
 * Returns the type by name and first bytes. Unknown names are `text/plain` or binary; an image type is verified by the
 * bytes.
 */
export function mimeTypeOf(path: string, head: Uint8Array): string {
  const named = namedMimeType(path);
  if (named !== undefined && !contradicts(named, head)) return named;
  return looksLikeText(head) ? "text/plain" : UNKNOWN;
}

/** True where the name alone determines the type, so that the file need not be opened. */
export function isSettledByName(path: string): boolean {
  const named = namedMimeType(path);
  return named !== undefined && !SIGNATURES.has(named);
}

/** True for types whose content is returned as text. */
export function isTextType(mimeType: string): boolean {
  return (
    /^text\/|\+(json|xml|yaml)$/.test(mimeType) ||
    /^application\/(json|xml|yaml|toml|sql|graphql|javascript|ecmascript|x-(ndjson|sh|csh|perl|tcl|tex|latex|subrip))$/.test(
      mimeType,
    )
  );
}

const SIGNATURES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "image/png": ["89504e470d0a1a0a"],
    "image/jpeg": ["ffd8ff"],
    "image/gif": ["474946383761", "474946383961"],
    "image/webp": ["52494646"],
    "application/pdf": ["255044462d"],
    "application/zip": ["504b0304", "504b0506", "504b0708"],
  }),
);

function contradicts(mimeType: string, head: Uint8Array): boolean {
  const signatures = SIGNATURES.get(mimeType);
  const start = Buffer.from(head.subarray(0, 8)).toString("hex");
  return signatures !== undefined && !signatures.some((signature) => start.startsWith(signature));
}

/** Checks for UTF-8 without NUL; a character cut at the end is allowed. */
function looksLikeText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
