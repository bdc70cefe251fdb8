import type { TurnDataParts } from "@skillwright/server/client";
import { pathOf } from "../api/request.js";
import { save } from "../files/download.js";
import { texts } from "../texts/index.js";
import { readRunStream } from "./run-stream.js";

/** Saves all that the server keeps of a run's output, also what the page does not show. */
export async function saveRunLog({ output, callId }: TurnDataParts["run"]): Promise<void> {
  const parts: string[] = [];
  await readRunStream(
    pathOf(output),
    (events) => {
      for (const { type, text = "", bytes = 0, stream = "stdout" } of events)
        if (type === "run.output") parts.push(text);
        else if (type === "run.output-dropped") parts.push(`\n${texts.runs.droppedInFile(bytes, stream)}\n`);
    },
    new AbortController().signal,
  );
  save(new Blob(parts, { type: "text/plain" }), `${callId}.log`);
}
