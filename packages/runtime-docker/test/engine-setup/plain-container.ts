import { Readable } from "node:stream";
import { engineRequest } from "../../../../scripts/engines/engine-request.mjs";

/** Starts a container of an image that only sleeps, with default settings, and returns its id. */
export async function startContainer(host: string, image: string, command?: string[]): Promise<string> {
  const settings = {
    Image: image,
    HostConfig: { NetworkMode: "none", Init: true },
    ...(command && { Cmd: command }),
  };
  const { Id } = await answer(host, "POST", "/containers/create", settings);
  await answer(host, "POST", `/containers/${Id}/start`);
  return Id;
}

/** The `State` of its inspection. */
export async function stateOf(host: string, id: string): Promise<{ Running: boolean; ExitCode: number }> {
  const { State } = await answer(host, "GET", `/containers/${id}/json`);
  return State;
}

/** Runs a command in a new container and removes it. */
export async function exitCodeOf(host: string, image: string, command: string[]): Promise<number> {
  const id = await startContainer(host, image, command);
  try {
    const { StatusCode } = await answer(host, "POST", `/containers/${id}/wait`);
    return StatusCode;
  } finally {
    await answer(host, "DELETE", `/containers/${id}?force=1`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the engine answers
async function answer(host: string, method: string, path: string, body?: object): Promise<any> {
  const { status, text } = await engineRequest(host, method, path, {
    ...(body && { body: Readable.from([JSON.stringify(body)]), type: "application/json" }),
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}
