wc -l < "$1" | tr -d " " > out/lines.txt
