import type Dockerode from "dockerode";

/** What of an image matters here. */
export interface ImageFacts {
  /** As it was asked for. */
  readonly reference: string;
  readonly id: string;
  /** The names of its variables, none of which a command is to see. */
  readonly variables: readonly string[];
  readonly programPath: string;
  /** Where it asks for volumes, which would be writable and without bound. */
  readonly volumes: readonly string[];
  /** Of its programs, in Node's words. */
  readonly arch: string;
}

/** What engines take where an image says nothing. */
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
