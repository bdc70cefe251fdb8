n=1; while [ "$n" -le "$1" ]; do echo $((n * n)); n=$((n + 1)); done
