import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findEmbeddedPostgres } from './start-embedded-postgres.ts'
import { makeScratch, query } from './testing/scratch.ts'

let scratch: Awaited<ReturnType<typeof makeScratch>>
let dataDir: string
beforeEach(async () => {
  scratch = await makeScratch()
  dataDir = join(scratch.root, 'data')
})
afterEach(() => scratch.clear())

const rightsOf = (url: string) =>
  query(
    url,
    `select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles
     where rolname in (current_user, 'ithings_audit') order by rolname`,
  )
const none = { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false }

/** What a version before had no roles for: everything belongs to the superuser, and nobody else is there. */
async function layOldFolder(): Promise<void> {
  const server = await scratch.start(dataDir)
  await query(
    server.adminUrl,
    `drop owned by ithings_app; drop role ithings_app; drop role ithings_audit;
     create extension pg_trgm;
     create schema parts; create schema pgboss; create type pgboss.state as enum ('made');
     create table kept (id bigint generated always as identity primary key, word text);
     create table by_day (day integer) partition by range (day);
     create table parts.by_day_1 partition of by_day for values from (1) to (2);
     create table pgboss.job (state pgboss.state);
     create sequence loose; create view words as select word from kept;
     create function twice(n integer) returns integer language sql as 'select 2 * n';
     insert into kept (word) values ('a'), ('b'); insert into by_day values (1)`,
  )
  await server.stop()
}

test('the program has a role of its own, without any right beyond its database', async () => {
  const { connectionString, adminUrl } = await scratch.start(dataDir)
  expect(connectionString).not.toBe(adminUrl)
  expect(await rightsOf(connectionString)).toEqual([
    { rolname: 'ithings_app', ...none },
    { rolname: 'ithings_audit', ...none },
  ])
  for (const statement of [
    'create database other',
    'create role other',
    'alter role ithings_app superuser',
    'set role ithings',
    'set role ithings_audit',
    'drop database ithings',
    'drop schema public',
    `copy (select 1) to program 'true'`,
    `select pg_read_file('PG_VERSION')`,
  ]) {
    await expect(query(connectionString, statement), statement).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|55006)$/),
    })
  }
  await query(connectionString, 'create extension pg_trgm; create schema s; create table s.t (); drop schema s cascade')
  expect(await findEmbeddedPostgres(dataDir, scratch.systemDir)).toEqual({ connectionString })
})

test('a folder of an earlier version is changed over with all its data, once', async () => {
  await layOldFolder()
  const server = await scratch.start(dataDir)
  expect(scratch.lines.filter((line) => line.includes('were given'))).toHaveLength(1)
  const url = server.connectionString
  expect(await query(url, 'select id::integer, word from kept order by id')).toEqual([
    { id: 1, word: 'a' },
    { id: 2, word: 'b' },
  ])
  // What only an owner may do.
  await query(
    url,
    `insert into kept (word) values ('c'); alter table kept add column more text; drop view words; drop sequence loose;
     alter table by_day detach partition parts.by_day_1; drop function twice; drop schema parts cascade;
     alter type pgboss.state add value 'done'; drop schema pgboss cascade`,
  )
  expect(await query(url, `select similarity('pump', 'pump') as same`)).toEqual([{ same: 1 }])
  await server.stop()
  const again = await scratch.start(dataDir)
  expect(await query(again.connectionString, 'select count(*)::integer as n from kept')).toEqual([{ n: 3 }])
  expect(scratch.lines.filter((line) => line.includes('were given'))).toHaveLength(1)
})

test('beside a server of an earlier version, which has no such role, the one that it has is used', async () => {
  const { adminUrl } = await scratch.start(dataDir)
  await query(adminUrl, 'drop owned by ithings_app; drop role ithings_app')
  expect(await findEmbeddedPostgres(dataDir, scratch.systemDir)).toEqual({ connectionString: adminUrl })
})
