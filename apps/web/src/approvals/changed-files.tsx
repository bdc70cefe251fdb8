import { lazy, Suspense } from "react";
import type { ApprovalDetail } from "../api/answers.js";
import { Badge } from "../ui/badge.js";
import { count } from "../ui/words.js";

const TextDiff = lazy(() => import("../previews/text-diff.js"));

type ChangedFile = ApprovalDetail["files"][number];

/** What changed in a skill since it was approved. */
export function ChangedFiles({ files }: { readonly files: readonly ChangedFile[] }) {
  if (files.length === 0) return <p className="text-sm text-soft">Its files are those that you approved.</p>;
  return (
    <div className="space-y-2">
      <h4 className="text-sm font-medium">{count(files.length, "file")} changed since you approved it</h4>
      <ul className="space-y-1.5">
        {files.map((file) => (
          <li key={file.path}>
            <Changed file={file} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Changed({ file: { path, change, before, after } }: { readonly file: ChangedFile }) {
  const head = (
    <>
      <Badge look={LOOKS[change]}>{change}</Badge> <span className="font-mono text-xs">{path}</span>
    </>
  );
  const isKept =
    (change === "added" || before !== undefined) && (change === "removed" || after !== undefined);
  if (!isKept)
    return (
      <p className="text-sm">
        {head}{" "}
        <span className="text-xs text-soft">
          {after === undefined ? "no text to compare" : "the text that you approved is kept no more"}
        </span>
      </p>
    );
  return (
    <details open>
      <summary className="text-sm">{head}</summary>
      <Suspense fallback={<p className="text-sm text-soft">Comparing…</p>}>
        <TextDiff before={before ?? ""} after={after ?? ""} />
      </Suspense>
    </details>
  );
}

const LOOKS = { added: "good", changed: "warn", removed: "bad" } as const;
