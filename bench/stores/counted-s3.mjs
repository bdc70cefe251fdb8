import { Agent } from "node:http";
import { aws } from "./packages.mjs";

/** A client of the server that counts its requests, including retries, and the bytes on its connections, including headers. */
export function countedS3({ endpoint, accessKeyId, secretAccessKey }) {
  const agent = new CountingAgent({ keepAlive: true });
  const client = new aws.S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { httpAgent: agent },
  });
  const requests = {};
  client.middlewareStack.add(
    (next, { commandName }) =>
      (given) => {
        const [operation] = /^[A-Z][a-z]+/.exec(commandName) ?? [commandName];
        requests[operation.toUpperCase()] = (requests[operation.toUpperCase()] ?? 0) + 1;
        return next(given);
      },
    { step: "deserialize", name: "benchRequests" },
  );
  return { client, spent: () => ({ requests: { ...requests }, bytes: agent.bytes() }) };
}

class CountingAgent extends Agent {
  connections = /** @type {import("node:net").Socket[]} */ ([]);

  /** @override @type {Agent["createConnection"]} */
  createConnection(...given) {
    const connection = super.createConnection(...given);
    this.connections.push(/** @type {import("node:net").Socket} */ (connection));
    return connection;
  }

  bytes() {
    return this.connections.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
  }
}
