import { useSyncExternalStore } from "react";

/** A view of the page. The address has it behind `#`, so that the page needs nothing of the server's paths. */
export type Route =
  | { readonly view: "conversation"; readonly id: string | undefined }
  | { readonly view: "skills"; readonly name: string | undefined }
  | { readonly view: "workspaces"; readonly conversation: string | undefined }
  | { readonly view: "operator" };

export function useRoute(): Route {
  return routeOf(useSyncExternalStore(subscribe, () => location.hash));
}

let last: string | undefined;

/** The conversation that was open before this view, if any. */
export function lastConversation(): string | undefined {
  return last;
}

export function addressOf(route: Route): string {
  if (route.view === "conversation") return route.id === undefined ? "#/" : `#/c/${route.id}`;
  if (route.view === "skills")
    return route.name === undefined ? "#/skills" : `#/skills/${encodeURIComponent(route.name)}`;
  if (route.view === "workspaces")
    return route.conversation === undefined ? "#/workspaces" : `#/workspaces/${route.conversation}`;
  return "#/operator";
}

export function go(route: Route): void {
  location.hash = addressOf(route);
}

function routeOf(hash: string): Route {
  const [view, name] = hash.replace(/^#\/?/, "").split("/");
  const given = name ? decoded(name) : undefined;
  if (view === "skills") return { view, name: given };
  if (view === "workspaces") return { view, conversation: given };
  if (view === "operator") return { view };
  last = view === "c" ? given : undefined;
  return { view: "conversation", id: last };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
