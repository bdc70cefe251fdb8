/** Tells a reader of server-sent events how to go on; readers of the AI SDK ignore comments. */
const CLOSING = ": the server is being closed; continue after the last id\nretry: 1000\n\n";

/**
 * Passes a stream of events on until its end. Where the server is closed before, the stream ends after a whole event and
 * without `[DONE]`, so that its reader continues elsewhere from the last id.
 * @param isOver Whether the stream ends by itself, and is passed on to its end although the server is being closed.
 */
export function untilClosing(
  stream: ReadableStream<Uint8Array>,
  closing: AbortSignal,
  isOver: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let told = () => undefined as unknown;
  const closed = new Promise<"closed" | "over">((resolve) => {
    told = () =>
      void isOver().then(
        (over) => resolve(over ? "over" : "closed"),
        () => resolve("closed"),
      );
    if (closing.aborted) told();
    else closing.addEventListener("abort", told, { once: true });
  });
  const leave = () => closing.removeEventListener("abort", told);

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const reading = reader.read();
      const first = await Promise.race([reading, closed]);
      if (first === "closed") {
        reading.catch(() => undefined);
        await reader.cancel().catch(() => undefined);
        controller.enqueue(new TextEncoder().encode(CLOSING));
        controller.close();
        return;
      }
      const { done, value } = first === "over" ? await reading : first;
      if (value) controller.enqueue(value);
      if (!done) return;
      leave();
      controller.close();
    },
    async cancel(reason) {
      leave();
      await reader.cancel(reason);
    },
  });
}
