/** What carries notices between the servers of one database: the database itself, or NATS. */

import { createHmac } from 'node:crypto'
import { phrase } from '@ithings/contract/text.ts'
import type { Logger } from 'pino'
import type { Connection } from '#db/connect.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { loadKey } from '#features/users/platform-key.ts'
import type { Signal } from '#ports/signal.ts'
import { wordsOf } from '#terminal.ts'
import { type Config, ConfigError } from './config.ts'

interface SignalParts {
  config: Config
  databaseUrl: string
  connection: Connection
  log: Logger
}

export async function openSignal({ config, databaseUrl, connection, log }: SignalParts): Promise<Signal> {
  const { nats } = config
  const failed = (error: Error) => log.warn({ err: error }, 'the signal connection was lost, opening it again')
  if (!nats) {
    const signal = makePgSignal(databaseUrl, connection.pool, failed)
    await signal.start()
    return signal
  }
  const { makeNatsSignal } = await import('#engines/nats-signal/nats-signal.ts')
  // All servers of one database have the key, and nobody else; what is made of it tells nothing of it.
  const mark = createHmac('sha256', await loadKey(connection.db, 'link'))
    .update('signal subjects')
    .digest('hex')
  const signal = makeNatsSignal({ address: nats, installation: mark.slice(0, 16), failed })
  try {
    await signal.start()
  } catch (cause) {
    const servers = nats.servers.join(', ')
    throw new ConfigError(phrase('NATS_URL：服务器 {servers} 都无法使用：{why}', { servers, why: wordsOf(cause) }))
  }
  return signal
}
