/** A version such as `0.8.0`, and which options come with it. */
export interface BubblewrapVersion {
  readonly text: string;
  /** Below 0.5.0 options are missing that cannot be done without. */
  readonly usable: boolean;
  /** 0.7.0: the temporary file systems can be bounded. */
  readonly boundedTmpfs: boolean;
  /** 0.8.0: commands cannot make user namespaces of their own. */
  readonly disableUserNamespaces: boolean;
}

/** Reads the answer to `bwrap --version`; `undefined` where it is none. */
export function bubblewrapVersion(answer: string): BubblewrapVersion | undefined {
  const match = /bubblewrap (\d+)\.(\d+)(?:\.(\d+))?/.exec(answer);
  if (!match) return undefined;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const atLeast = (wanted: number) => major > 0 || minor >= wanted;
  return {
    text: `${major}.${minor}.${patch}`,
    usable: atLeast(5),
    boundedTmpfs: atLeast(7),
    disableUserNamespaces: atLeast(8),
  };
}
