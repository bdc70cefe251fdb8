import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startDockerEngine } from "../../../../scripts/engines/docker-engine.mjs";
import { startPodmanEngine } from "../../../../scripts/engines/podman-engine.mjs";
import { type TestImageKind, testImage } from "../../../../scripts/engines/test-images/test-image.mjs";

const usualEngines = {
  docker: () => startDockerEngine(),
  podman: () => startPodmanEngine(),
  tcp: () => startDockerEngine({ ownNetwork: true }),
};

type Engines = Readonly<Record<string, () => Promise<{ host: string; stop: () => Promise<void> }>>>;

/** The broker's answer: the addresses of engine and image, or why there is none. */
export type BrokerAnswer = { host: string; image: string } | { reason: string };

/**
 * Starts engines for the test processes, each once for any number of requests: `GET /<engine>/<image>`.
 */
export async function engineBroker(
  engines: Engines = usualEngines,
): Promise<{ url: string; close: () => Promise<void> }> {
  const started = new Map<string, Promise<{ host: string; stop: () => Promise<void> }>>();
  const images = new Map<string, Promise<string>>();

  const server = createServer(async (request, response) => {
    const [, engine = "", image = ""] = new URL(request.url ?? "/", "http://broker").pathname.split("/");
    const start = engines[engine] ?? (() => Promise.reject(new Error(`There is no engine ${engine} here.`)));
    const host = once(started, engine, start).then((running) => running.host);
    const built = once(images, `${engine}/${image}`, async () =>
      testImage(await host, image as TestImageKind),
    );
    try {
      reply(response, { host: await host, image: await built });
    } catch (error) {
      built.catch(() => {}); // the same reason
      reply(response, { reason: error instanceof Error ? error.message : String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      await Promise.allSettled([...started.values()].map(async (running) => (await running).stop()));
    },
  };
}

function once<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const value = kept.get(key) ?? make();
  kept.set(key, value);
  return value;
}

function reply(response: ServerResponse<IncomingMessage>, answer: BrokerAnswer): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}
