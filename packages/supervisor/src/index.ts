import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A program that fits this machine, and the version of the protocol that it speaks (`PROTOCOL.md`). */
export interface SupervisorProgram {
  /** Absolute path of a static executable; it needs no other file. */
  readonly path: string;
  readonly protocol: 1;
}

/**
 * Finds the supervisor for a platform and architecture in Node's words, by default this machine's: beside this code, or
 * where this code is part of a bundle, in the package that is installed for the bundle or for the program that was started.
 * Returns `undefined` where the package has none: outside Linux, and on other architectures than x64 and arm64; and where
 * a bundle has no such package. It starts no process and does not tell whether the file may be executed: an installer may
 * have taken its executable bit, and the file system may forbid execution (`noexec`). A caller tries it, and where it does
 * not start uses a copy.
 */
export function supervisorProgram({
  platform,
  arch,
}: {
  readonly platform: string;
  readonly arch: string;
} = process): SupervisorProgram | undefined {
  if (platform !== "linux" || !["x64", "arm64"].includes(arch)) return undefined;
  const path = [besideThis, installedForThis, installedForProgram]
    .map((place) => found(() => place(arch)))
    .find((file) => file !== undefined);
  return path === undefined ? undefined : { path, protocol: 1 };
}

/** A place that a bundle does not have is none. */
function found(place: () => string): string | undefined {
  try {
    const file = place();
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Bundlers read the expression with the URL, and some copy the file that it means for the machine they run on. */
function besideThis(arch: string): string {
  const own = fileURLToPath(new URL(`../bin/linux-${process.arch}/supervisor`, import.meta.url));
  return arch === process.arch ? own : join(dirname(own), `../linux-${arch}/supervisor`);
}

function installedForThis(arch: string): string {
  return installedFor(import.meta.url, arch);
}

function installedForProgram(arch: string): string {
  return installedFor(process.argv[1], arch);
}

function installedFor(from: string | undefined, arch: string): string {
  // A bundler would resolve it itself, where it could see what is called here.
  const { createRequire } = process.getBuiltinModule("node:module");
  const manifest = createRequire(from ?? "").resolve("@skillwright/supervisor/package.json");
  return `${dirname(manifest)}/bin/linux-${arch}/supervisor`;
}
