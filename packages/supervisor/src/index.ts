export { type OutputLog, type OutputLogOptions, outputLog } from "./output/output-log.js";
export { capturedOf, pieceFrom, piecesIn, type RecordedPiece } from "./record/recorded-pieces.js";
export {
  leaseLapsed,
  outcomeUnknown,
  outputLost,
  spaceFull,
  treeNotCertain,
} from "./record/run-diagnostics.js";
export { endOf, type RunEnd, type RunReport, readReport, usageOf } from "./record/run-report.js";
export type { FollowedRunOptions } from "./stream/followed-run.js";
export type { RecordContent, RunRecord } from "./stream/record-files.js";
export {
  type RecordedRuns,
  type RecordedRunsOptions,
  type RunPlace,
  recordedRuns,
  runExists,
} from "./stream/recorded-runs.js";
export { recordingOf, runPlace } from "./stream/recording-of.js";
export { type RunStream, runStream, type StreamConnection } from "./stream/run-stream.js";
export type { NotStarted, RecordedStart } from "./stream/start-record.js";
export type {
  CommandEnd,
  CommandRequest,
  InputDescriptor,
  OutputDescriptor,
  StreamedCommand,
} from "./stream/streamed-command.js";
export { timeLimit } from "./stream/time-limit.js";
export { systemCallFilter } from "./system-call-filter.js";

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A program for this machine, and the version of the protocol that it speaks (`PROTOCOL.md`). */
export interface SupervisorProgram {
  /** Absolute path of a static executable, which needs no other file. */
  readonly path: string;
  readonly protocol: 2;
}

/**
 * Finds the supervisor for a platform and architecture by Node's names, by default this machine's: beside this code, or
 * where this code is part of a bundle, in the package installed for the bundle or for the started program. Returns
 * `undefined` where the package has none: outside Linux, and on other architectures than x64 and arm64; and where a
 * bundle has no such package. It starts no process and does not check whether the file can be executed: an installer
 * may have removed its executable bit, and the file system may forbid execution (`noexec`). The caller tests it and
 * uses a copy where it does not start.
 */
export function supervisorProgram({
  platform,
  arch,
}: {
  readonly platform: string;
  readonly arch: string;
} = process): SupervisorProgram | undefined {
  if (platform !== "linux" || !["x64", "arm64"].includes(arch)) return undefined;
  for (const place of [besideThis, installedForThis, installedForProgram]) {
    const path = found(() => place(arch));
    if (path !== undefined) return { path, protocol: 2 };
  }
  return undefined;
}

/** A path that cannot be determined in a bundle counts as missing. */
function found(place: () => string): string | undefined {
  try {
    const file = place();
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Bundlers evaluate this expression with the URL, and some copy the file for the machine they run on. */
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
  // A bundler would resolve a visible call itself.
  const { createRequire } = process.getBuiltinModule("node:module");
  const manifest = createRequire(from ?? "").resolve("@skillwright/supervisor/package.json");
  return `${dirname(manifest)}/bin/linux-${arch}/supervisor`;
}
