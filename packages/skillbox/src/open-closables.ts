import type { Closable } from "@skillwright/core";

export interface OpenClosables extends Closable {
  /** Keeps it until it is closed, individually by the returned object or together with the others. */
  add(opened: Closable): Closable;
}

/** Everything that was opened and is still open, to be closed together. */
export function openClosables(): OpenClosables {
  const open = new Set<Closable>();

  function add(opened: Closable): Closable {
    open.add(opened);
    const end = async (): Promise<void> => {
      open.delete(opened);
      await opened.close();
    };
    return { close: end, [Symbol.asyncDispose]: end };
  }

  async function close(): Promise<void> {
    const all = [...open];
    open.clear();
    await Promise.all(all.map((opened) => opened.close()));
  }

  return { add, close, [Symbol.asyncDispose]: close };
}
