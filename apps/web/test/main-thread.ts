import type { Page } from "playwright-core";

/** How long tasks kept the page from reacting to its user. */
export interface Tasks {
  /** Measured by the clock: other programs on the machine make it longer. */
  readonly longestTaskMs: number;
  readonly tasksOver50Ms: number;
  /** What the tasks themselves computed, whatever else runs on the machine. */
  readonly longestTaskCpuMs: number;
  readonly tasksOver50CpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** From now on, the tasks of the page's main thread are measured, until the returned function is called. */
export async function watchTasks(page: Page): Promise<() => Promise<Tasks>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
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

function measured(events: readonly TraceEvent[]): Tasks {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const main = new Set(events.filter(({ args }) => args.name === "CrRendererMain").map(threadOf));
  const tasks = events.filter(
    (event) => event.ph === "X" && event.name.endsWith("RunTask") && main.has(threadOf(event)),
  );
  const longest = (times: readonly number[]) => times.reduce((most, time) => Math.max(most, time), 0);
  const over50 = (times: readonly number[]) => times.filter((time) => time > 50).length;
  const clock = tasks.map(({ dur = 0 }) => Math.round(dur / 1000));
  const cpu = tasks.map(({ tdur = 0 }) => Math.round(tdur / 1000));
  return {
    ...{ longestTaskMs: longest(clock), tasksOver50Ms: over50(clock) },
    ...{ longestTaskCpuMs: longest(cpu), tasksOver50CpuMs: over50(cpu) },
  };
}
