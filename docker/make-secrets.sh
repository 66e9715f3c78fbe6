#!/bin/sh
# Makes docker/secrets, which docker-compose.yml gives to the containers: a passcode and a token for /stats, both drawn anew, and the file
# of users.
# Run it again for other ones, then: docker compose up --detach --force-recreate
set -eu
cd "$(dirname "$0")/.."
# First, for it may fail: the secrets that are there then stay as they are, and fit together.
image=$(docker build --quiet --target direct .)
# The folder keeps other users of this machine out; the files themselves are read by containers under users of their own.
umask 022
mkdir -p docker/secrets
chmod 700 docker/secrets
made=docker/secrets/made
rm -rf "$made"
mkdir "$made"
draw() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
draw >"$made/passcode"
draw >"$made/stats-token"
docker run --rm --interactive "$image" users add loadtest --publish / --subscribe / <"$made/passcode" >"$made/users.json"
mv -f "$made"/* docker/secrets/
rmdir "$made"
