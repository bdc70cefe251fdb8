import { oneTimeSignIn } from "./one-time-sign-in.js";
import { openAddress } from "./open-address.js";
import { webPage } from "./web-page.js";

/** The page beside a server for this machine's user. */
export interface LocalPage {
  /** Answers a request for the page. `undefined` for all others, which belong to the server. */
  answer(request: Request): Response | undefined;
  /** The address that signs in, to be printed, where the server listens at `address`. */
  addressAt(address: string): string;
  /**
   * Opens the page, signed in, in the user's browser. Returns false where no browser can be seen: without a terminal on standard
   * output, in an SSH session, on a CI machine, and on Linux without a display.
   */
  open(address: string): Promise<boolean>;
}

/**
 * The page for the user with this token, such as that of `agentServer` without `authenticate`. The address that `open` gives to the
 * browser does not contain the token, because other users can read the arguments of programs: it signs in once, within a minute.
 * @throws Error as `webPage`.
 */
export function localPage(token: string): LocalPage {
  const files = webPage();
  const signIn = oneTimeSignIn(token);
  return {
    answer: (request) => signIn.answer(request) ?? files(request),
    addressAt: (address) => `${address}/#token=${token}`,
    open: (address) => openAddress(`${address}/${signIn.path}`),
  };
}
