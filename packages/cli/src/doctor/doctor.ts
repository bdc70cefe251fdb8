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

/** Returns false where something is missing without which no skill can run. */
export async function doctor(
  { skills = [], runtime, json }: DoctorFlags,
  context: CliContext,
): Promise<boolean> {
  const cluster = runtime === undefined ? [] : await checkPods(context);
  const machine = [...(await checkMachine(context.signal)), ...cluster];
  const { findings: places, needs } = await checkSkills(context, skills);
  const ready = isReady([...machine, ...places]);
  if (json) context.print(JSON.stringify({ formatVersion: 1, ready, machine, places, needs }, undefined, 2));
  else context.print(...doctorText(machine, places, context.style));
  return ready;
}
