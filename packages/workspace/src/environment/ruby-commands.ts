import type { EnvironmentCommands } from "./environment-commands.js";

/** Installs the skill's own gems, without an index and without compiling. `directory` holds them in `wheels`. */
export function rubyCommands(directory: string): EnvironmentCommands {
  return {
    install: `set -e
cd ${directory}
fail() { echo "$1" >&2; exit 1; }
command -v ruby > /dev/null && command -v gem > /dev/null || fail "There is no ruby with gem where commands run. Install it."
ruby -r rubygems/package -e '${NO_EXTENSIONS}' wheels/*.gem >&2
gem install --norc --quiet --local --ignore-dependencies --no-document --env-shebang --install-dir "$PWD/tree" \\
  --bindir "$PWD/tree/bin" wheels/*.gem >&2`,
    finish: `set -e
cd ${directory}/tree
rm -rf cache doc build_info extensions
for program in bin/*; do
  [ -f "$program" ] || continue
  sed -i '1s|^#!.*ruby.*$|#!/usr/bin/env ruby|' "$program"
done
find . -type l -delete`,
  };
}

/** In single quotes of the shell. */
const NO_EXTENSIONS = `
ARGV.each do |file|
  spec = Gem::Package.new(file).spec
  next if spec.extensions.empty?
  abort "#{spec.full_name} has native extensions, and gems are not compiled. Put its gem for this platform into vendor/cache, if there is one."
end`;
