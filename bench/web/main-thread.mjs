/**
 * Measures the tasks of the page's main thread until the returned function is called. Other programs on the machine make the times by the
 * clock longer, and leave CPU times as they are.
 *
 * @param {any} page
 * @returns {Promise<() => Promise<{ longestMs: number, longestCpuMs: number, over50: number }>>}
 */
export async function watchTasks(page) {
  const session = await page.context().newCDPSession(page);
  /** @type {TraceEvent[]} */
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const includedCategories = ["toplevel", "devtools.timeline", "__metadata"];
  await session.send("Tracing.start", { traceConfig: { includedCategories }, transferMode: "ReportEvents" });
  return async () => {
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    await session.detach();
    return measured(events);
  };
}

/** @typedef {{ name: string, ph: string, pid: number, tid: number, dur?: number, tdur?: number, args: { name?: string } }} TraceEvent */

function measured(/** @type {readonly TraceEvent[]} */ events) {
  const threadOf = (/** @type {TraceEvent} */ { pid, tid }) => `${pid}/${tid}`;
  const main = new Set(events.filter(({ args }) => args.name === "CrRendererMain").map(threadOf));
  const tasks = events.filter(
    (event) => event.ph === "X" && event.name.endsWith("RunTask") && main.has(threadOf(event)),
  );
  const longest = (/** @type {number[]} */ times) =>
    Math.round(times.reduce((most, time) => Math.max(most, time), 0) / 1000);
  return {
    longestMs: longest(tasks.map(({ dur = 0 }) => dur)),
    longestCpuMs: longest(tasks.map(({ tdur = 0 }) => tdur)),
    over50: tasks.filter(({ dur = 0 }) => dur > 50_000).length,
  };
}
