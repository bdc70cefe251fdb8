import { getSystemErrorName } from "node:util";
import type { Diagnostic, RunResult } from "@skillwright/core";
import { leaseLapsed, outcomeUnknown, spaceFull, treeNotCertain } from "./run-diagnostics.js";

/** The outcome of a command, once it is final. */
export interface RunEnd {
  /** As in shells: 128 and the signal's number for a command that a signal ended. */
  readonly exitCode: number;
  /** What ended the command: itself, its time limit, a request of its host, or something outside the run. */
  readonly endedBy: "itself" | "time" | "request" | "outside";
  /** Why the command was not started. The launcher's own message is on its standard error. */
  readonly notStarted?: string | undefined;
  /** True when it is certain that no process of the run exists any more. */
  readonly treeEnded: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** How a process ended. */
interface ProcessEnd {
  readonly how: "exit" | "signal";
  readonly number: number;
}

/** The supervisor's report, as far as it was read. `PROTOCOL.md` describes the lines. */
export interface RunReport {
  /** The supervisor's own process id. */
  readonly supervisor: number | undefined;
  /** The process that the supervisor started: the command, or bubblewrap. */
  readonly child: number | undefined;
  readonly begun: boolean;
  readonly failed: { readonly step: string; readonly errno: number } | undefined;
  /** How the command itself ended. */
  readonly ended: ProcessEnd | undefined;
  readonly launcher: ProcessEnd | undefined;
  readonly timedOut: boolean;
  /** True when no process renewed the lease of a recorded run. */
  readonly lapsed: boolean;
  /** True if the run was ended because its host is gone. */
  readonly orphaned: boolean;
  /** Who ended a recorded run. */
  readonly asked: "end" | "abort" | undefined;
  /** The error because of which output of a recorded run could not be kept. */
  readonly lost: number | undefined;
  /** How long a recorded run took, in milliseconds. */
  readonly took: number | undefined;
  /** File systems inside the sandbox that the command filled up. */
  readonly full: readonly string[];
  /** Names of the counters that rose during the run. */
  readonly reached: readonly string[];
  /** The error because of which the directory of the run could not be made. */
  readonly unmade: number | undefined;
  /** The most bytes of memory that the control group of the run had at one time. */
  readonly usedMemory: number | undefined;
  /** The CPU time of the control group of the run, in microseconds. */
  readonly usedCpu: number | undefined;
  /** False when the supervisor ended before its first line, which it writes before it starts anything. */
  readonly spoke: boolean;
  /** True when no descendant is left. */
  readonly gone: boolean;
}

const KILLED = 137;
const SIGKILL = 9;

/** Parses the complete lines of a report. A report that does not begin with this protocol is ignored. */
export function readReport(text: string): RunReport {
  const [first, ...lines] = text.split("\n").slice(0, -1);
  const isEmpty = text === "";
  const report = { ...NOTHING_TOLD, full: [], reached: [], spoke: !isEmpty, gone: isEmpty };
  if (first === "protocol 2") for (const line of lines) take(line, report);
  return report;
}

type ReadReport = { -readonly [field in keyof RunReport]: RunReport[field] } & {
  full: string[];
  reached: string[];
};

const NOTHING_TOLD = {
  supervisor: undefined,
  child: undefined,
  begun: false,
  failed: undefined,
  ended: undefined,
  launcher: undefined,
  timedOut: false,
  lapsed: false,
  orphaned: false,
  asked: undefined,
  lost: undefined,
  took: undefined,
  unmade: undefined,
  usedMemory: undefined,
  usedCpu: undefined,
} satisfies Partial<RunReport>;

/** Where a line is there twice, the first one counts. */
function take(line: string, report: ReadReport): void {
  const [word = "", what = "", value] = line.split(" ");
  if (word === "supervisor" || word === "child" || word === "lost" || word === "took" || word === "unmade")
    report[word] ??= Number(what);
  else if (word === "ended" || word === "launcher") report[word] ??= processEnd(what, value);
  else if (word === "full" || word === "reached") report[word].push(line.slice(word.length + 1));
  else if (word === "failed") report.failed ??= { step: what, errno: Number(value) };
  else if (line === "begun" || line === "gone") report[line] = true;
  else if (line === "limit time") report.timedOut = true;
  else if (line === "limit lease") report.lapsed = true;
  else if (line === "limit host") report.orphaned = true;
  else if (line === "asked abort") report.asked = "abort";
  else if (line === "asked end") report.asked ??= "end";
  else if (word === "used" && what === "memory") report.usedMemory ??= Number(value);
  else if (word === "used" && what === "cpu") report.usedCpu ??= Number(value);
}

/** What the run used, as far as it was counted. */
export function usageOf({
  usedMemory,
  usedCpu,
}: Pick<RunReport, "usedMemory" | "usedCpu">): Pick<RunResult, "peakMemoryBytes" | "cpuMs"> {
  return {
    ...(usedMemory !== undefined && { peakMemoryBytes: usedMemory }),
    ...(usedCpu !== undefined && { cpuMs: usedCpu / 1000 }),
  };
}

function processEnd(how: string, number: string | undefined): ProcessEnd | undefined {
  return how === "exit" || how === "signal" ? { how, number: Number(number) } : undefined;
}

/**
 * Interprets a complete report.
 * @param asked True where this process asked the supervisor to end the run.
 */
export function endOf(report: RunReport, asked: boolean): RunEnd {
  const { gone, ended, full } = report;
  const tree = {
    treeEnded: gone,
    diagnostics: [...(gone ? [] : [treeNotCertain]), ...full.map(spaceFull)],
  };
  const stopped = report.timedOut ? "time" : asked ? "request" : undefined;
  const isLeft = report.lapsed || report.orphaned;
  if (ended && !((stopped || isLeft) && isKill(ended)))
    return { ...tree, exitCode: codeOf(ended), endedBy: "itself" };
  if (stopped) return { ...tree, exitCode: KILLED, endedBy: stopped };
  if (report.lapsed)
    return { ...tree, exitCode: KILLED, endedBy: "outside", diagnostics: [...tree.diagnostics, leaseLapsed] };
  const notStarted = report.orphaned ? undefined : whyNotStarted(report);
  const diagnostics = [...tree.diagnostics, ...(notStarted === undefined ? [outcomeUnknown(gone)] : [])];
  return { ...tree, exitCode: KILLED, endedBy: "outside", notStarted, diagnostics };
}

function isKill({ how, number }: ProcessEnd): boolean {
  return how === "signal" && number === SIGKILL;
}

/** The exit code as in shells. */
function codeOf({ how, number }: ProcessEnd): number {
  return how === "exit" ? number : 128 + number;
}

/** `undefined` when the command may have been started. */
function whyNotStarted({ spoke, begun, failed, launcher }: RunReport): string | undefined {
  if (!spoke) return "its supervisor ended before it";
  if (failed) return `the step "${failed.step}" failed with ${getSystemErrorName(-failed.errno)}`;
  return !begun && launcher?.how === "exit" ? "bubblewrap could not set up its sandbox" : undefined;
}
