import type { TurnDataParts } from "@skillwright/server/client";
import { useMutation } from "@tanstack/react-query";
import { Download, FileText } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { pathOf } from "../api/request.js";
import { texts } from "../texts/index.js";
import { Digest } from "../ui/badge.js";
import { IconButton } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { bytesInWords } from "../ui/words.js";
import { download } from "./download.js";

type ArtifactData = TurnDataParts["artifact"];

/** What a run made. */
export function ArtifactCards({
  conversation,
  artifacts,
}: {
  readonly conversation: string;
  readonly artifacts: readonly ArtifactData[];
}) {
  if (artifacts.length === 0) return null;
  return (
    <ul aria-label={texts.files.artifacts} className="grid grid-cols-1 gap-2 sm:grid-cols-2">
      {artifacts.map((one) => (
        <ArtifactCard key={`${one.name}@${one.version}`} conversation={conversation} of={one} />
      ))}
    </ul>
  );
}

const PreviewDialog = lazy(() => import("../previews/preview-dialog.js"));

interface ArtifactCardProps {
  readonly conversation: string;
  readonly of: ArtifactData;
}

function ArtifactCard({ conversation, of: { name, version, size, sha256, content } }: ArtifactCardProps) {
  const [isOpen, setOpen] = useState(false);
  const saving = useMutation({ mutationFn: () => download(pathOf(content), name) });
  return (
    <li className="rounded-xl border border-line bg-raised px-3 py-2 hover:border-accent">
      <div className="flex items-center gap-2">
        <FileText className="size-5 shrink-0 text-accent" aria-hidden="true" />
        <button type="button" onClick={() => setOpen(true)} className="min-w-0 flex-1 text-left">
          <span className="block truncate text-sm font-medium" title={name} dir="auto">
            <span className="sr-only">{texts.files.open} </span>
            {name}
          </span>
          <span className="flex items-center gap-2 text-xs text-soft">
            <span>{texts.files.version(version)}</span>
            <span>{bytesInWords(size)}</span>
            <Digest of={sha256} />
          </span>
        </button>
        <IconButton
          label={texts.files.download(name)}
          disabled={saving.isPending}
          onClick={() => saving.mutate()}
        >
          <Download className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      {saving.error && <Notice>{saving.error.message}</Notice>}
      {isOpen && (
        <Suspense>
          <PreviewDialog
            conversation={conversation}
            name={name}
            version={version}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </li>
  );
}
