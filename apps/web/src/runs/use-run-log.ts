import type { TurnDataParts } from "@skillwright/server/client";
import { useEffect, useRef, useState } from "react";
import { pathOf } from "../api/request.js";
import { texts } from "../texts/index.js";
import { numberInWords } from "../ui/words.js";
import { logLines } from "./log-lines.js";
import { type RunLogEvent, readRunStream } from "./run-stream.js";

export type LogLines = ReturnType<ReturnType<typeof logLines>["all"]>;

/** The output of a run: live from its own stream, or as its result has it where the server keeps that no more. */
export function useRunLog(run: TurnDataParts["run"], output: unknown) {
  const [lines, setLines] = useState<LogLines>();
  const [isPart, setPart] = useState(false);
  const result = useRef(output);
  result.current = output;
  const { output: address } = run;

  useEffect(() => {
    const ending = new AbortController();
    const log = logLines();
    let frame: number | undefined;
    // At most one look a frame, however many events there are.
    const show = () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        setLines(log.all());
      });
    };
    readRunStream(
      pathOf(address),
      (events) => {
        for (const event of events) addEvent(log, event);
        show();
      },
      ending.signal,
    ).catch(() => {
      if (ending.signal.aborted) return;
      addResult(log, result.current);
      setPart(true);
      show();
    });
    show();
    return () => {
      ending.abort();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [address]);

  return { lines, isPart };
}

function addEvent(log: ReturnType<typeof logLines>, event: RunLogEvent): void {
  const { type, stream = "stdout", text = "", bytes = 0 } = event;
  if (type === "run.output") log.add(stream, text);
  else if (type === "run.output-dropped") log.note(texts.runs.dropped(numberInWords(bytes), stream));
  else if (type === "bootstrap.started") log.note(texts.runs.preparing(event.step));
}

function addResult(log: ReturnType<typeof logLines>, output: unknown): void {
  const { stdout, stderr } = (output ?? {}) as { readonly stdout?: unknown; readonly stderr?: unknown };
  if (typeof stdout === "string") log.add("stdout", stdout);
  if (typeof stderr === "string") log.add("stderr", stderr);
}
