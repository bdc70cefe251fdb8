import type { Secret } from "@skillwright/core";

/** Step of bringing an image, layer by layer. */
export interface PullProgress {
  readonly image: string;
  /** In the engine's words: `Downloading`, `Pull complete`. */
  readonly status: string;
  readonly layer?: string | undefined;
  /** Bytes of the layer, where the engine says them. */
  readonly current?: number | undefined;
  readonly total?: number | undefined;
}

/** Who the engine is at the image's registry. */
export interface RegistryCredentials {
  readonly username: string;
  readonly password: string | Secret;
  /** Default the registry in the image's name. */
  readonly server?: string | undefined;
}

/** The image of containers where none is asked for. */
export const DEFAULT_IMAGE = "node:22-bookworm-slim";

export interface ImageOptions {
  /** A reference as in `docker run`. Default `node:22-bookworm-slim`; any image with a POSIX shell works. */
  readonly image?: string | undefined;
  /**
   * `missing` (default): brought when the engine has it not. `never`. `always`: the registry is asked for a newer one the first
   * time this runtime makes a workspace.
   */
  readonly pull?: "missing" | "never" | "always" | undefined;
  readonly onPull?: ((progress: PullProgress) => void) | undefined;
  /** For a registry that asks; the Docker CLI's own log-ins are not read. */
  readonly auth?: RegistryCredentials | undefined;
}
