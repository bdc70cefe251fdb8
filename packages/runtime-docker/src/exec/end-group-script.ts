/**
 * A shell function that ends every process with the group `$1` except the shell itself, and reports whether none is
 * left. All are stopped first, so that none can start another or free a slot for one; then all are killed. It uses only
 * builtins, so that it works where no process can be started any more. A leader that has ended while its threads
 * continue looks like a zombie, but counts as alive.
 */
export const END_GROUP = `end_group() {
  others=' ' stopped=' ' passes=0
  while [ $passes -lt 400 ]; do
    passes=$((passes + 1)) found= fresh=
    for entry in /proc/[0-9]*; do
      pid=\${entry#/proc/}
      case $others in *" $pid "*) continue ;; esac
      zombie= ours=
      while read -r key value rest; do
        case $key in
        State:) [ "$value" != Z ] || zombie=1 ;;
        Gid:)
          if [ "$value" != "$1" ] || [ "$pid" = $$ ]; then others="$others$pid "; break; fi
          ours=1
          [ "$zombie" ] || break ;;
        Threads:) [ "$value" = 1 ] || zombie=; break ;;
        esac
      done < "$entry/status"
      [ "$ours" ] && [ ! "$zombie" ] || continue
      found="$found $pid"
      case $stopped in
      *" $pid "*) ;;
      *) fresh=1 stopped="$stopped$pid "; kill -STOP $pid ;;
      esac
    done
    [ "$found" ] || return 0
    [ "$fresh" ] || kill -KILL $found
  done
  return 1
} 2>/dev/null
`;
