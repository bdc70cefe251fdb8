import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";

export interface ApiRelay extends AsyncDisposable {
  /** Path of a kubeconfig that names this relay as the API server. */
  readonly kubeconfig: string;
  /** Closes all open connections. */
  cut(): void;
  /** Takes nothing more from the client on its open websockets, and keeps them open. */
  stall(): void;
}

export interface RelayedCall {
  readonly method: string;
  /** Including its query. */
  readonly path: string;
}

export interface Answer {
  readonly status: number;
  readonly answer: unknown;
}

/** Answers a call in place of the API server, lets it pass, or lets it pass and loses the answer. */
export type Meddle = (call: RelayedCall) => Answer | "lose" | undefined;

/**
 * Stands between a client and the API server of a kubeconfig. `onUpgrade` is told of websockets, such as those of exec,
 * and may answer in place of the server.
 */
export async function apiRelay(
  kubeconfig: string,
  meddle: Meddle,
  onUpgrade: (path: string) => Answer | undefined = () => undefined,
): Promise<ApiRelay> {
  const directory = mkdtempSync(join(tmpdir(), "sw-relay-"));
  const [key, cert, own] = ["key.pem", "cert.pem", "config"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const words =
    "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1";
  execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
  const config = JSON.parse(readFileSync(kubeconfig, "utf8"));
  const { cluster } = config.clusters[0];
  const { hostname, port } = new URL(cluster.server);
  const target = { host: hostname, port: Number(port), rejectUnauthorized: false };
  const sockets = new Set<Socket>();
  const stalls = new Set<() => void>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  };

  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (asked, response) => {
    const { method = "", url: path = "", headers } = asked;
    const meddled = meddle({ method, path });
    if (typeof meddled === "object") {
      asked.resume();
      response.writeHead(meddled.status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(meddled.answer));
      return;
    }
    const onward = request({ ...target, method, path, headers }, (answer) => {
      if (meddled === "lose") return void response.destroy();
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.on("error", () => response.destroy());
      answer.pipe(response);
    });
    response.on("close", () => onward.destroy());
    onward.on("error", () => response.destroy());
    asked.pipe(onward);
  });
  server.on("secureConnection", keep);
  server.on("upgrade", (asked, near: Socket, head: Buffer) => {
    const refused = onUpgrade(asked.url ?? "");
    if (refused) {
      const text = JSON.stringify(refused.answer);
      near.end(`HTTP/1.1 ${refused.status} Refused\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
      return;
    }
    const far = connect(target);
    keep(far);
    const lines = asked.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    far.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    far.write(head);
    near.pipe(far).pipe(near);
    const stall = () => void near.unpipe(far).pause();
    stalls.add(stall);
    near.once("close", () => {
      stalls.delete(stall);
      far.destroy();
    });
    far.once("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cluster.server = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cluster["certificate-authority-data"] = readFileSync(cert).toString("base64");
  writeFileSync(own, JSON.stringify(config), { mode: 0o600 });

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    kubeconfig: own,
    cut,
    stall: () => {
      for (const stall of stalls) stall();
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true });
    },
  };
}
