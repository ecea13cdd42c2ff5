/** A server of its own that works on runs until the test kills it; it notes each device before it would be sent to. */
import { sql } from 'kysely'
import { connect } from '#db/connect.ts'
import { openRolloutServer, testKind } from './rollout-server.ts'

const [url = '', lost = ''] = process.argv.slice(2)
const { db } = connect(url, () => {})
await openRolloutServer(
  url,
  { now: () => Date.now() },
  testKind({
    send: async (_run, row) => {
      await sql`insert into pushed (device_id, by) values (${row.deviceID}, 'doomed')`.execute(db)
      process.stdout.write('sent\n')
      // Some are out without a word about it: the kill comes first.
      if (row.position % 3 === 0) return new Promise(() => {})
      return { result: 'done' }
    },
    lost: () => ({ then: 'failed', msg: lost }),
  }),
)
process.stdout.write('ready\n')
