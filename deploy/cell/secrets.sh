#!/bin/sh
# Makes the passwords and the key of the cell, once, in secrets/ (readable by their owner only). Keep a copy of that folder
# apart from the data: without SECRET_KEY the secrets in the database are lost.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets || { echo "secrets/ is there already: nothing was changed." >&2; exit 1; }

# Letters and digits only: they stand in addresses. The letter in front: see nats-server.conf.
new() { echo "p$(openssl rand -hex 24)"; }
database=$(new) nats=$(new) route=$(new)

cat > secrets/ithings.env <<EOF
SECRET_KEY=$(openssl rand -hex 32)
DATABASE_URL=postgres://ithings:$database@db1:5432,db2:5432/ithings?target_session_attrs=read-write
NATS_URL=nats://ithings:$nats@nats1:4222,nats://ithings:$nats@nats2:4222,nats://ithings:$nats@nats3:4222
EOF
cat > secrets/postgres.env <<EOF
PATRONI_SUPERUSER_PASSWORD=$(new)
PATRONI_REPLICATION_PASSWORD=$(new)
PATRONI_REWIND_PASSWORD=$(new)
PATRONI_RESTAPI_USERNAME=patroni
PATRONI_RESTAPI_PASSWORD=$(new)
ITHINGS_PASSWORD=$database
EOF
cat > secrets/nats.env <<EOF
NATS_PASSWORD=$nats
NATS_ROUTE_PASSWORD=$route
NATS_ROUTES='["nats://route:$route@nats1:6222","nats://route:$route@nats2:6222","nats://route:$route@nats3:6222"]'
EOF
echo "Made secrets/ithings.env, secrets/postgres.env and secrets/nats.env."
