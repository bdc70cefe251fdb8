import type { Diagnostic } from "@skillwright/core";

const SHOWN_PER_CODE = 20;

/**
 * The diagnostics of one run. The first 20 of each code are kept and the others counted, so that 10,000 links stay
 * readable.
 */
export interface DiagnosticList {
  add(diagnostic: Diagnostic): void;
  all(): readonly Diagnostic[];
}

export function diagnosticList(): DiagnosticList {
  const kept: Diagnostic[] = [];
  const counts = new Map<string, number>();

  function add(diagnostic: Diagnostic): void {
    const count = (counts.get(diagnostic.code) ?? 0) + 1;
    counts.set(diagnostic.code, count);
    if (count <= SHOWN_PER_CODE) kept.push(diagnostic);
  }

  function all(): readonly Diagnostic[] {
    return [...kept, ...[...counts].flatMap(([code, count]) => more(code, count - SHOWN_PER_CODE))];
  }

  function more(code: string, count: number): readonly Diagnostic[] {
    const last = kept.findLast((diagnostic) => diagnostic.code === code);
    if (count <= 0 || !last) return [];
    const { severity, hint } = last;
    return [{ code, severity, message: `The same applies to ${count} more, which are not listed.`, hint }];
  }

  return { add, all };
}
