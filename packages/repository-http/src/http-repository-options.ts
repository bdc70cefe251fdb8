import type { ArchiveOpener, OpenedArchiveLimits, Secret } from "@skillwright/core";

/** The addresses of a host, each an IPv4 or IPv6 literal. Rejects where there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface HttpLimits extends OpenedArchiveLimits {
  /** Bytes of an index; 4 MiB by default. */
  readonly indexBytes: number;
  /** Skills of an index; 2,000 by default. What is beyond is left out and told. */
  readonly entries: number;
  /** Bytes of files that are kept in memory; 64 MiB by default. What goes is fetched again when it is asked for. */
  readonly keptBytes: number;
}

export interface HttpRepositoryOptions {
  /**
   * An archive, a SKILL.md or an index; an address that ends in `/` means the index below it, such as
   * `https://example.com/`. Credentials in it are sent as basic authorization and shown to nobody, its query neither.
   */
  readonly url: string;
  /** Needed for archives: `openArchive` of `@skillwright/archive`. */
  readonly openArchive?: ArchiveOpener | undefined;
  /** Sent to the url's own origin alone, and not after a redirect has left it. */
  readonly headers?: Readonly<Record<string, string | Secret>> | undefined;
  /** `sha256:` and 64 hexadecimal digits: of the raw bytes that the url gives, checked before they are used. */
  readonly digest?: string | undefined;
  /** Origins that redirects and the entries of an index may lead to, besides the url's own; any by default. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Lets `http://` pass. False by default. */
  readonly allowHttp?: boolean | undefined;
  /**
   * Lets the url's own origin, and those in `allowOrigins`, be at addresses that are private, loopback, link-local or
   * otherwise not public. Any other origin, such as a redirect's, needs a public one in any case. False by default.
   */
  readonly allowPrivate?: boolean | undefined;
  /** Certificates, as PEM, that are trusted in place of Node's own. */
  readonly certificateAuthorities?: string | readonly string[] | undefined;
  /** How long one download may take, redirects included; 120,000 (two minutes) by default. */
  readonly timeoutMs?: number | undefined;
  /** How long a server may be silent before and within an answer, to about a second; 30,000 by default. */
  readonly silenceMs?: number | undefined;
  /** 32 MiB for a download; 512 files, 16 MiB, 1 MiB for SKILL.md; and see `HttpLimits`. */
  readonly limits?: Partial<HttpLimits> | undefined;
  /**
   * Names of directories in a skill whose content is not part of it, which is told. `node_modules`, `.venv`, `venv` and
   * `__pycache__` by default.
   */
  readonly leaveOut?: readonly string[] | undefined;
  /** Asked in place of the system for the addresses of a host. What it gives is checked all the same. */
  readonly resolve?: ResolveHost | undefined;
}
