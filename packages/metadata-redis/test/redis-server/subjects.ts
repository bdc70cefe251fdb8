import { randomUUID } from "node:crypto";
import type { Disposing } from "@skillwright/contracts";
import type { MetadataIndex, RecordStore } from "@skillwright/core";
import { type RedisClient, redisIndex, redisRecords } from "../../src/index.js";

/** The subjects of the contract suites: each under its own prefix, the second one over another connection. */
export function subjects(client: () => RedisClient, otherClient: () => RedisClient) {
  const place = () => {
    const prefix = `${randomUUID()}:`;
    return [
      { client: client(), prefix },
      { client: otherClient(), prefix },
    ] as const;
  };

  async function index(): Promise<{ index: MetadataIndex; other: MetadataIndex } & Disposing> {
    const [own, others] = place();
    return closing({
      index: redisIndex({ ...own, name: "skills" }),
      other: redisIndex({ ...others, name: "skills" }),
    });
  }

  async function records(): Promise<{ records: RecordStore; other: RecordStore } & Disposing> {
    const [own, others] = place();
    return closing({ records: redisRecords(own), other: redisRecords(others) });
  }

  return { index, records };
}

function closing<Subject extends Readonly<Record<string, { close(): Promise<void> }>>>(
  subject: Subject,
): Subject & Disposing {
  const dispose = async (): Promise<void> => {
    for (const one of Object.values(subject)) await one.close();
  };
  return { ...subject, dispose };
}
