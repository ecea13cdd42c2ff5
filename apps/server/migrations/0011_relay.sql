-- Messages for devices that are connected to another server on this database: that server takes them within moments.
create table downlink_relay (
  id        bigint generated always as identity primary key,
  server_id text not null,
  topic     text not null,
  payload   bytea not null,
  at        bigint not null
);
create index downlink_relay_server on downlink_relay (server_id);
