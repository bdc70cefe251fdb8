import type { ReactNode } from "react";

const LOOKS = {
  plain: "border-line text-soft",
  good: "border-good/40 text-good",
  warn: "border-warn/40 text-warn",
  bad: "border-bad/40 text-bad",
  accent: "border-accent/40 text-accent",
};

export function Badge({
  look = "plain",
  title,
  children,
}: {
  readonly look?: keyof typeof LOOKS;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <span
      title={title}
      className={`inline-flex max-w-full items-center gap-1 rounded-md border px-1.5 text-xs leading-5 ${LOOKS[look]}`}
    >
      {children}
    </span>
  );
}

/** The first characters of a digest, with all of it as the tooltip. */
export function Digest({ of }: { readonly of: string }) {
  return (
    <span title={of} className="font-mono text-xs text-soft">
      {of.replace(/^sha256:/, "").slice(0, 8)}
    </span>
  );
}
