/** A path that a sandboxed command sees. Later mounts cover earlier ones. */
export type Mount =
  /** A file or directory of the host, mounted at a path. */
  | { readonly kind: "read-only" | "writable"; readonly source: string; readonly target: string }
  /** The same, where the host has it. */
  | { readonly kind: "read-only-if-there"; readonly source: string; readonly target: string }
  | { readonly kind: "link"; readonly source: string; readonly target: string };

export function readOnly(source: string, target = source): Mount {
  return { kind: "read-only", source, target };
}

export function readOnlyIfThere(source: string, target = source): Mount {
  return { kind: "read-only-if-there", source, target };
}

export function link(source: string, target: string): Mount {
  return { kind: "link", source, target };
}
