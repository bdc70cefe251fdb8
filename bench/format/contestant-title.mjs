import { peerVersion } from "./install-peers.mjs";

/** The name of a contestant in the tables: package, version, call; ours in bold. */
export function contestantTitle({ from, title, call, note }) {
  if (!from) return `**${title}**`;
  const name = `${title ?? from} ${peerVersion(from)}`;
  return [name, call, note && `(${note})`].filter(Boolean).join(" ");
}
