import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { texts } from "../texts/index.js";
import { IconButton } from "../ui/button.js";
import { chooseTheme, chosenTheme, type Theme } from "./theme.js";

const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: Monitor, light: Sun, dark: Moon };

export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme);
  const { themes } = texts.app;
  const Icon = ICONS[theme];
  return (
    <IconButton
      label={texts.app.colours(themes[theme], themes[NEXT[theme]])}
      onClick={() => {
        chooseTheme(NEXT[theme]);
        setTheme(NEXT[theme]);
      }}
    >
      <Icon className="size-4" aria-hidden="true" />
    </IconButton>
  );
}
