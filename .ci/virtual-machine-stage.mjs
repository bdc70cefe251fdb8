import { whyNoVirtualMachine } from "../scripts/virtual-machine/virtual-machine.mjs";
import { countingStage } from "./counting-stage.mjs";

/**
 * The checks on a virtual machine with systemd and control groups of version 2. Where none can be booted, a line says so.
 *
 * @returns {import("./gate.mjs").Stage["run"]}
 */
export function virtualMachineStage() {
  const checks = countingStage(process.execPath, ["test/virtual-machine/run.mjs"]);
  return async (show) => {
    const reason = whyNoVirtualMachine();
    if (reason === undefined) return await checks(show);
    show(`The checks on a virtual machine are left out: ${reason}\n`);
    return { passed: 0, failures: [], note: `left out: ${reason}` };
  };
}
