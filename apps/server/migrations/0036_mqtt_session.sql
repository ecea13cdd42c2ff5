-- Programs that know 0035 may run beside this.
-- MQTT sessions that outlive their connection (engines/pg-sessions): whatever server a device comes back to finds its
-- filters and the messages that it has not acknowledged.
create table mqtt_session (
  device_id bigint primary key references device (device_id) on delete cascade,
  -- Of the connection that has it, or had it last (device_session_epoch): nobody else writes.
  epoch     bigint not null,
  -- To which server the device is connected, as far as that server could tell.
  server_id text,
  seen_at   timestamptz not null default now()
) with (fillfactor = 70);

create table mqtt_filter (
  device_id bigint not null references mqtt_session (device_id) on delete cascade,
  filter    text not null,
  qos       smallint not null,
  -- product/device whose topics it is for: the device itself, or a child of a gateway.
  owner     text not null,
  primary key (device_id, filter)
);
create index mqtt_filter_owner on mqtt_filter (owner);

-- Rows come and go with every message to a device with such a session.
create sequence mqtt_message_id;
create table mqtt_message (
  device_id bigint not null references mqtt_session (device_id) on delete cascade,
  id        bigint not null default nextval('mqtt_message_id'),
  topic     text not null,
  payload   bytea not null,
  -- Perhaps: the next time it says that it is a repetition.
  is_sent   boolean not null,
  primary key (device_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
