/**
 * What devices answered to the commands of tasks. The history of commands has it first, on whichever server the device
 * is connected to; from there it goes to the row of the device, and, after a crash between the two, by a sweep.
 */
import { errors } from '@ithings/contract/errors.ts'
import { DeployStatus } from '@ithings/contract/features/tasks.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { runPrepared } from '#db/run-prepared.ts'
import { RowState } from '#features/rollouts/door.ts'
import { openRunIDs } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

const success = 200
/** Answers that come within this time are read together. */
const gatherMs = 20
const mostAtOnce = 500
/** Beyond it the sweep finds them. */
const mostWaiting = 20_000

interface Asked {
  deviceID: number
  clientToken: string
}
interface Answered {
  device_id: number
  client_token: string
  code: number
  status: string
}

/** Only what devices said: the history notes a time-out too, but a task has its own time. */
const isAnswer = sql`c.done_at > 0 and not (c.code = ${sql.lit(errors.timeout.code)} and c.reply = 'null'::jsonb)`

export interface Answers {
  /**
   * Around the sending of one command: what the history says meanwhile may be a refusal of ours, which the sender
   * hears itself.
   */
  sending<T extends { result: string }>(asked: Asked, work: () => Promise<T>): Promise<T>
  /** Answers that nobody passed on. */
  sweep(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export function makeAnswers({ db, bus, clock, log, background, rollouts }: TasksDeps): Answers {
  const busy = new Map<string, boolean>()
  const waiting: Asked[] = []
  let end: (() => void) | undefined

  const pass = ({ device_id, client_token, code, status }: Answered) =>
    rollouts.settleByToken('task', device_id, client_token, {
      result: code === success ? 'success' : 'failed',
      code,
      msg: status || (code === success ? '' : kept('设备拒绝')),
    })
  const passAll = async (rows: Answered[]) => {
    for (const row of rows) {
      await pass(row).catch((error: unknown) => log.warn({ err: error }, 'an answer to a task could not be noted'))
    }
  }
  const read = async (asked: Asked[]): Promise<Answered[]> => {
    const statement = sql<Answered>`
      select c.device_id, c.client_token, c.code, c.status
      from unnest(${asked.map((one) => one.deviceID)}::bigint[], ${asked.map((one) => one.clientToken)}::text[])
        as asked (device_id, client_token)
      join device_command c using (client_token, device_id)
      where c.source = 'task' and ${isAnswer}`
    return (await runPrepared(db, statement)).rows
  }
  const loop = background.loop({
    name: 'tasks.answers',
    async turn() {
      while (waiting.length > 0) await passAll(await read(waiting.splice(0, mostAtOnce)))
      return undefined
    },
  })
  const note = (asked: Asked) => {
    if (waiting.length >= mostWaiting) return
    waiting.push(asked)
    loop.wake(clock.now() + gatherMs)
  }

  return {
    async sending(asked, work) {
      const { clientToken } = asked
      busy.set(clientToken, false)
      try {
        const outcome = await work()
        if (outcome.result === 'sent' && busy.get(clientToken)) note(asked)
        return outcome
      } finally {
        busy.delete(clientToken)
      }
    },
    async sweep() {
      const runs = await openRunIDs(db)
      if (runs.length === 0) return
      const { rows } = await sql<Answered>`
        select c.device_id, c.client_token, c.code, c.status
        from rollout_device d
        join device_command c on c.client_token = d.client_token and c.device_id = d.device_id
        where d.run_id = any(${runs}::bigint[]) and d.status = ${sql.lit(DeployStatus.running)}
          and d.state = ${sql.lit(RowState.sent)} and d.sent_at > 0 and c.source = 'task' and ${isAnswer}
        limit ${mostAtOnce}`.execute(db)
      await passAll(rows)
    },
    start() {
      loop.start()
      end = bus.on('command.done', ({ device, clientToken }) => {
        if (busy.has(clientToken)) busy.set(clientToken, true)
        else note({ deviceID: device.deviceID, clientToken })
      })
    },
    async stop() {
      end?.()
      await loop.stop()
      await loop.flush()
    },
  }
}
