import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Serves the built page of `apps/web`. Returns `undefined` for what is no file of the page. The files are read once; the
 * page takes all of its addresses from its own, so that it works below any path.
 * @throws Error where the page is not built.
 */
export function webPage(): (request: Request) => Response | undefined {
  const root = fileURLToPath(new URL("dist", import.meta.resolve("@skillwright/web/package.json")));
  const files = new Map(pathsBelow(root).map((path) => [`/${path}`, pageFile(root, path)]));
  return (request) => {
    const { pathname } = new URL(request.url);
    const found = files.get(pathname === "/" ? "/index.html" : pathname);
    if (!found || !["GET", "HEAD"].includes(request.method)) return undefined;
    if (request.headers.get("if-none-match") === found.headers["etag"])
      return new Response(null, { status: 304, headers: found.headers });
    return new Response(request.method === "HEAD" ? null : found.bytes, { headers: found.headers });
  };
}

function pathsBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => path.replaceAll("\\", "/"));
}

function pageFile(root: string, path: string): PageFile {
  const bytes = new Uint8Array(readFileSync(join(root, path)));
  return {
    bytes,
    headers: {
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
      "content-security-policy": path.startsWith("frame.") ? FRAME_POLICY : PAGE_POLICY,
      // The names of these have the hash of their content.
      "cache-control": path.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      ...(path.startsWith("frame.") ? {} : { "cross-origin-opener-policy": "same-origin" }),
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

const PAGE_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'",
  "connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** For foreign HTML and SVG: an opaque origin, nothing from any server, and no script but the frame's own. */
const FRAME_POLICY = [
  "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'",
  "img-src data:; font-src data:; media-src data:; base-uri 'none'; form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");
