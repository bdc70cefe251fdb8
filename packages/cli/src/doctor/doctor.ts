import type { CliContext } from "../cli-context.js";
import { checkMachine } from "./check-machine.js";
import { checkPods } from "./check-pods.js";
import { checkSkills } from "./check-skills.js";
import { doctorText, isReady } from "./doctor-text.js";

export interface DoctorFlags {
  readonly skills?: readonly string[];
  readonly runtime?: "kubernetes";
  readonly json?: true;
}

/** Returns false if the machine lacks something that every skill needs. */
export async function doctor(
  { skills = [], runtime, json }: DoctorFlags,
  context: CliContext,
): Promise<boolean> {
  const cluster = runtime === undefined ? [] : await checkPods(context);
  const machine = [...(await checkMachine(context.signal)), ...cluster];
  const { findings: places, needs } = await checkSkills(context, skills);
  const ready = isReady([...machine, ...places]);
  if (json) context.printJson({ ready, machine, places, needs });
  else context.print(...doctorText(machine, places, context.style));
  return ready;
}
