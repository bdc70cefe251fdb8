import { texts } from "../texts/index.js";

/** Stands in place of what is being loaded. It appears after a moment, so that what is there at once does not flash. */
export function Skeleton({
  lines = 3,
  className = "",
}: {
  readonly lines?: number;
  readonly className?: string;
}) {
  return (
    <div role="status" className={`skeleton space-y-3 ${className}`}>
      <span className="sr-only">{texts.ui.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div
          key={index}
          aria-hidden="true"
          className="h-4 rounded bg-tint"
          style={{ width: `${WIDTHS[index % WIDTHS.length]}%` }}
        />
      ))}
    </div>
  );
}

const WIDTHS = [92, 76, 84, 60];
