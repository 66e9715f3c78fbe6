#!/bin/sh
# Makes docker/secrets, which docker-compose.yml gives to the containers: a passcode and a token for /stats, both drawn anew, and the file of users.
# Run it again for other ones, then: docker compose up --detach --force-recreate
set -eu
cd "$(dirname "$0")/.."
# The folder keeps other users of this machine out; the files themselves are read by containers under users of their own.
umask 022
mkdir -p docker/secrets
chmod 700 docker/secrets
draw() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
draw >docker/secrets/passcode
draw >docker/secrets/stats-token
image=$(docker build --quiet --target direct .)
docker run --rm --interactive "$image" users add loadtest --publish / --subscribe / <docker/secrets/passcode >docker/secrets/users.json
