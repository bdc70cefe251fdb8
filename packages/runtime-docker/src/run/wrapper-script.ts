import { END_GROUP } from "../exec/end-group-script.js";

/** Prefix of the wrapper's lines on standard output, which normal text does not contain. */
export const MARK = "\u001eskillwright ";

/**
 * Sets `_sw_seen` to the number of times the container reached its limits of memory and of processes, for version 1 or
 * 2 of control groups.
 */
export const COUNTERS = `_sw_counter() {
  _sw_count=0
  [ ! -r "$1" ] || while read -r _sw_key _sw_value; do [ "$_sw_key" != "$2" ] || _sw_count=$_sw_value; done <"$1"
}
_sw_counters() {
  _sw_counter /sys/fs/cgroup/memory.events oom_kill; _sw_seen=$_sw_count
  _sw_counter /sys/fs/cgroup/memory/memory.oom_control oom_kill; _sw_seen=$((_sw_seen + _sw_count))
  _sw_counter /sys/fs/cgroup/pids.events max; _sw_most=$_sw_count
  _sw_counter /sys/fs/cgroup/pids/pids.events max; _sw_seen="$_sw_seen $((_sw_most + _sw_count))"
}
`;

/**
 * The script that wraps a command in the container. It changes to the directory, reports that it starts the command or
 * why not, and afterwards ends the remaining processes and reports which limits were reached and, of a failed command,
 * which file systems have no free block or inode. All of this is an optimisation: a command can kill or deceive
 * processes of its own user, so the host verifies the result itself. Only `mkdir` before the start and `stat` after a
 * failure are programs.
 *
 * The names of its variables must not occur in a command's environment, because those variables are set here too and
 * would be changed.
 */
export const WRAPPER = `_sw_out=$1 _sw_group=$2 _sw_root=$3 _sw_cwd=$4 _sw_run=$5 _sw_input=$6 _sw_files=$7 _sw_size=$8 _sw_drop=$9
shift 9
exec 3>&2 2>/dev/null
[ "$_sw_input" ] || exec </dev/null
unset OLDPWD $_sw_drop

_sw_refuse() { printf '%s%s\\n' "$_sw_out" "$1"; exit 1; }
_sw_look() {
  case $(command -p stat -f -c '%a %c %d' "$1") in '0 '* | *' '[1-9]*' 0') _sw_seen="$_sw_seen $2" ;; esac
}
${COUNTERS}_sw_explain() {
  IFS=/; set -f; _sw_at=$_sw_root
  for _sw_part in \${_sw_cwd#"$_sw_root"}; do
    [ "$_sw_part" ] || continue
    _sw_at=$_sw_at/$_sw_part
    if cd -P "$_sw_at"; then
      case $PWD/ in "$_sw_root"/*) continue ;; esac
      _sw_refuse outside
    fi
    if [ -d "$_sw_at" ]; then _sw_refuse closed; fi
    if [ -e "$_sw_at" ]; then _sw_refuse file; fi
    if [ -L "$_sw_at" ]; then _sw_refuse outside; fi
    _sw_refuse missing
  done
  _sw_refuse closed
}

if [ -L "$_sw_run" ]; then _sw_refuse run-link; fi
_sw_note=
[ -d "$_sw_run" ] || command -p mkdir "$_sw_run" || [ -d "$_sw_run" ] || _sw_note=' full'
cd -P "$_sw_cwd" || _sw_explain
case $PWD/ in "$_sw_root"/*) ;; *) _sw_refuse outside ;; esac
unset OLDPWD
_sw_counters
_sw_before=$_sw_seen
trap : HUP INT QUIT USR1 USR2 PIPE ALRM TERM
(
  trap - HUP INT QUIT USR1 USR2 PIPE ALRM TERM
  [ ! "$_sw_files" ] || ulimit -n "$_sw_files" || :
  [ ! "$_sw_size" ] || ulimit -f "$_sw_size" || :
  printf '%sstarted %s %s%s\\n' "$_sw_out" $$ "$_sw_before" "$_sw_note"
  exec 2>&3 3>&-
  exec "$@"
)
_sw_code=$?
${END_GROUP}
end_group "$_sw_group"
_sw_counters
if [ $_sw_code != 0 ]; then _sw_look "$_sw_root" storage; _sw_look /tmp /tmp; _sw_look /dev/shm /dev/shm; fi
printf '%scounted %s\\n' "$_sw_out" "$_sw_seen"
exit $_sw_code
`;

/** For bash, which sets these from its own state and would export them. */
export const BASH_WRAPPER = `export -n SHELLOPTS BASHOPTS
${WRAPPER}`;
