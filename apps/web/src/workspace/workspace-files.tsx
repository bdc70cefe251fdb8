import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type { FileInfo } from "../api/answers.js";
import { filesQuery } from "../api/queries.js";
import { download } from "../files/download.js";
import { texts } from "../texts/index.js";
import { IconButton } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { Skeleton } from "../ui/skeleton.js";
import { bytesInWords, count } from "../ui/words.js";
import { type Folder, folderOf } from "./file-tree.js";

const PLACES = [
  { name: texts.workspace.places.files, under: undefined },
  { name: texts.workspace.places.skills, under: "skills" },
  { name: texts.workspace.places.work, under: "work" },
] as const;

/** The files of a workspace as a tree. */
export function WorkspaceFiles({ conversation }: { readonly conversation: string }) {
  const [place, setPlace] = useState<(typeof PLACES)[number]>(PLACES[0]);
  const { data, error } = useQuery(filesQuery(conversation, place.under));
  const bytes = data?.reduce((sum, { size }) => sum + size, 0) ?? 0;
  return (
    <div className="space-y-3 border-t border-line p-4">
      <div className="flex flex-wrap items-center gap-1">
        {PLACES.map((one) => (
          <button
            key={one.name}
            type="button"
            aria-pressed={one.name === place.name}
            onClick={() => setPlace(one)}
            className="rounded-lg px-2.5 py-1 text-sm hover:bg-panel aria-pressed:bg-tint aria-pressed:font-medium"
          >
            {one.name}
          </button>
        ))}
        <span className="ml-auto text-xs text-soft">
          {data && texts.workspace.filesWithSize(count(data.length, texts.ui.file), bytesInWords(bytes))}
        </span>
      </div>
      {error && <Notice>{error.message}</Notice>}
      {data?.length === 0 && <p className="text-sm text-soft">{texts.workspace.empty}</p>}
      {!data && !error && <Skeleton />}
      {data && <Tree of={folderOf(data)} conversation={conversation} />}
    </div>
  );
}

function Tree({
  of: { folders, files },
  conversation,
}: {
  readonly of: Folder;
  readonly conversation: string;
}) {
  return (
    <ul className="space-y-0.5">
      {folders.map((folder) => (
        <li key={folder.name}>
          <details open={folders.length + files.length < 20}>
            <summary className="rounded px-1 text-sm font-medium hover:bg-panel">{folder.name}/</summary>
            <div className="ml-4 border-l border-line pl-2">
              <Tree of={folder} conversation={conversation} />
            </div>
          </details>
        </li>
      ))}
      {files.map((file) => (
        <File key={file.path} of={file} conversation={conversation} />
      ))}
    </ul>
  );
}

function File({
  of: { path, size },
  conversation,
}: {
  readonly of: FileInfo;
  readonly conversation: string;
}) {
  const name = path.split("/").at(-1) ?? path;
  const saving = useMutation({
    mutationFn: () =>
      download(`/conversations/${conversation}/files/content?path=${encodeURIComponent(path)}`, name),
  });
  return (
    <li className="flex items-center gap-2 rounded px-1 text-sm hover:bg-panel">
      <span className="min-w-0 flex-1 truncate" title={path}>
        {name}
      </span>
      {saving.error && <Notice>{saving.error.message}</Notice>}
      <span className="text-xs text-soft">{bytesInWords(size)}</span>
      <IconButton label={texts.files.download(path)} className="size-7" onClick={() => saving.mutate()}>
        <Download className="size-3.5" aria-hidden="true" />
      </IconButton>
    </li>
  );
}
