import type { Launch, LaunchRequest } from "./launch.js";
import { launchSupervised, type SupervisedCommand } from "./launch-supervised.js";
import type { OutputPipes } from "./output-pipes.js";

/** Starts a command with all rights of this user, in its own session. */
export async function launchPlain(
  request: LaunchRequest,
  { supervisor, pipes }: { supervisor: string; pipes: OutputPipes },
): Promise<Launch> {
  const launch = await launchSupervised(plainCommand(request, supervisor), pipes);
  return { ...launch, inside: async () => undefined };
}

/** What the supervisor is told in order to start the command itself. */
export function plainCommand(
  { argv, cwd, env, input, timeoutMs, limits }: LaunchRequest,
  supervisor: string,
): SupervisedCommand {
  const options = ["--session", ...limits.each.flatMap((limit) => ["--limit", limit])];
  return { supervisor, options, argv, cwd, env, input, timeoutMs };
}
