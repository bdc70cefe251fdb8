import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Diagnostic, Isolation, RunLimits, RunResult } from "@skillwright/core";

/** What is known about a run before it begins, recorded out of its reach. */
export interface RunRecord {
  readonly formatVersion: 1;
  readonly runId: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** As in the command; missing where no more than `maxOutputBytes` is recorded. */
  readonly liveOutputBytes?: number | undefined;
  readonly leaseMs: number;
  readonly isolation: Isolation;
  /** The limits that are enforced for the run. */
  readonly limits: RunLimits;
  readonly diagnostics: readonly Diagnostic[];
}

/** The outcome without the output, as the process that started the run determined it. */
export type RecordedOutcome = Omit<RunResult, "stdout" | "stderr">;

export function writeRunRecord(directory: string, record: RunRecord): void {
  writeFileSync(`${directory}/run.json`, JSON.stringify(record), { flag: "wx", mode: 0o600 });
}

export function readRunRecord(directory: string): RunRecord {
  return JSON.parse(readFileSync(`${directory}/run.json`, "utf8"));
}

/** A full disk or a workspace that is being destroyed may prevent it; the report has the outcome too. */
export function writeOutcome(directory: string, outcome: RecordedOutcome): void {
  writeWhole(directory, "outcome.json", outcome);
}

export function readOutcome(directory: string): RecordedOutcome | undefined {
  try {
    return JSON.parse(readFileSync(`${directory}/outcome.json`, "utf8"));
  } catch {
    return undefined;
  }
}

/** Writes a value so that others read all of it or nothing. What prevents it is ignored. */
export function writeWhole(directory: string, name: string, value: unknown): void {
  const fresh = `${directory}/${name}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(fresh, JSON.stringify(value), { flag: "wx", mode: 0o600 });
    renameSync(fresh, `${directory}/${name}`);
  } catch {
    // This process has the value. Others read the record as it was.
  }
}
