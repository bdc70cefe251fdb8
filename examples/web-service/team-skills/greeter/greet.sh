sed 's/^/Hello, /' "$1"
