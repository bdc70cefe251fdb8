import type { Launch, LaunchRequest } from "./launch.js";
import { launchSupervised, type ServedMeans, type SupervisedCommand } from "./launch-supervised.js";

/** Starts a command with all rights of this user, in its own session. */
export async function launchPlain(request: LaunchRequest, means: ServedMeans): Promise<Launch> {
  const launch = await launchSupervised(plainCommand(request), means);
  return { ...launch, inside: async () => undefined };
}

/** What the supervisor is told in order to start the command itself. */
export function plainCommand({ argv, cwd, env, input, timeoutMs, limits }: LaunchRequest): SupervisedCommand {
  const options = ["--session", ...limits.each.flatMap((limit) => ["--limit", limit])];
  return { options, argv, cwd, env, input, timeoutMs };
}
