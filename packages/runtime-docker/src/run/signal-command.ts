import type { WorkspaceContainer } from "../container/workspace-container.js";
import { shellArguments } from "../exec/shell-arguments.js";
import { startExec } from "../exec/start-exec.js";
import type { Launch } from "./launch.js";

/** Only where the number still belongs to the run: by then it may be another process's. */
const SIGNAL = `while read -r key value rest; do
  if [ "$key" = Gid: ] && [ "$value" = "$2" ]; then kill -"$3" -"$1"; fi
done <"/proc/$1/status"`;

/** To the command's process group, as a terminal would. Nothing happens where it has ended. @throws SkillError `BACKEND_FAILED`. */
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
