import { Activity, Boxes, FolderOpen, Plus, X } from "lucide-react";
import { ConversationList } from "../conversations/conversation-list.js";
import { texts } from "../texts/index.js";
import { IconButton } from "../ui/button.js";
import { addressOf, type Route } from "./route.js";
import { ThemeChoice } from "./theme-choice.js";

interface SideBarProps {
  /** On a narrow screen it covers the view while it is open. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly route: Route;
  readonly user: string | undefined;
}

export function SideBar({ isOpen, onClose, route, user }: SideBarProps) {
  return (
    <>
      {isOpen && (
        <button
          type="button"
          aria-label={texts.app.closeList}
          className="fixed inset-0 z-20 bg-black/40 md:hidden"
          onClick={onClose}
        />
      )}
      <aside
        aria-label={texts.app.conversationsAndViews}
        className={`${isOpen ? "flex" : "hidden"} fixed inset-y-0 left-0 z-30 w-72 max-w-[85vw] flex-col border-r border-line bg-panel md:static md:flex`}
      >
        <div className="flex items-center gap-2 px-4 pt-4 pb-2">
          <img src="./icon.svg" alt="" className="size-6" />
          <span className="flex-1 font-semibold">{texts.app.name}</span>
          <IconButton label={texts.app.closeList} className="md:hidden" onClick={onClose}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
        <a
          href={addressOf({ view: "conversation", id: undefined })}
          onClick={onClose}
          className="mx-3 mb-2 flex items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 text-sm font-medium hover:border-accent"
        >
          <Plus className="size-4 text-accent" aria-hidden="true" />
          {texts.conversations.new}
        </a>
        <ConversationList open={route.view === "conversation" ? route.id : undefined} onOpen={onClose} />
        <nav aria-label={texts.app.views} className="space-y-0.5 border-t border-line p-3">
          {VIEWS.map(({ name, Icon, to }) => (
            <a
              key={name}
              href={addressOf(to)}
              onClick={onClose}
              aria-current={route.view === to.view ? "page" : undefined}
              className="flex items-center gap-2 rounded-lg px-3 py-1.5 text-sm hover:bg-raised aria-[current=page]:bg-tint aria-[current=page]:font-medium"
            >
              <Icon className="size-4 text-soft" aria-hidden="true" />
              {name}
            </a>
          ))}
          <div className="flex items-center justify-between pt-2 pl-3 text-xs text-soft">
            <span className="truncate">{user && texts.app.signedInAs(user)}</span>
            <ThemeChoice />
          </div>
        </nav>
      </aside>
    </>
  );
}

const VIEWS = [
  { name: texts.skills.title, Icon: Boxes, to: { view: "skills", name: undefined } },
  { name: texts.workspace.title, Icon: FolderOpen, to: { view: "workspaces", conversation: undefined } },
  { name: texts.operator.title, Icon: Activity, to: { view: "operator" } },
] as const;
