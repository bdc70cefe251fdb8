import type { Secret } from "@skillwright/core";
import type { ArchiveOpener, OpenedArchiveLimits } from "./archive-opener.js";

/** Resolves a host to its addresses, as IPv4 or IPv6 literals. Rejects where there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface HttpLimits extends OpenedArchiveLimits {
  /** Maximum bytes of an index. Defaults to 4 MiB. */
  readonly indexBytes: number;
  /** Maximum number of skills of an index or tree. Defaults to 2,000. Further ones are left out with a diagnostic. */
  readonly entries: number;
  /** Maximum bytes of files kept in memory. Defaults to 64 MiB. Other files are fetched again on request. */
  readonly keptBytes: number;
}

export interface HttpRepositoryOptions {
  /**
   * URL of an archive of one or several skills, a SKILL.md or an index; a URL that ends in `/` means the index below it, such as
   * `https://example.com/`. Credentials in it are sent as basic authorization. Neither they nor its query are ever
   * shown.
   */
  readonly url: string;
  /** Required for archives: `openArchive` of `@skillwright/archive`. */
  readonly openArchive?: ArchiveOpener | undefined;
  /** Sent only to the URL's own origin, and not after a redirect has left it. */
  readonly headers?: Readonly<Record<string, string | Secret>> | undefined;
  /** `sha256:` and 64 hexadecimal digits: the digest of the raw bytes at the URL, verified before use. */
  readonly digest?: string | undefined;
  /** Origins that redirects and index entries may lead to, besides the URL's own. Defaults to any. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Allows `http://`. Defaults to false. */
  readonly allowHttp?: boolean | undefined;
  /**
   * Allows the URL's own origin, and those in `allowOrigins`, to have addresses that are private, loopback, link-local
   * or otherwise not public. Any other origin, such as a redirect's, must have a public address. Defaults to false.
   */
  readonly allowPrivate?: boolean | undefined;
  /**
   * What a message about a private or unencrypted address tells the user to do. Defaults to a sentence that names the
   * option.
   */
  readonly remedy?: string | undefined;
  /** PEM certificates that are trusted instead of Node's own. */
  readonly certificateAuthorities?: string | readonly string[] | undefined;
  /** Timeout of one download in milliseconds, redirects included. Defaults to 120,000 (two minutes). */
  readonly timeoutMs?: number | undefined;
  /**
   * How long a server may be silent before and within an answer, in milliseconds, with a precision of about a second.
   * Defaults to 30,000.
   */
  readonly silenceMs?: number | undefined;
  /**
   * Defaults to 32 MiB for a download; 512 files, 16 MiB in total, 1 MiB for SKILL.md of each skill; 4,096 files and 64
   * MiB for a tree of skills; see also `HttpLimits`.
   */
  readonly limits?: Partial<HttpLimits> | undefined;
  /**
   * Names of directories in a skill whose content is not part of it; a diagnostic reports it. `node_modules`, `.venv`, `venv` and
   * `__pycache__` by default.
   */
  readonly leaveOut?: readonly string[] | undefined;
  /** Resolves hosts instead of the system. Its results are checked in the same way. */
  readonly resolve?: ResolveHost | undefined;
}
