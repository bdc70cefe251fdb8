export type Theme = "system" | "light" | "dark";

const KEY = "skillwright.theme";
const isDark = matchMedia("(prefers-color-scheme: dark)");

/** What the person chose; `system` follows the system. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  show();
}

/** Shows the chosen theme from now on, also when the system changes. */
export function applyTheme(): void {
  show();
  isDark.addEventListener("change", show);
}

function show(): void {
  const theme = chosenTheme();
  document.documentElement.dataset["theme"] =
    theme === "system" ? (isDark.matches ? "dark" : "light") : theme;
}
