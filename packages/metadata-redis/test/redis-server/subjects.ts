import { randomUUID } from "node:crypto";
import type { Disposing } from "@skillwright/contracts";
import type {
  MetadataIndex,
  RecordStore,
  SessionStore,
  TurnStore,
  WorkspaceRegistry,
} from "@skillwright/core";
import {
  type RedisClient,
  redisIndex,
  redisRecords,
  redisRegistry,
  redisSessions,
  redisTurns,
} from "../../src/index.js";

/** The subjects of the contract suites: each under its own prefix, the second one over another connection. */
export function subjects(client: () => RedisClient, otherClient: () => RedisClient) {
  const place = () => {
    const prefix = `${randomUUID()}:`;
    return [
      { client: client(), prefix },
      { client: otherClient(), prefix },
    ] as const;
  };

  async function sessions(): Promise<{ sessions: SessionStore }> {
    return { sessions: redisSessions(place()[0]) };
  }

  async function registry(): Promise<{ registry: WorkspaceRegistry; other: WorkspaceRegistry } & Disposing> {
    const [own, others] = place();
    return closing({ registry: redisRegistry(own), other: redisRegistry(others) });
  }

  async function index(): Promise<{ index: MetadataIndex; other: MetadataIndex } & Disposing> {
    const [own, others] = place();
    return closing({
      index: redisIndex({ ...own, name: "skills" }),
      other: redisIndex({ ...others, name: "skills" }),
    });
  }

  async function turns(): Promise<{ turns: TurnStore; other: TurnStore } & Disposing> {
    const [own, others] = place();
    return closing({ turns: redisTurns(own), other: redisTurns(others) });
  }

  async function records(): Promise<{ records: RecordStore; other: RecordStore } & Disposing> {
    const [own, others] = place();
    return closing({ records: redisRecords(own), other: redisRecords(others) });
  }

  return { sessions, registry, index, turns, records };
}

function closing<Subject extends Readonly<Record<string, { close(): Promise<void> }>>>(
  subject: Subject,
): Subject & Disposing {
  const dispose = async (): Promise<void> => {
    for (const one of Object.values(subject)) await one.close();
  };
  return { ...subject, dispose };
}
