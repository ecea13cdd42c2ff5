/**
 * Who may do what in the embedded database. The superuser sets up and nothing else; the program works as a role that
 * owns its own tables only; the operation log belongs to a third one, which nobody can sign in as.
 */
import { createHmac } from 'node:crypto'
import pg from 'pg'

export const superuser = 'ithings'
const program = 'ithings_app'
const auditor = 'ithings_audit'

const superuserLogin = new RegExp(`//${superuser}:([0-9a-f]{48})@`)

/** Made from the superuser's, which cannot be found out from it: no second file that could be lost. */
const programPassword = (password: string) => createHmac('sha256', password).update(program).digest('hex')

/** The address of the superuser as that of the program; any other address stays as it is. */
export const programUrl = (adminUrl: string): string =>
  adminUrl.replace(superuserLogin, (_, password: string) => `//${program}:${programPassword(password)}@`)

const noRights = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls'

/** Roles belong to all databases of the server, and every start makes sure of them. */
export const ensureRoles = (adminUrl: string, password: string): Promise<void> =>
  asSuperuser(adminUrl, async (client) => {
    await client.query(`do $$ begin
      if to_regrole('${program}') is null then create role ${program}; end if;
      if to_regrole('${auditor}') is null then create role ${auditor}; end if;
      alter role ${program} with login ${noRights} password '${programPassword(password)}';
      alter role ${auditor} with nologin ${noRights};
    end $$`)
  })

/** Everything of ours that is neither the program's nor the auditor's, as statements that give it to the program. */
const foreign = `
  with ours as (select oid, nspname, nspowner from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'),
    extension_part as (select classid, objid from pg_depend where deptype = 'e')
  select format('alter schema %I owner to ${program}', nspname) as statement from ours
    where nspname <> 'public' and nspowner <> '${program}'::regrole
  union all
  select format('alter %s %s owner to ${program}',
      case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
      c.oid::regclass)
    from pg_class c join ours n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner not in ('${program}'::regrole, '${auditor}'::regrole)
      and not exists (select from extension_part e where e.classid = 'pg_class'::regclass and e.objid = c.oid)
      -- The sequence of a column goes with its table.
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and c.relkind = 'S' and d.deptype in ('a', 'i'))
  union all
  select format('alter routine %s owner to ${program}', p.oid::regprocedure)
    from pg_proc p join ours n on n.oid = p.pronamespace
    where p.proowner not in ('${program}'::regrole, '${auditor}'::regrole)
      and not exists (select from extension_part e where e.classid = 'pg_proc'::regclass and e.objid = p.oid)
  union all
  select format('alter type %s owner to ${program}', t.oid::regtype)
    from pg_type t join ours n on n.oid = t.typnamespace
    where t.typtype in ('e', 'd') and t.typowner not in ('${program}'::regrole, '${auditor}'::regrole)
      and not exists (select from extension_part e where e.classid = 'pg_type'::regclass and e.objid = t.oid)`

/** The operation log with all that belongs to it (migration 0025), as statements that give it to the role. */
const auditObjects = (role: string) => `
  select format('alter table public.%I owner to ${role}', relname) as statement from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname ~ '^operation_log'
      and relowner <> '${role}'::regrole and to_regclass('public.operation_log_chain') is not null
  union all
  select format('alter routine %s owner to ${role}', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace and proname ~ '^operation_log' and proowner <> '${role}'::regrole`

/** One transaction on a connection of the superuser: what is broken off is done by the next start as a whole. */
async function asSuperuser<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 30_000 })
  await client.connect()
  try {
    await client.query('begin')
    const done = await work(client)
    await client.query('commit')
    return done
  } finally {
    await client.end()
  }
}

async function runAll(client: pg.Client, listing: string): Promise<number> {
  const { rows } = await client.query<{ statement: string }>(listing)
  for (const { statement } of rows) await client.query(statement)
  return rows.length
}

/**
 * Lets the program into a database and gives it what an earlier version made as superuser. The database itself, and with
 * it the schema public, stays the superuser's: their owner could drop tables of others. @returns how much was given.
 */
export const admitProgram = (adminUrl: string): Promise<number> =>
  asSuperuser(adminUrl, async (client) => {
    await client.query(`do $$ begin
      execute format('grant create, connect, temporary on database %I to ${program}', current_database());
      grant usage, create on schema public to ${program};
    end $$`)
    return runAll(client, foreign)
  })

/** The program may change the operation log's tables: for migrations and restores, while nothing else runs. */
export const openAudit = (adminUrl: string): Promise<number> =>
  asSuperuser(adminUrl, (client) => runAll(client, auditObjects(program)))

/** The program may read the operation log and add to it, and nothing else. */
export const sealAudit = (adminUrl: string): Promise<void> =>
  asSuperuser(adminUrl, async (client) => {
    if ((await runAll(client, auditObjects(auditor))) === 0) return
    await client.query(`grant select on public.operation_log, public.operation_log_chain to ${program}`)
  })
