import type { CallOptions } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import { readReport } from "@skillwright/supervisor";
import { FIRST } from "../pod/pod-manifest.js";
import { SUPERVISOR } from "../pod/pod-names.js";
import { notStarted } from "./run-outcome.js";
import type { RunStreams } from "./run-streams.js";

/** Starts a program without effect where commands run. @throws SkillError `BACKEND_FAILED` where it cannot. */
export async function answers(streams: RunStreams, options: CallOptions): Promise<void> {
  const stream = await streams.open(options);
  let report = "";
  const { ended } = stream.start({
    arguments: ["run", "--report", "3", "--first", FIRST, "--", SUPERVISOR, "--version"],
    inputs: [],
    onBytes: (descriptor, bytes) => {
      if (descriptor === 3) report += Buffer.from(bytes).toString("latin1");
    },
  });
  await untilAborted(ended, options.signal);
  const { failed, ended: end } = readReport(report);
  if (failed || !end) throw notStarted({ step: "first", errno: 0, ...failed, said: "" }, ".");
}
