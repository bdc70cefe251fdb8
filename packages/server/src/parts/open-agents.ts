import { type Agent, type Agents, createAgents } from "@skillwright/agent";
import {
  type ArtifactStore,
  type RecordStore,
  type SessionScope,
  type SkillCatalog,
  SkillError,
  type WorkspaceRegistry,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import type { TellWork } from "../log/server-log.js";
import type { AgentServerOptions, ServedAgent } from "../server-options.js";

/** The agents of conversations, opened when they are needed. */
export interface OpenAgents {
  /** By name, in the given order. */
  readonly served: Readonly<Record<string, ServedAgent>>;
  /** The name, or that of the first agent. @throws SkillError `INPUT_INVALID` for an unknown name, listing all. */
  named(name: string | undefined): string;
  /**
   * Does the work with the conversation's agent, of which there is one at a time. An agent without work is closed once 100 other
   * agents were used after it. An agent that may have interactive runs also stays open as long as an idle run does.
   */
  use<T>(scope: SessionScope, name: string, work: (agent: Agent) => Promise<T>): Promise<T>;
  /** Closes the conversation's agent, which ends its turn. */
  forget(scope: SessionScope): Promise<void>;
  /**
   * Closes all agents and returns their conversations. The agents of `except` stay open, since closing them would end the
   * commands of turns that other processes resume.
   */
  close(options: { readonly except: readonly SessionScope[] }): Promise<readonly SessionScope[]>;
}

export function openAgents(
  { agents, dependencies }: Pick<AgentServerOptions, "agents" | "dependencies">,
  shared: {
    readonly skills: SkillCatalog;
    readonly runtime: WorkspaceRuntime;
    readonly registry: WorkspaceRegistry;
    readonly records: RecordStore;
    readonly artifacts: ArtifactStore;
  },
  failed: TellWork,
): OpenAgents {
  /** The open agents by conversation, ordered by their last use; the most recent one is last. */
  const open = new Map<string, OpenAgent>();
  const byName = new Map<string, Promise<Agents>>();
  // An agent closes its runtime; this one belongs to all of them.
  const runtime = delegate(shared.runtime, { close: async () => undefined });
  const keyOf = ({ user, session }: SessionScope) => JSON.stringify([user, session]);

  async function created(scope: SessionScope, name: string): Promise<Agent> {
    const config = agents[name];
    if (!config) throw unknown(name, Object.keys(agents));
    const ofName =
      byName.get(name) ?? createAgents(config, { ...dependencies, ...shared, runtime: () => runtime });
    byName.set(name, ofName);
    try {
      return await (await ofName).open(scope);
    } catch (error) {
      // What could not be opened is tried again for the next conversation.
      await ofName.catch(() => byName.delete(name));
      throw error;
    }
  }

  function closeIdle(): void {
    const nowMs = performance.now();
    const idle = [...open].filter(([, { users, idleMs, usedMs }]) => users === 0 && nowMs - usedMs >= idleMs);
    // Not awaited, because an agent without work has nothing to finish.
    for (const [key] of idle.slice(0, Math.max(0, open.size - MOST_IDLE)))
      void forget(key).catch((error: unknown) => failed("Closing an agent", error));
  }

  async function forget(key: string): Promise<void> {
    const agent = open.get(key)?.agent;
    open.delete(key);
    // An agent that could not be opened has nothing to close. Whoever asked for it got the reason.
    await (await agent?.catch(() => undefined))?.close();
  }

  return {
    served: agents,
    named: (name = Object.keys(agents)[0] ?? "") => {
      if (Object.hasOwn(agents, name)) return name;
      throw unknown(name, Object.keys(agents));
    },
    use: async (scope, name, work) => {
      const key = keyOf(scope);
      const one = open.get(key) ?? {
        scope,
        agent: created(scope, name),
        idleMs: idleMsOf(agents[name]),
        users: 0,
        usedMs: 0,
      };
      one.users++;
      open.set(key, one);
      try {
        const agent = await one.agent.catch((error: unknown) => {
          if (open.get(key) === one) open.delete(key);
          throw error;
        });
        return await work(agent);
      } finally {
        one.users--;
        one.usedMs = performance.now();
        if (open.get(key) === one) {
          open.delete(key);
          open.set(key, one);
        }
        closeIdle();
      }
    },
    forget: (scope) => forget(keyOf(scope)),
    close: async ({ except }) => {
      for (const scope of except) open.delete(keyOf(scope));
      const scopes = [...open.values()].map(({ scope }) => scope);
      await Promise.all([...open.keys()].map(forget));
      if (except.length === 0)
        // An agent that could not be opened has nothing to close.
        for (const ofName of byName.values()) await (await ofName.catch(() => undefined))?.close();
      return scopes;
    },
  };
}

interface OpenAgent {
  readonly scope: SessionScope;
  readonly agent: Promise<Agent>;
  /** How long the agent stays open without work, in milliseconds. */
  readonly idleMs: number;
  users: number;
  usedMs: number;
}

const MOST_IDLE = 100;
/** The default of `skillTools.interactive.idleMs`. */
const INTERACTIVE_IDLE_MS = 1_800_000;

/** After an agent was closed, nobody can find its interactive runs, so it stays open as long as they may live. */
function idleMsOf(agent: ServedAgent | undefined): number {
  const interactive = agent?.skillTools?.interactive;
  if (!interactive) return 0;
  return (interactive === true ? undefined : interactive.idleMs) ?? INTERACTIVE_IDLE_MS;
}

function unknown(name: string, names: readonly string[]): SkillError {
  const message = `There is no agent "${name}". The agents are: ${names.join(", ")}.`;
  return new SkillError("INPUT_INVALID", message, { details: { agent: name } });
}
