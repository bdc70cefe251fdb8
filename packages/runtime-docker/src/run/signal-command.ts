import type { WorkspaceContainer } from "../container/workspace-container.js";
import { shellArguments } from "../exec/shell-arguments.js";
import { startExec } from "../exec/start-exec.js";
import type { Launch } from "./launch.js";

/** Only where the process id still belongs to the run: it may have been reused. */
const SIGNAL = `while read -r key value rest; do
  if [ "$key" = Gid: ] && [ "$value" = "$2" ]; then kill -"$3" -"$1"; fi
done <"/proc/$1/status"`;

/**
 * Signals the command's process group, like a terminal. Does nothing where it has ended. @throws SkillError
 * `BACKEND_FAILED`.
 */
export async function signalCommand(
  container: WorkspaceContainer,
  { pid, group }: Pick<Launch, "pid" | "group">,
  name: "SIGINT" | "SIGTERM",
): Promise<void> {
  const { shell } = container;
  const values = [`${pid}`, `${group}`, name.slice("SIG".length)];
  const argv = [shell, ...shellArguments(container), "-c", SIGNAL, "skillwright", ...values] as const;
  const exec = await startExec(container, { argv, as: "run" });
  for await (const _ of exec.output);
}
