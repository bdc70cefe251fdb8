import { texts } from "../texts/index.js";
import { Badge } from "../ui/badge.js";
import type { useSkillPicker } from "./use-skill-picker.js";

/** The list over the composer while one types the name of a skill. */
export function SkillPicker({
  id,
  picker,
}: {
  readonly id: string;
  readonly picker: ReturnType<typeof useSkillPicker>;
}) {
  const { found, active, pick } = picker;
  if (found.length === 0) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={texts.skills.title}
      className="absolute inset-x-0 bottom-full z-10 mb-2 max-h-80 overflow-auto rounded-xl border border-line bg-raised p-1 shadow-lg"
    >
      {found.map(({ name, description, source, trusted }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above takes the keys
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(name)}
          className="cursor-pointer rounded-lg px-3 py-1.5 aria-selected:bg-tint"
        >
          <div className="flex items-center gap-2 text-sm">
            <span className="font-medium">{name}</span>
            <Badge>{source}</Badge>
            {!trusted && <Badge look="warn">{texts.skills.untrusted}</Badge>}
          </div>
          <p className="truncate text-xs text-soft">{description}</p>
        </div>
      ))}
    </div>
  );
}
