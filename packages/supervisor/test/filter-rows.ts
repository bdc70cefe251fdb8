import { readFileSync } from "node:fs";
import { constants } from "node:os";

export type Architecture = "x64" | "arm64";
export type Filter = "online" | "offline";

/** One row of the table from which the filter is compiled. */
export interface FilterRow {
  readonly name: string;
  readonly numbers: Readonly<Record<Architecture, number>>;
  readonly filter: "BOTH" | "ONLINE" | "OFFLINE";
  readonly test: "ALWAYS" | "EQUALS" | "ANY_BIT";
  readonly argument: number;
  readonly operand: number;
  /** The error of the call, 0 if it is permitted. */
  readonly answer: number;
}

const text = readFileSync(new URL("../native/calls.def", import.meta.url), "utf8");
const row =
  /^CALL\((\w+), (\d+), (\d+), (BOTH|ONLINE|OFFLINE), (ALWAYS|EQUALS|ANY_BIT), (\d), (\w+), (\w+)\)$/gm;

export const filterRows: readonly FilterRow[] = [...text.matchAll(row)].map(
  ([, name = "", x64, arm64, filter, test, argument, operand, answer = ""]) => ({
    name,
    numbers: { x64: Number(x64), arm64: Number(arm64) },
    filter: filter as FilterRow["filter"],
    test: test as FilterRow["test"],
    argument: Number(argument),
    operand: Number(operand),
    answer: answer === "PERMIT" ? 0 : constants.errno[answer as keyof typeof constants.errno],
  }),
);

/** The number of lines of the table that look like a row, whether or not they were parsed. */
export const rowsWritten = text.match(/^CALL\(/gm)?.length;

/** Arguments that match the row; no such call would do harm in the kernel. */
export function matchingArguments({ name, test, argument, operand }: FilterRow): number[] {
  const args = name === "kill" || name === "socket" ? [63, 0, 0] : [-1, -1, -1, -1, -1];
  if (name === "kill" || /priority|ioprio/.test(name)) args.fill(0);
  return test === "ALWAYS" ? args : args.with(argument, operand);
}
