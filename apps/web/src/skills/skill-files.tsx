import { File, FileCode } from "lucide-react";
import type { SkillDetail } from "../api/answers.js";
import { texts } from "../texts/index.js";
import { bytesInWords, count } from "../ui/words.js";

interface SkillFilesProps {
  readonly files: SkillDetail["files"];
  readonly open: string;
  readonly onOpen: (path: string) => void;
}

export function SkillFiles({ files, open, onOpen }: SkillFilesProps) {
  return (
    <section aria-label={texts.files.title} className="space-y-2">
      <h2 className="font-semibold">{count(files.length, texts.ui.file)}</h2>
      <ul className="max-h-96 overflow-y-auto rounded-xl border border-line bg-raised p-1">
        {files.map(({ path, size, executable, sha256 }) => {
          const Icon = executable ? FileCode : File;
          const digest = `sha256:${sha256}`;
          return (
            <li key={path}>
              <button
                type="button"
                aria-current={path === open}
                title={`${path}\n${digest}`}
                onClick={() => onOpen(path)}
                className="flex w-full items-center gap-2 rounded-lg px-2 py-1 text-left text-sm hover:bg-panel aria-[current=true]:bg-tint"
              >
                <Icon
                  className="size-4 shrink-0 text-soft"
                  aria-label={executable ? texts.skills.executable : texts.skills.file}
                />
                <span className="sr-only">{path}</span>
                <span aria-hidden="true" className="flex min-w-0 flex-1">
                  <span className="truncate text-soft">{path.slice(0, path.lastIndexOf("/") + 1)}</span>
                  <span className="max-w-full shrink-0 truncate">
                    {path.slice(path.lastIndexOf("/") + 1)}
                  </span>
                </span>
                <span className="shrink-0 text-xs text-soft">{bytesInWords(size)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
