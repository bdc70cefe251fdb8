import type { TurnDataParts } from "@skillwright/server/client";
import { useMutation } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Download } from "lucide-react";
import { useEffect, useRef } from "react";
import { texts } from "../texts/index.js";
import { count } from "../ui/words.js";
import { LogLineView } from "./log-line-view.js";
import { saveRunLog } from "./save-run-log.js";
import { useRunLog } from "./use-run-log.js";

const LINE_PX = 19;

interface RunLogProps {
  readonly conversation: string;
  readonly run: TurnDataParts["run"];
  readonly isLive: boolean;
  readonly output: unknown;
}

/** Output of a command as it is printed. It stays at the end while one is there. */
export function RunLog({ run, output, isLive }: RunLogProps) {
  const { lines, isPart } = useRunLog(run, output);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const length = lines?.length ?? 0;
  const rows = useVirtualizer({
    count: length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 8,
    paddingStart: 8,
    paddingEnd: 8,
  });
  const saving = useMutation({ mutationFn: () => saveRunLog(run) });

  useEffect(() => {
    if (isAtEnd.current && length > 0) rows.scrollToIndex(length - 1, { align: "end" });
  }, [length, rows]);

  const isEmpty = length === 0;
  const isOver = run.state === "ended" || !isLive;
  return (
    <div className="border-t border-line bg-term text-term-ink">
      {isEmpty ? (
        <p className="px-3 py-2 font-mono text-xs text-term-soft">
          {isOver ? texts.runs.nothing : texts.runs.nothingYet}
        </p>
      ) : (
        <div
          ref={box}
          tabIndex={0}
          role="log"
          aria-label={texts.runs.output}
          aria-live="off"
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            isAtEnd.current = scrollHeight - scrollTop - clientHeight < 2 * LINE_PX;
          }}
          className="max-h-80 overflow-auto font-mono text-xs"
          style={{ height: Math.min(320, length * LINE_PX + 16) }}
        >
          <div className="relative w-max min-w-full" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map(({ index, start }) => (
              <LogLineView key={index} line={lines?.at(index)} top={start} height={LINE_PX} />
            ))}
          </div>
        </div>
      )}
      {!isEmpty && (
        <div className="flex items-center gap-3 border-t border-white/10 px-3 py-1 text-xs text-term-soft">
          <span className="flex-1">
            {count(length, texts.ui.line)}
            {isPart && texts.runs.ofResult}
          </span>
          {!isPart && (
            <button
              type="button"
              disabled={saving.isPending}
              onClick={() => saving.mutate()}
              className="flex items-center gap-1 rounded px-1 py-0.5 hover:text-term-ink"
            >
              <Download className="size-3.5" aria-hidden="true" />
              {texts.runs.save}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
