import { lazy, Suspense } from "react";
import type { ApprovalDetail } from "../api/answers.js";
import { texts } from "../texts/index.js";
import { Badge } from "../ui/badge.js";
import { count } from "../ui/words.js";

const TextDiff = lazy(() => import("../previews/text-diff.js"));

type ChangedFile = ApprovalDetail["files"][number];

interface FilesProps {
  readonly files: readonly ChangedFile[];
}

/** What changed in a skill since it was approved. */
export function ChangedFiles({ files }: FilesProps) {
  if (files.length === 0) return <p className="text-sm text-soft">{texts.approvals.unchangedFiles}</p>;
  return (
    <Files
      files={files}
      title={count(files.length, texts.approvals.changedSince)}
      withoutOld={texts.approvals.withoutApproved}
    />
  );
}

/** What would be written. */
export function WrittenFiles({ files }: FilesProps) {
  if (files.length === 0) return null;
  return (
    <Files
      files={files}
      title={count(files.length, texts.approvals.toBeWritten)}
      withoutOld={texts.approvals.withoutOld}
    />
  );
}

function Files({
  files,
  title,
  withoutOld,
}: FilesProps & { readonly title: string; readonly withoutOld: string }) {
  return (
    <div className="space-y-2">
      <h4 className="text-sm font-medium">{title}</h4>
      <ul className="space-y-1.5">
        {files.map((file) => (
          <li key={file.path}>
            <Changed file={file} withoutOld={withoutOld} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Changed({
  file: { path, change, before, after },
  withoutOld,
}: {
  readonly file: ChangedFile;
  readonly withoutOld: string;
}) {
  const head = (
    <>
      <Badge look={LOOKS[change]}>{texts.approvals.changes[change]}</Badge>{" "}
      <span className="font-mono text-xs">{path}</span>
    </>
  );
  const isKept =
    (change === "added" || before !== undefined) && (change === "removed" || after !== undefined);
  if (!isKept)
    return (
      <p className="text-sm">
        {head}{" "}
        <span className="text-xs text-soft">{after === undefined ? texts.approvals.noText : withoutOld}</span>
      </p>
    );
  return (
    <details open>
      <summary className="text-sm">{head}</summary>
      <Suspense fallback={<p className="text-sm text-soft">{texts.previews.comparing}</p>}>
        <TextDiff before={before ?? ""} after={after ?? ""} />
      </Suspense>
    </details>
  );
}

const LOOKS = { added: "good", changed: "warn", removed: "bad" } as const;
