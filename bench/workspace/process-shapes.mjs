/** Ways in which a process tries to outlive its run; `sleep` is the command that would stay alive. */
export const processShapes = {
  plain: (sleep) => `${sleep}; true`,
  background: (sleep) => `${sleep} & ${sleep}; true`,
  "own session": (sleep) => `setsid ${sleep} & ${sleep}; true`,
  "double fork": (sleep) => `(nohup setsid bash -c '${sleep}; true' >/dev/null 2>&1 &); ${sleep}; true`,
  "signals ignored": (sleep) => `trap '' TERM INT HUP QUIT; while :; do ${sleep}; done`,
  respawning: (sleep) =>
    `printf '%s\\n' 'sleep 0.02; setsid bash "$HOME/again" "$1" & exit' > "$HOME/again"; ` +
    `bash "$HOME/again" '${sleep}'; ${sleep}; true`,
};
