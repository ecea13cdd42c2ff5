/** `npm run audit-check`: whether entries of the operation log were changed, taken out or put in. */

import { ended } from '#backup/exit-codes.ts'
import { openBeside } from '#backup/open-database.ts'
import { connect } from '#db/connect.ts'
import { checkChain, type Link } from '#features/logs/check-chain.ts'
import type { Config } from './config.ts'

const usage = `usage:
  npm run audit-check                walks the chain of the operation log
  npm run audit-check -- ENTRY:HASH  also compares with what an earlier check said`

export interface AuditCheck {
  args: string[]
  config: Pick<Config, 'databaseUrl' | 'dataDir'>
  say(line: string): void
  complain(line: string): void
}

function readNoted([text, ...more]: string[]): Link | undefined | 'misused' {
  if (text === undefined) return undefined
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return id && hash && more.length === 0 ? { id: Number(id), hash: Buffer.from(hash, 'hex') } : 'misused'
}

const progressEvery = 100_000

/** @returns the exit code; a broken chain, or none that could be read, is a failure */
export async function auditCheck({ args, config, say, complain }: AuditCheck): Promise<number> {
  const noted = readNoted(args)
  if (noted === 'misused') {
    complain(usage)
    return ended.misused
  }
  const database = await openBeside(config, say)
  const { db, close } = connect(database.connectionString, () => undefined, 1)
  let told = 0
  const progress = (entries: number) => {
    if (entries < told + progressEvery) return
    told = entries
    say(`${entries} entries …`)
  }
  try {
    const { entries, first, head, broken } = await checkChain(db, progress, noted)
    if (broken) {
      complain(`broken: ${broken} (${entries} entries before it are as they were written)`)
      return ended.failed
    }
    say(entries === 0 ? 'no entries' : `${entries} entries, unbroken from ${first} to ${head.id}`)
    if (noted && noted.id < first) say(`entry ${noted.id} went with its retention and could not be compared`)
    if (head.id > 0) say(`to compare later: npm run audit-check -- ${head.id}:${head.hash.toString('hex')}`)
    return ended.well
  } finally {
    await close()
    await database.stop()
  }
}
