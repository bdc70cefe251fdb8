import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Diagnostic } from "../api/answers.js";

const LOOKS = { error: "text-bad", warning: "text-warn", info: "text-soft" };
const ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info };

/** A line that tells what went wrong, or what one should know. */
export function Notice({
  severity = "error",
  children,
}: {
  readonly severity?: Diagnostic["severity"];
  readonly children: ReactNode;
}) {
  const Icon = ICONS[severity];
  return (
    <div
      className={`flex gap-2 text-sm ${LOOKS[severity]}`}
      role={severity === "error" ? "alert" : undefined}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** A diagnostic with its place, hint and code. */
export function DiagnosticLine({ of }: { readonly of: Diagnostic }) {
  const place = of.path && (of.line === undefined ? of.path : `${of.path}:${of.line}`);
  return (
    <Notice severity={of.severity}>
      {place && <span className="font-mono text-xs">{place} </span>}
      <span className="text-ink">{of.message}</span>{" "}
      {of.hint && <span className="text-soft">{of.hint} </span>}
      <span className="font-mono text-xs text-soft">{of.code}</span>
    </Notice>
  );
}
