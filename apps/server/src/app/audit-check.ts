/** `npm run audit-check`: whether entries of the operation log were changed, taken out or put in. */

import { phrase } from '@ithings/contract/text.ts'
import { ended } from '#backup/exit-codes.ts'
import { openBeside } from '#backup/open-database.ts'
import { connect } from '#db/connect.ts'
import { checkChain, type Link } from '#features/logs/check-chain.ts'
import { inTerminal } from '#terminal.ts'
import type { Config } from './config.ts'

const usage = phrase(`用法：
  npm run audit-check                沿操作日志的链逐条检查
  npm run audit-check -- 编号:哈希   再与以前检查的结果比较`)

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
    complain(inTerminal(usage))
    return ended.misused
  }
  const database = await openBeside(config, say)
  const { db, close } = connect(database.connectionString, () => undefined, 1)
  let told = 0
  const progress = (entries: number) => {
    if (entries < told + progressEvery) return
    told = entries
    say(inTerminal(phrase('已检查 {entries} 条…', { entries, count: entries })))
  }
  try {
    const { entries, first, head, broken } = await checkChain(db, progress, noted)
    if (broken) {
      complain(
        inTerminal(
          phrase('链已断开：{broken}（此前的 {entries} 条与写入时一致）', { broken, entries, count: entries }),
        ),
      )
      return ended.failed
    }
    const whole = phrase('共 {entries} 条，从 {first} 到 {last} 完整', {
      entries,
      first,
      last: head.id,
      count: entries,
    })
    say(inTerminal(entries === 0 ? phrase('没有日志') : whole))
    if (noted && noted.id < first) say(inTerminal(phrase('第 {id} 条已过保存期限被清除，无法比较', { id: noted.id })))
    const link = `${head.id}:${head.hash.toString('hex')}`
    if (head.id > 0) say(inTerminal(phrase('以后比较用：npm run audit-check -- {link}', { link })))
    return ended.well
  } finally {
    await close()
    await database.stop()
  }
}
