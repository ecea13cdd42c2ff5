/** The table of forwarded messages, and how they get into it. */
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import pg from 'pg'
import type { ForwardMessage } from '#ports/forward-target.ts'

type Settings = SettingsOf<'postgres'>

export const tableOf = ({ schema, table }: Settings): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`

/**
 * The time is part of the key because TimescaleDB asks for it; a message that is sent again has the same time. Somebody else may make
 * the same table at this moment.
 */
export const createTable = (settings: Settings): string => `
  create table if not exists ${tableOf(settings)} (
    time timestamptz not null,
    message_id text not null,
    source text not null,
    product_id text not null,
    device_name text not null,
    identifier text not null,
    data jsonb not null,
    body text not null,
    primary key (message_id, time)
  );
  create index if not exists ${pg.escapeIdentifier(`${settings.table.slice(0, 50)}_device`)}
    on ${tableOf(settings)} (product_id, device_name, time desc)`

export const createSchema = ({ schema }: Settings): string => `create schema ${pg.escapeIdentifier(schema)}`

/** Which parts there are; of names that the caller may not see nothing is found. */
export const lookAround = `
  select to_regclass($1) is not null as table,
    exists(select from pg_namespace where nspname = $2) as schema,
    (select nspname from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
     where extname = 'timescaledb') as timescale`

/** @param timescale schema of the extension */
export const makeHypertable = (settings: Settings, timescale: string): string =>
  `select ${pg.escapeIdentifier(timescale)}.create_hypertable(
     ${pg.escapeLiteral(tableOf(settings))}::regclass, 'time', if_not_exists => true, migrate_data => true)`

/** One statement for all: either every row has arrived or none. */
export const insertRows = (settings: Settings): string => `
  insert into ${tableOf(settings)} (time, message_id, source, product_id, device_name, identifier, data, body)
  select to_timestamp(time / 1000), message_id, source, product_id, device_name, identifier, data::jsonb, body
  from unnest($1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
    as row (time, message_id, source, product_id, device_name, identifier, data, body)
  on conflict (message_id, time) do nothing`

export const columnsOf = (messages: readonly ForwardMessage[]): unknown[][] => [
  messages.map(({ time }) => time),
  messages.map(({ id }) => id),
  messages.map(({ source }) => source),
  messages.map(({ productID }) => productID),
  messages.map(({ deviceName }) => deviceName),
  messages.map(({ identifier }) => identifier),
  messages.map(({ data }) => JSON.stringify(data)),
  messages.map(({ body }) => body),
]
