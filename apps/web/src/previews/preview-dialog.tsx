import { useMutation, useQuery } from "@tanstack/react-query";
import { Download, X } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { artifactVersionsQuery } from "../api/queries.js";
import { request } from "../api/request.js";
import { download } from "../files/download.js";
import { texts } from "../texts/index.js";
import { Digest } from "../ui/badge.js";
import { Button, IconButton } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { Skeleton } from "../ui/skeleton.js";
import { bytesInWords } from "../ui/words.js";
import { ComparedVersions } from "./compared-versions.js";
import { ContentView } from "./content-view.js";
import { PartChoice } from "./part-choice.js";
import { type PreviewKind, previewKind } from "./preview-kind.js";

interface PreviewDialogProps {
  readonly conversation: string;
  readonly name: string;
  readonly version: number;
  readonly onClose: () => void;
}

const MOST_BYTES = 200_000_000;
/** The most bytes of a text that are read at once. */
const PART_BYTES = 8_000_000;
const KINDS_IN_PARTS: readonly PreviewKind[] = ["text", "json", "markdown"];

/** An artifact over the page: one of its versions, or two compared. */
export default function PreviewDialog({ conversation, name, version: opened, onClose }: PreviewDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { data: versions } = useQuery(artifactVersionsQuery(conversation, name));
  const [version, setVersion] = useState(opened);
  const [other, setOther] = useState<number>();
  const shown = versions?.find((one) => one.version === version);
  const pathOf = (of: number) =>
    `/conversations/${conversation}/artifacts/content?name=${encodeURIComponent(name)}&version=${of}`;
  const kind = previewKind(name, shown?.mimeType ?? "");
  const size = shown?.size ?? 0;
  const isPart = KINDS_IN_PARTS.includes(kind) && size > PART_BYTES;
  const isTooLarge = size > MOST_BYTES && !isPart;
  const [end, setEnd] = useState<"first" | "last">("first");
  const range = isPart ? (end === "first" ? `bytes=0-${PART_BYTES - 1}` : `bytes=-${PART_BYTES}`) : undefined;
  const content = useQuery({
    queryKey: ["content", conversation, name, version, range],
    queryFn: async ({ signal }) =>
      new Uint8Array(await (await request(pathOf(version), { range, signal })).arrayBuffer()),
    enabled: shown !== undefined && !isTooLarge,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const saving = useMutation({ mutationFn: () => download(pathOf(version), name) });
  useEffect(() => dialog.current?.showModal(), []);
  const error = content.error ?? saving.error;
  return (
    <dialog
      ref={dialog}
      aria-label={texts.previews.label(name)}
      onClose={onClose}
      className="m-auto h-[92vh] max-h-none w-[min(96vw,70rem)] max-w-none overflow-hidden rounded-2xl border border-line bg-raised p-0 text-ink backdrop:bg-black/50"
    >
      <div className="flex h-full flex-col">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
          <div className="min-w-0 flex-1">
            <h2 className="truncate font-semibold" dir="auto" title={name}>
              {name}
            </h2>
            {shown && (
              <p className="flex gap-2 text-xs text-soft">
                <span>{bytesInWords(shown.size)}</span>
                <span>{shown.mimeType}</span>
                <Digest of={shown.sha256} />
              </p>
            )}
          </div>
          <VersionChoice
            label={texts.previews.version}
            chosen={version}
            of={versions ?? []}
            onChoose={setVersion}
          />
          {versions && versions.length > 1 && (
            <VersionChoice
              label={texts.previews.compareWith}
              chosen={other}
              of={versions.filter((one) => one.version !== version)}
              onChoose={setOther}
              onNone={() => setOther(undefined)}
            />
          )}
          <Button disabled={saving.isPending} onClick={() => saving.mutate()}>
            <Download className="size-4" aria-hidden="true" />
            <span className="hidden sm:inline">{texts.previews.download}</span>
          </Button>
          <IconButton label={texts.previews.close} onClick={() => dialog.current?.close()}>
            <X className="size-5" aria-hidden="true" />
          </IconButton>
        </header>
        {isPart && <PartChoice chosen={end} bytes={PART_BYTES} size={size} onChoose={setEnd} />}
        <div className="min-h-0 flex-1">
          {error && <Notice>{error.message}</Notice>}
          {isTooLarge && <p className="p-6 text-soft">{texts.previews.tooLarge}</p>}
          <Suspense fallback={<Skeleton lines={8} className="p-6" />}>
            {other !== undefined ? (
              <ComparedVersions before={pathOf(other)} after={pathOf(version)} />
            ) : content.data ? (
              <ContentView
                kind={isPart ? "text" : kind}
                bytes={content.data}
                name={name}
                mimeType={shown?.mimeType ?? ""}
              />
            ) : (
              !isTooLarge && !error && <Skeleton lines={8} className="p-6" />
            )}
          </Suspense>
        </div>
      </div>
    </dialog>
  );
}

interface VersionChoiceProps {
  readonly label: string;
  readonly chosen: number | undefined;
  readonly of: readonly { readonly version: number; readonly createdAt: string }[];
  readonly onChoose: (version: number) => void;
  readonly onNone?: () => void;
}

function VersionChoice({ label, chosen, of, onChoose, onNone }: VersionChoiceProps) {
  return (
    <label className="flex items-center gap-1.5 text-xs text-soft">
      {label}
      <select
        value={chosen ?? ""}
        onChange={({ target }) => (target.value === "" ? onNone?.() : onChoose(Number(target.value)))}
        className="rounded-lg border border-line bg-page px-2 py-1 text-sm text-ink"
      >
        {onNone && <option value="">{texts.previews.noVersion}</option>}
        {of.map(({ version }) => (
          <option key={version} value={version}>
            {version}
          </option>
        ))}
      </select>
    </label>
  );
}
