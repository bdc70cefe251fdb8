import { oneTimeSignIn } from "./one-time-sign-in.js";
import { openAddress } from "./open-address.js";
import { webPage } from "./web-page.js";

/** A server whose token signs in the one user of this machine, such as `agentServer` without `authenticate`. */
interface LocalServer {
  readonly token: string | undefined;
  fetch(request: Request): Promise<Response>;
}

/** The page together with its server. */
export interface LocalPage {
  /** Answers requests for the page itself, and passes all others to the server. */
  fetch(request: Request): Promise<Response>;
  /** Returns the address of the page with the token, for a server that listens at `address`. Whoever opens it is signed in. */
  addressAt(address: string): string;
  /**
   * Opens the page in the user's browser and signs the user in. Returns false, and opens nothing, where no browser can be seen: without a
   * terminal on standard output, in an SSH session, on a CI machine, and on Linux without a display.
   */
  open(address: string): Promise<boolean>;
}

/**
 * Adds the page to a server. The address that `open` gives to the browser does not contain the token, because other users of the machine
 * can read the arguments of programs; it signs in once, within a minute.
 * @throws Error as `webPage`.
 */
export function localPage(server: LocalServer): LocalPage {
  const { token = "" } = server;
  const files = webPage();
  const signIn = oneTimeSignIn(token);
  return {
    fetch: async (request) => signIn.answer(request) ?? files(request) ?? (await server.fetch(request)),
    addressAt: (address) => `${address}/#token=${token}`,
    open: (address) => openAddress(`${address}/${signIn.path}`),
  };
}
