import type { ClusterDatabase } from '@ithings/contract/features/cluster.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { durabilityOf, promisesLess } from './durability.ts'

interface SettingsRow {
  version: string
  primary: string
  started_at: Date
  fsync: boolean
  standby_names: string
  synchronous_commit: string
  may_see: boolean
  connections: number
  max_connections: number
}

interface StandbyRow {
  name: string
  address: string
  state: string
  sync_state: string
  behind_bytes: number
  behind_ms: number
}

/** Other accounts' sessions are hidden from ours, their number is not: so connections are counted by database. */
const readSettings = sql<SettingsRow>`
  select split_part(current_setting('server_version'), ' ', 1) as version,
    coalesce(host(inet_server_addr()) || ':' || inet_server_port(), '') as primary,
    pg_postmaster_start_time() as started_at,
    current_setting('fsync')::boolean as fsync,
    current_setting('synchronous_standby_names') as standby_names,
    current_setting('synchronous_commit') as synchronous_commit,
    pg_has_role(current_user, 'pg_read_all_stats', 'usage') as may_see,
    (select sum(numbackends)::integer from pg_stat_database) as connections,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0) as max_connections`

/** An account without the right sees one row for each of them, with nothing in it. A backup in progress is no standby. */
const readStandbys = sql<StandbyRow>`
  select coalesce(application_name, '') as name, coalesce(host(client_addr), '') as address,
    coalesce(state, '') as state, coalesce(sync_state, '') as sync_state,
    greatest(coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0), 0)::bigint as behind_bytes,
    coalesce(round(extract(epoch from replay_lag) * 1000, 1), -1)::float8 as behind_ms
  from pg_stat_replication where state is distinct from 'backup' order by application_name, pid`

export async function readDatabase(db: Db, embedded: boolean): Promise<ClusterDatabase> {
  const [settings, { rows: standbys }] = await Promise.all([readSettings.execute(db), readStandbys.execute(db)])
  const [row] = settings.rows
  if (!row) throw new Error('the database tells nothing about itself')
  const durability = durabilityOf({
    fsync: row.fsync,
    standbyNames: row.standby_names,
    syncStates: standbys.map(({ sync_state }) => sync_state),
  })
  return {
    embedded,
    version: row.version,
    primary: row.primary,
    startedTime: toSecondsStr(row.started_at),
    durability,
    changesMayBeLost: promisesLess(row.synchronous_commit, durability),
    standbysVisible: row.may_see,
    standbyCount: standbys.length,
    standbys: row.may_see
      ? standbys.map(({ sync_state: syncState, behind_bytes: behindBytes, behind_ms: behindMs, ...standby }) => ({
          ...{ ...standby, syncState, behindBytes, behindMs },
        }))
      : [],
    connections: row.connections,
    maxConnections: row.max_connections,
  }
}
