import { structuredPatch } from "diff";
import { texts } from "../texts/index.js";
import { printable } from "../ui/printable.js";
import { count } from "../ui/words.js";

const MOST_LINES = 2000;

/** Two texts line by line, with three lines around each change. */
export default function TextDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 3, timeout: 2000 }) ?? {
    hunks: [],
  };
  if (before === after) return <p className="text-sm text-soft">{texts.previews.same}</p>;
  const lines = hunks.flatMap(({ oldStart, newStart, lines: of }) => [
    `@@ ${texts.previews.hunk(oldStart, newStart)}`,
    ...of,
  ]);
  return (
    <pre
      tabIndex={0}
      className="mt-1 max-h-96 overflow-auto rounded-lg border border-line bg-page py-1 font-mono text-xs"
    >
      {lines.slice(0, MOST_LINES).map((line, index) => (
        <div key={index} className={`w-max min-w-full px-3 whitespace-pre ${lookOf(line)}`}>
          <bdi>{printable(line)}</bdi>
        </div>
      ))}
      {lines.length > MOST_LINES && (
        <div className="px-3 text-soft">{count(lines.length - MOST_LINES, texts.previews.moreLines)}</div>
      )}
      {hunks.length === 0 && <div className="px-3 text-soft">{texts.previews.tooDifferent}</div>}
    </pre>
  );
}

function lookOf(line: string): string {
  if (line.startsWith("+")) return "bg-good/15";
  if (line.startsWith("-")) return "bg-bad/15";
  return line.startsWith("@@") ? "text-soft" : "";
}
