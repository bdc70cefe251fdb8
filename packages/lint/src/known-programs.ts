/** Programs that skills call and that a minimal system does not have. */
export const PROGRAMS: ReadonlySet<string> = new Set(
  `ansible aws az bazel brew cargo cmake composer conda docker dotnet exiftool ffmpeg ffprobe flyctl gcloud gh git-lfs
  glab go gradle gs helm heroku hugo inkscape java javac jq kubectl libreoffice magick mermaid mmdc mogrify mongosh mvn
  mysql mysqldump netlify nmap ollama op pandoc pdflatex pdftoppm pdftotext pg_dump pip pipx playwright pm2 podman poetry
  psql pulumi qpdf redis-cli rclone rg rsvg-convert ruby rustc shellcheck soffice sox sqlite3 supabase terraform
  tesseract tmux trivy uv uvx vercel wkhtmltopdf wrangler xelatex yq yt-dlp`.split(/\s+/),
);

/** Variables set by every system, shell or CI runner, and those of Skillwright's own runs. */
export const STANDARD_VARIABLES: ReadonlySet<string> = new Set(
  `PATH HOME USER USERNAME LOGNAME SHELL PWD OLDPWD TMPDIR TEMP TMP LANG LANGUAGE LC_ALL LC_CTYPE TERM TERM_PROGRAM
  COLORTERM COLUMNS LINES DISPLAY WAYLAND_DISPLAY EDITOR VISUAL PAGER HOSTNAME TZ CI DEBUG NODE_ENV NODE_DEBUG NODE_OPTIONS
  NODE_PATH NO_COLOR FORCE_COLOR CLICOLOR PYTHONPATH PYTHONIOENCODING VIRTUAL_ENV CONDA_PREFIX LOG_LEVEL VERBOSE HTTP_PROXY
  HTTPS_PROXY NO_PROXY ALL_PROXY XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR APPDATA
  LOCALAPPDATA USERPROFILE PROGRAMFILES PROGRAMDATA SYSTEMROOT WINDIR COMSPEC GITHUB_ACTIONS RUNNER_TEMP SSL_CERT_FILE
  WORKSPACE_DIR SKILLS_DIR WORK_DIR OUTPUT_DIR RUN_DIR SKILL_NAME SKILL_DIR INPUTS_DIR CLAUDE_SKILL_DIR CLAUDE_PROJECT_DIR
  CLAUDE_PLUGIN_ROOT CLAUDE_SESSION_ID`.split(/\s+/),
);
