import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  /** The file compressed with gzip. Missing until the first request that accepts gzip. */
  compressed?: PageFile;
}

/**
 * Answers requests for files of the page, and returns `undefined` for all others, which belong to the server behind it. The page
 * finds the server's API at `v1` beside its own address, so that it works below any path. The files are read when this function is
 * called. The content security policy of each answer allows nothing from other servers.
 * @throws Error where the files are not beside this code, as in a bundle.
 */
export function webPage(): (request: Request) => Response | undefined {
  const root = fileURLToPath(new URL("../dist/page", import.meta.url));
  const files = new Map(pathsBelow(root).map((path) => [`/${path}`, pageFile(root, path)]));
  return (request) => {
    const { pathname } = new URL(request.url);
    const file = files.get(pathname === "/" ? "/index.html" : pathname);
    if (!file || !["GET", "HEAD"].includes(request.method)) return undefined;
    const found = takesGzip(request) ? compressed(file) : file;
    if (request.headers.get("if-none-match") === found.headers["etag"])
      return new Response(null, { status: 304, headers: found.headers });
    return new Response(request.method === "HEAD" ? null : found.bytes, { headers: found.headers });
  };
}

function takesGzip(request: Request): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.get("accept-encoding") ?? "");
}

function compressed(file: PageFile): PageFile {
  const { bytes, headers } = file;
  file.compressed ??= {
    bytes: new Uint8Array(gzipSync(bytes, { level: 9 })),
    headers: { ...headers, "content-encoding": "gzip", etag: `${headers["etag"]?.slice(0, -1)}-gzip"` },
  };
  return file.compressed;
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
      vary: "accept-encoding",
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
