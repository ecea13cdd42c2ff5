/** Issue "Foundation" 7: the permission check adds at most 0.2 ms a call. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { connect } from '../../../apps/server/src/db/connect.ts'
import { migrate } from '../../../apps/server/src/db/migrate.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { makePgSignal } from '../../../apps/server/src/engines/pg-signal/pg-signal.ts'
import { syncApis } from '../../../apps/server/src/features/apis/sync-apis.ts'
import { AccessCache } from '../../../apps/server/src/features/users/access-cache.ts'
import { makeTokens } from '../../../apps/server/src/features/users/token.ts'
import { systemClock } from '../../../apps/server/src/ports/clock.ts'
import { type Row, row } from '../row.ts'

const users = 200
const rounds = 50_000

export async function measurePermission(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-bench-'))
  await chmod(dataDir, 0o711)
  const quiet = { info: () => {}, warn: () => {} }
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet })
  const ignore = () => {}
  await migrate(postgres.connectionString)
  const connection = connect(postgres.connectionString, ignore)
  const signal = makePgSignal(postgres.connectionString, connection.pool, ignore)
  try {
    await signal.start()
    await syncApis(connection.db, allEndpoints)
    const tokens = makeTokens(randomBytes(32), systemClock, 3600)
    const book = new AccessCache({ db: connection.db, clock: systemClock, signal, tokens })
    await book.start()
    const rows = await connection.db
      .insertInto('app_user')
      .values(Array.from({ length: users }, (_, n) => ({ user_name: `bench${n}`, password_hash: '-', role_id: 3 })))
      .returning('user_id')
      .execute()
    const issued = await Promise.all(
      rows.map(({ user_id }) =>
        tokens.issue(
          { userID: user_id, role: 3, isAllData: 1, version: 1 },
          { sid: String(user_id), startedAt: Math.floor(Date.now() / 1000), factorAt: 0 },
        ),
      ),
    )
    const guarded = allEndpoints.filter((endpoint) => endpoint.access === 'role')
    const check = async (n: number) => {
      const { user } = await book.identify(issued[n % users]?.accessToken)
      const endpoint = guarded[n % guarded.length]
      if (endpoint) await book.allows(user.role, endpoint)
    }
    for (let n = 0; n < users; n++) await check(n)
    const begun = performance.now()
    for (let n = 0; n < rounds; n++) await check(n)
    const each = (performance.now() - begun) / rounds
    return [
      row({
        area: 'Permission',
        what: `identify and allow, ${users} users, warm`,
        figure: each,
        unit: 'ms',
        reference: 0.2,
      }),
    ]
  } finally {
    await signal.stop()
    await connection.close()
    await postgres.stop()
    for (const dir of [postgres.where, dataDir]) await rm(dir, { recursive: true, force: true })
  }
}
