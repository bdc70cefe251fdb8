/** A version such as `0.8.0`, and the options it supports. */
export interface BubblewrapVersion {
  readonly text: string;
  /** Versions below 0.5.0 lack required options. */
  readonly usable: boolean;
  /** 0.7.0: the size of temporary file systems can be limited. */
  readonly boundedTmpfs: boolean;
  /** 0.8.0: commands can be prevented from creating user namespaces. */
  readonly disableUserNamespaces: boolean;
}

/** Parses the output of `bwrap --version`; `undefined` for any other text. */
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
