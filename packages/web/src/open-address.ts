import open from "open";

/**
 * Opens the address in the user's browser. Returns false, and opens nothing, where no browser can be seen: without a terminal, in an
 * SSH session, on a CI machine, and on Linux without a display. It does not wait for the browser.
 */
export async function openAddress(
  address: string,
  {
    env = process.env,
    isTerminal = process.stdout.isTTY,
  }: { env?: NodeJS.ProcessEnv; isTerminal?: boolean } = {},
): Promise<boolean> {
  if (!isTerminal || !hasScreen(env)) return false;
  // A machine may have no program that opens addresses.
  return await open(address).then(
    () => true,
    () => false,
  );
}

function hasScreen(env: NodeJS.ProcessEnv): boolean {
  if (env["CI"] || env["SSH_CONNECTION"]) return false;
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"] || env["WSL_DISTRO_NAME"]);
}
