import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../texts/index.js";
import { IconButton } from "./button.js";

interface ViewHeaderProps {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly onList: () => void;
  readonly children?: ReactNode;
}

/** The head of a view, with its actions, and the button for the list on narrow screens. */
export function ViewHeader({ title, detail, onList, children }: ViewHeaderProps) {
  return (
    <header className="flex min-h-14 items-center gap-2 border-b border-line px-3 md:px-5">
      <IconButton label={texts.app.openList} className="md:hidden" onClick={onList}>
        <Menu className="size-5" aria-hidden="true" />
      </IconButton>
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-semibold" dir="auto">
          {title}
        </h1>
        {detail && <p className="truncate text-xs text-soft">{detail}</p>}
      </div>
      {children}
    </header>
  );
}
