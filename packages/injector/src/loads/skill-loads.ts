import {
  type CatalogSnapshot,
  type Diagnostic,
  type SessionState,
  SKILL_STATE_KEYS,
  SkillError,
  type StateDelta,
} from "@skillwright/core";
import { keptLoads, LOADS_KEY, type LoadRecord } from "./load-record.js";
import { loadedNames } from "./loaded-names.js";
import { outdatedLoads } from "./outdated-loads.js";

/** How long a skill stays loaded: for the next request, until the end of the user's turn, or until it is unloaded. */
export type LoadLife = "once" | "turn" | "session";

export interface SkillLoadsOptions {
  /** Defaults to `turn`. */
  readonly life?: LoadLife | undefined;
  /** Maximum number of loaded skills; the one loaded longest ago is unloaded first. Defaults to 8. */
  readonly maxLoaded?: number | undefined;
  /** Skills that are loaded in every turn, whatever the model does. They are exempt from the limit and the lifetime. */
  readonly declared?: readonly DeclaredLoad[] | undefined;
}

/** The name of a skill; or a skill with documents: their paths within the skill, or `*` for all. */
export type DeclaredLoad = string | { readonly skill: string; readonly documents: "*" | readonly string[] };

/**
 * Manages the lifetime of loads as changes to a session's state. A tool does the loading: it sets
 * `SKILL_STATE_KEYS.loaded`. These functions return the other changes and must be called at the times described. Pure;
 * the caller applies the results. The load order, and loads that outlive a turn, are stored under `skill:loads`.
 */
export interface SkillLoads {
  /** Call it when a user's turn starts: ends loads of the last turn and restores those that live longer. */
  startTurn(state: SessionState): StateDelta;

  /**
   * Call it after `startTurn` when the catalogue changed since the previous turn: ends the loads of skills that changed
   * or were removed (`loads.outdated`), so that loading them again returns the new text. The old text stays in the
   * history; `skillChanges` reports this. Declared skills, and those that only people may start, stay loaded. Do not
   * use it where bodies are in the system message, which is generated anew.
   */
  afterChange(
    state: SessionState,
    before: CatalogSnapshot,
    after: CatalogSnapshot,
  ): { readonly delta: StateDelta; readonly diagnostics: readonly Diagnostic[] };

  /**
   * Call it when a model's answer has arrived. With the lifetime `once` it ends the loads that were in that request;
   * apply it after the answer's tools have run, before their changes.
   */
  afterRequest(state: SessionState): StateDelta;

  /**
   * Call it after the tools of a step. `state` includes their changes; `deltas` are these changes, in order. Records
   * new loads, and unloads skills beyond the limit (`loads.evicted`).
   */
  settle(
    state: SessionState,
    deltas: readonly StateDelta[],
  ): { readonly delta: StateDelta; readonly diagnostics: readonly Diagnostic[] };

  /** Ends the loads of these skills. The keys are removed, so that the skills no longer count as loaded. */
  unload(state: SessionState, names: readonly string[]): StateDelta;
}

/** @throws SkillError `CONFIG_INVALID` naming the option. */
export function skillLoads(options: SkillLoadsOptions = {}): SkillLoads {
  const { life = "turn", maxLoaded = 8, declared = [] } = options;
  if (!["once", "turn", "session"].includes(life)) throw invalid("life", life, '"once", "turn" or "session"');
  if (!Number.isInteger(maxLoaded) || maxLoaded < 1)
    throw invalid("maxLoaded", maxLoaded, "a whole number from 1");
  const always = declared.map(loadRecord);
  const isDeclared = new Set(always.map(({ skill }) => skill));

  function startTurn(state: SessionState): StateDelta {
    const kept = life === "session" ? keptLoads(state).filter(({ skill }) => !isDeclared.has(skill)) : [];
    const lives = new Set([...isDeclared, ...kept.map(({ skill }) => skill)]);
    const ended = loadedNames(state).filter((name) => !lives.has(name));
    return {
      ...Object.assign({}, ...ended.map(removal)),
      ...Object.assign({}, ...[...always, ...kept].map(loading)),
      ...(life === "session" || state[LOADS_KEY] === undefined ? {} : { [LOADS_KEY]: null }),
    };
  }

  function afterChange(
    state: SessionState,
    before: CatalogSnapshot,
    after: CatalogSnapshot,
  ): ReturnType<SkillLoads["afterChange"]> {
    const own = loadedNames(state).filter((name) => !isDeclared.has(name));
    const outdated = outdatedLoads(before, after, own);
    const delta = outdated.length === 0 ? {} : unload(state, outdated);
    return { delta, diagnostics: outdated.map(outdatedDiagnostic) };
  }

  function afterRequest(state: SessionState): StateDelta {
    if (life !== "once") return {};
    return unload(
      state,
      loadedNames(state).filter((name) => !isDeclared.has(name)),
    );
  }

  function settle(state: SessionState, deltas: readonly StateDelta[]): ReturnType<SkillLoads["settle"]> {
    const loaded = loadedNames(state).filter((name) => !isDeclared.has(name));
    const newest = new Set(deltas.flatMap((delta) => loadedNames(onlySet(delta))));
    const before = keptLoads(state).map(({ skill }) => skill);
    const known = before.filter((name) => loaded.includes(name) && !newest.has(name));
    const order = [...known, ...loaded.filter((name) => !known.includes(name))];
    const evicted = order.slice(0, Math.max(0, order.length - maxLoaded));
    const left = order.slice(evicted.length).map((skill) => {
      const documents = state[SKILL_STATE_KEYS.documents(skill)];
      return { skill, ...(typeof documents === "string" ? { documents } : {}) };
    });
    const isSame = JSON.stringify(left) === JSON.stringify(keptLoads(state));
    return {
      delta: {
        ...Object.assign({}, ...evicted.map(removal)),
        ...(isSame ? {} : { [LOADS_KEY]: left.length === 0 ? null : left }),
      },
      diagnostics: evicted.map((name) => evictedDiagnostic(name, maxLoaded)),
    };
  }

  function unload(state: SessionState, names: readonly string[]): StateDelta {
    const left = keptLoads(state).filter(({ skill }) => !names.includes(skill));
    return {
      ...Object.assign({}, ...names.map(removal)),
      ...(state[LOADS_KEY] === undefined ? {} : { [LOADS_KEY]: left.length === 0 ? null : [...left] }),
    };
  }

  return { startTurn, afterChange, afterRequest, settle, unload };
}

function removal(name: string): StateDelta {
  return { [SKILL_STATE_KEYS.loaded(name)]: null, [SKILL_STATE_KEYS.documents(name)]: null };
}

function loadRecord(declared: DeclaredLoad): LoadRecord {
  if (typeof declared === "string") return { skill: declared };
  const { skill, documents } = declared;
  return { skill, documents: typeof documents === "string" ? documents : JSON.stringify(documents) };
}

function loading({ skill, documents }: LoadRecord): StateDelta {
  return {
    [SKILL_STATE_KEYS.loaded(skill)]: "1",
    ...(documents === undefined ? {} : { [SKILL_STATE_KEYS.documents(skill)]: documents }),
  };
}

function outdatedDiagnostic(name: string): Diagnostic {
  return {
    code: "loads.outdated",
    severity: "info",
    message: `The skill "${name}" is no longer loaded: it was changed or removed.`,
    hint: "The model is informed and can load it again.",
  };
}

function onlySet(delta: StateDelta): SessionState {
  return Object.fromEntries(
    Object.entries(delta).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}

function evictedDiagnostic(name: string, maxLoaded: number): Diagnostic {
  return {
    code: "loads.evicted",
    severity: "info",
    message: `The skill "${name}" is no longer loaded: at most ${maxLoaded} skills are loaded at the same time.`,
    hint: "Load it again before its next use, or raise maxLoaded.",
  };
}

function invalid(field: string, given: unknown, valid: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `skillLoads: \`${field}\` is ${JSON.stringify(given)}; give ${valid}.`,
    { details: { field } },
  );
}
