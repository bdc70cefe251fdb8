/** Counts where turns were at the kills. */
export function moments() {
  const counts = new Map();
  return {
    /** @param {readonly any[]} events what the client has read */
    add: (events) => {
      const moment = momentOf(events);
      counts.set(moment, (counts.get(moment) ?? 0) + 1);
    },
    toString: () => [...counts].map(([moment, count]) => `${count} ${moment}`).join(", "),
  };
}

/** Tells where the turn was, from the last event that the client has read. */
function momentOf(events) {
  const { type, data } = events.at(-1) ?? {};
  if (type === undefined) return "before the first event";
  if (type === "finish") return "after the end";
  if (type === "data-run") return data.state === "ended" ? "after a run" : "during a run";
  if (type === "tool-input-available") return "before a run";
  return /^(text|start)/.test(type) ? "during a call of the model" : "between steps";
}
