import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { skillsQuery } from "../api/queries.js";

/** The word before the cursor, where it begins with `$`, or with `/` at the start of the message. */
const WORD = /(?:^|\s)(\$)([\w.:-]*)$|^(\/)([\w.:-]*)$/;
const MOST = 8;

/** Skills that fit what is typed after `/` or `$`. */
export function useSkillPicker(text: string, cursor: number, change: (text: string) => void) {
  const { data } = useQuery(skillsQuery);
  const [chosen, setChosen] = useState(0);
  const [closed, setClosed] = useState<string>();
  const before = text.slice(0, cursor);
  const [, dollar, afterDollar, slash, afterSlash] = WORD.exec(before) ?? [];
  const sign = dollar ?? slash;
  const wanted = (afterDollar ?? afterSlash ?? "").toLowerCase();
  const fits = sign === undefined || closed === before ? [] : (data?.skills ?? []);
  const found = fits
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)))
    .slice(0, MOST);
  const active = Math.min(chosen, found.length - 1);

  const pick = (name: string) => {
    const start = cursor - wanted.length;
    change(`${text.slice(0, start)}${name} ${text.slice(cursor)}`);
    setChosen(0);
  };
  /** Returns whether the key was for the picker. */
  const onKey = (key: string): boolean => {
    if (found.length === 0) return false;
    if (key === "ArrowDown") setChosen((active + 1) % found.length);
    else if (key === "ArrowUp") setChosen((active + found.length - 1) % found.length);
    else if (key === "Enter" || key === "Tab") pick(found[active]?.name ?? "");
    else if (key === "Escape") setClosed(before);
    else return false;
    return true;
  };
  return { found, active, pick, onKey };
}
