import { type Agent, type Agents, createAgents } from "@skillwright/agent";
import {
  type ArtifactStore,
  type SessionScope,
  type SessionStore,
  type SkillCatalog,
  SkillError,
  type WorkspaceRegistry,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import type { AgentServerOptions, ServedAgent } from "../server-options.js";

/** The agents of conversations, opened when they are needed. */
export interface OpenAgents {
  /** By name, in the given order. */
  readonly served: Readonly<Record<string, ServedAgent>>;
  /** The name, or that of the first agent. @throws SkillError `INPUT_INVALID` for an unknown name, listing all. */
  named(name: string | undefined): string;
  /** The conversation's agent. One conversation has one at a time. */
  of(scope: SessionScope, name: string): Promise<Agent>;
  /** Closes the conversation's agent, which ends its turn. */
  forget(scope: SessionScope): Promise<void>;
  /**
   * Closes all agents and returns their conversations. The agents of `except` stay open, since closing them would end the
   * commands of turns that other processes go on with.
   */
  close(options: { readonly except: readonly SessionScope[] }): Promise<readonly SessionScope[]>;
}

export function openAgents(
  { agents, dependencies }: Pick<AgentServerOptions, "agents" | "dependencies">,
  shared: {
    readonly skills: SkillCatalog;
    readonly runtime: WorkspaceRuntime;
    readonly registry: WorkspaceRegistry;
    readonly sessions: SessionStore;
    readonly artifacts: ArtifactStore;
  },
): OpenAgents {
  const open = new Map<string, { readonly scope: SessionScope; readonly agent: Promise<Agent> }>();
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

  async function forget(key: string): Promise<void> {
    const agent = open.get(key)?.agent;
    open.delete(key);
    await (await agent?.catch(() => undefined))?.close();
  }

  return {
    served: agents,
    named: (name = Object.keys(agents)[0] ?? "") => {
      if (Object.hasOwn(agents, name)) return name;
      throw unknown(name, Object.keys(agents));
    },
    of: async (scope, name) => {
      const key = keyOf(scope);
      const one = open.get(key) ?? { scope, agent: created(scope, name) };
      open.set(key, one);
      try {
        return await one.agent;
      } catch (error) {
        open.delete(key);
        throw error;
      }
    },
    forget: (scope) => forget(keyOf(scope)),
    close: async ({ except }) => {
      for (const scope of except) open.delete(keyOf(scope));
      const scopes = [...open.values()].map(({ scope }) => scope);
      await Promise.all([...open.keys()].map(forget));
      if (except.length === 0)
        for (const ofName of byName.values()) await (await ofName.catch(() => undefined))?.close();
      return scopes;
    },
  };
}

function unknown(name: string, names: readonly string[]): SkillError {
  const message = `There is no agent "${name}". The agents are: ${names.join(", ")}.`;
  return new SkillError("INPUT_INVALID", message, { details: { agent: name } });
}
