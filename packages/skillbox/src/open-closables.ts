import type { Closable } from "@skillwright/core";

export interface OpenClosables extends Closable {
  /** Kept until it is closed, by what this gives or together with the others. */
  add(opened: Closable): Closable;
}

/** What was opened and is still open, to be closed as one. */
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
