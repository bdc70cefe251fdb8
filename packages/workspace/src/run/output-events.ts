import type { RunEvent, RunOutput } from "@skillwright/core";

/** Turns pieces of output into `run.output` events whose text never breaks a character, whatever the pieces' borders. */
export function outputEvents(
  runId: string,
  emit: (event: RunEvent) => void,
): { hear(output: RunOutput): void; end(): void } {
  const decoders = { stdout: lenientDecoder(), stderr: lenientDecoder() };

  function tell(stream: RunOutput["stream"], text: string): void {
    if (text !== "") emit({ type: "run.output", runId, stream, text });
  }

  return {
    hear: ({ stream, bytes }) => tell(stream, decoders[stream].decode(bytes, { stream: true })),
    end() {
      for (const stream of ["stdout", "stderr"] as const) tell(stream, decoders[stream].decode());
    },
  };
}

function lenientDecoder() {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
