#!/bin/sh
# Run a command while the reading model is served; curl finds the server at
# localhost:8080, whichever port was free.
#
#     sh server/serve/examples/served.sh curl -s localhost:8080/v1/models
#
# $OPTIONS are handed to rung serve.
place=$(mktemp -d)
: > "$place/log"
./rung serve ../tests/models/tiny-chat --port 0 $OPTIONS 2> "$place/log" &
server=$!
trap 'kill $server; wait $server; rm -r "$place"' EXIT
until grep -q '^Serving' "$place/log"; do
    kill -0 $server || { cat "$place/log"; exit 1; }
    sleep 0.05
done
port=$(sed -n 's|^Serving.*:\([0-9]*\)/.*|\1|p' "$place/log")
echo "connect-to = \"localhost:8080:127.0.0.1:$port\"" > "$place/.curlrc"
CURL_HOME=$place "$@"
