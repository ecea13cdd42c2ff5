#!/bin/sh
# Run by Patroni once, after the first host has made its database; the argument is how to reach it as superuser.
# The platform's account is no superuser; pg_monitor lets the screen 集群 show the standby.
set -eu
: "${ITHINGS_PASSWORD:?}"
psql --no-psqlrc --set ON_ERROR_STOP=1 --dbname "$1" <<'SQL'
\getenv password ITHINGS_PASSWORD
create role ithings login password :'password';
grant pg_monitor to ithings;
create database ithings owner ithings;
SQL
