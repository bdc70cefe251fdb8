echo "This text has $(wc -w | tr -d ' ') words."
