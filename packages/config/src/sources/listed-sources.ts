import { delimiter } from "node:path";

/**
 * The folders and remote sources of a list like `PATH`, in their order. Where the separator is `:`, those of a URL do
 * not end it: after its scheme (`sqlite:` and `mcp+stdio:` included), before a port, in its credentials, and before the folder of a Git source
 * (`#ref:folder`), if that begins with a letter or digit and no URL follows. Any other `:` in a URL must be written as
 * `%3A`.
 */
export function listedSources(list: string, separator: string = delimiter): readonly string[] {
  const parts = separator === ":" ? (list.match(ENTRY) ?? []) : list.split(separator);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

const SCHEME = String.raw`[a-z][a-z0-9+.-]*:\/\/`;
const CREDENTIALS = `(?:[^/?#@:]*(?::[^/?#@]*)?@)?`;
const HOST = String.raw`(?:\[[^\]/]*\]|[^/?#:]*)(?::\d+(?=[/?#:]|$))?`;
const FOLDER = String.raw`(?::(?!${SCHEME})[\p{L}\p{N}][^:]*)?`;
const ENTRY = new RegExp(
  `${SCHEME}${CREDENTIALS}${HOST}[^#:]*(?:#[^:]*${FOLDER})?|(?:sqlite|mcp\\+stdio):[^:]+|[^:]+`,
  "giu",
);
