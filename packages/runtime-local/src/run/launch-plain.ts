import type { Launch, LaunchRequest } from "./launch.js";
import { launchSupervised } from "./launch-supervised.js";
import type { OutputPipes } from "./output-pipes.js";

/** Starts a command with all rights of this user, in its own session. */
export async function launchPlain(
  { argv, cwd, env, input, timeoutMs, limits }: LaunchRequest,
  { supervisor, pipes }: { supervisor: string; pipes: OutputPipes },
): Promise<Launch> {
  const options = ["--session", ...limits.each.flatMap((limit) => ["--limit", limit])];
  const launch = await launchSupervised({ supervisor, options, argv, cwd, env, input, timeoutMs }, pipes);
  return { ...launch, inside: async () => undefined };
}
