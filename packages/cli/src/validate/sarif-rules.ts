import type { Diagnostic, Severity } from "@skillwright/core";
import { lintRules } from "@skillwright/lint";

export const SARIF_LEVELS = { error: "error", warning: "warning", info: "note" } as const satisfies Record<
  Severity,
  string
>;

export interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string };
  readonly defaultConfiguration: { readonly level: (typeof SARIF_LEVELS)[Severity] };
  readonly properties: { readonly tags: readonly string[] };
}

export interface SarifRules {
  /** Returns the index of the finding's rule. */
  use(finding: Diagnostic): number;
  all(): readonly SarifRule[];
}

/** All rules of the linter if it was used; rules about the form of SKILL.md are added when they occur. */
export function sarifRules(lint: boolean): SarifRules {
  const rules: SarifRule[] = lint
    ? lintRules.map(({ id, severity, title, help }) => rule(id, severity, title, help))
    : [];
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    use({ code, severity, hint }) {
      const known = indexes.get(code);
      if (known !== undefined) return known;
      indexes.set(code, rules.length);
      return rules.push(rule(code, severity, inWords(code), hint)) - 1;
    },
    all: () => rules,
  };
}

function rule(id: string, severity: Severity, title: string, help: string): SarifRule {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: help },
    defaultConfiguration: { level: SARIF_LEVELS[severity] },
    properties: { tags: [id.startsWith("SEC-") ? "security" : "correctness"] },
  };
}

/** Converts `name.directory-mismatch` to `Name: directory mismatch`. */
function inWords(code: string): string {
  const [subject = "", ...rest] = code.replaceAll("-", " ").split(".");
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}${rest.length > 0 ? `: ${rest.join(" ")}` : ""}`;
}
