import type Dockerode from "dockerode";

/** The relevant properties of an image. */
export interface ImageFacts {
  /** The reference as requested. */
  readonly reference: string;
  readonly id: string;
  /** Names of its variables, which are hidden from commands. */
  readonly variables: readonly string[];
  readonly programPath: string;
  /** Paths of volumes that it requests, which would be writable without limits. */
  readonly volumes: readonly string[];
  /** Architecture of its programs, by Node's names. */
  readonly arch: string;
}

/** The PATH that engines use where an image defines none. */
export const PROGRAM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export function imageFacts(
  reference: string,
  { Id: id, Config: config, Architecture: architecture }: Dockerode.ImageInspectInfo,
): ImageFacts {
  const variables = (config?.Env ?? []).map((variable) => splitVariable(variable));
  const path = variables.find(([name]) => name === "PATH")?.[1];
  return {
    reference,
    id,
    variables: variables.map(([name]) => name),
    programPath: path || PROGRAM_PATH,
    volumes: Object.keys(config?.Volumes ?? {}),
    arch: architecture === "amd64" ? "x64" : String(architecture),
  };
}

function splitVariable(variable: string): readonly [name: string, value: string] {
  const at = variable.indexOf("=");
  return at === -1 ? [variable, ""] : [variable.slice(0, at), variable.slice(at + 1)];
}
