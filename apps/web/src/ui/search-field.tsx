import { Search } from "lucide-react";

const LOOKS = {
  /** For the side bar. */
  quiet: "rounded-lg px-2 py-1.5 text-sm focus-within:bg-raised",
  /** For the head of a view. */
  main: "rounded-xl border border-line bg-raised px-3 py-2 focus-within:border-accent",
};

interface SearchFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly look: keyof typeof LOOKS;
  readonly className?: string;
}

/** A text field for a search term. The caller filters its own list by the value. */
export function SearchField({
  label,
  hint = label,
  value,
  onChange,
  look,
  className = "",
}: SearchFieldProps) {
  return (
    <label className={`flex items-center gap-2 text-soft ${LOOKS[look]} ${className}`}>
      <Search className="size-4 shrink-0" aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={hint}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="w-full bg-transparent text-ink outline-none placeholder:text-soft"
      />
    </label>
  );
}
