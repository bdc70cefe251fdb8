import type { Transport } from "@modelcontextprotocol/server";

/** Wraps the transport. `closed` settles when either side has closed it; `onClosed` is called before that. */
export function watchedTransport(
  transport: Transport,
  onClosed: () => void,
): {
  readonly wire: Transport;
  readonly closed: Promise<void>;
} {
  let tell: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const wire: Transport = {
    async start() {
      transport.onmessage = (message, extra) => wire.onmessage?.(message, extra);
      transport.onerror = (error) => wire.onerror?.(error);
      transport.onclose = () => {
        onClosed();
        wire.onclose?.();
        tell();
      };
      try {
        await transport.start();
      } catch (error) {
        tell();
        throw error;
      }
    },
    send: (message, options) => transport.send(message, options),
    async close() {
      await transport.close();
      tell();
    },
  };
  return { wire, closed };
}
