import type { ButtonHTMLAttributes } from "react";

const LOOKS = {
  main: "bg-accent text-accent-ink hover:brightness-110 px-3 py-1.5 font-medium",
  plain: "border border-line bg-raised hover:bg-panel px-3 py-1.5",
  quiet: "text-soft hover:bg-panel hover:text-ink px-2 py-1.5",
  bad: "border border-line bg-raised text-bad hover:bg-panel px-3 py-1.5",
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof LOOKS;
}

export function Button({ look = "plain", className = "", ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-9 shrink-0 items-center justify-center gap-1.5 rounded-lg text-sm transition-colors disabled:opacity-50 ${LOOKS[look]} ${className}`}
      {...rest}
    />
  );
}

/** A button that shows an icon only; its label is what screen readers and the tooltip say. */
export function IconButton({ label, className = "", ...rest }: ButtonProps & { readonly label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-soft transition-colors hover:bg-panel hover:text-ink disabled:opacity-40 ${className}`}
      {...rest}
    />
  );
}
