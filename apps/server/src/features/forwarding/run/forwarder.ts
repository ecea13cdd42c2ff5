/** The rules of this server: taken one by one, each by one server at a time, and given back. */
import { sql } from 'kysely'
import type { ForwardingDeps } from '../forwarding-deps.ts'
import { makeDeviceFacts } from './device-facts.ts'
import { makeForwardMeters } from './forward-meters.ts'
import { Pace } from './pace.ts'
import { RuleRunner, type RunnerParts } from './rule-runner.ts'
import { leaseSeconds } from './rule-state.ts'

const lookMs = 1_000
/** Rules that wait at the end of the journal look again together. */
const momentMs = 100
/** So that several servers that start together share the rules out. */
const takenAtOnce = 2

/** All who wait resolve at the same moments. */
function makeMoments(): RunnerParts['nextMoment'] {
  let next: Promise<void> | undefined
  return (signal) => {
    next ??= new Promise((resolve) => {
      setTimeout(() => {
        next = undefined
        resolve()
      }, momentMs)
    })
    return signal.aborted ? Promise.resolve() : next
  }
}

export function startForwarding(deps: ForwardingDeps): { stop(): Promise<void> } {
  const { db, signal, background, serverID } = deps
  const parts: RunnerParts = {
    deps,
    factsOf: makeDeviceFacts(deps),
    nextMoment: makeMoments(),
    meters: makeForwardMeters(deps.metrics),
    pace: new Pace(),
  }
  const running = new Map<number, RuleRunner>()

  async function drop(id: number): Promise<void> {
    const runner = running.get(id)
    running.delete(id)
    await runner?.stop()
  }

  /** Those that are still this server's, as they are now; the lease of all of them is renewed. */
  async function renew(): Promise<void> {
    if (running.size === 0) return
    const { rows } = await sql<{ id: number; turn: number; rev: number }>`
      update forward_state s set lease_until = now() + make_interval(secs => ${leaseSeconds})
      from forward_rule r where r.id = s.rule_id and r.status = 1 and s.owner = ${serverID}
        and s.rule_id = any (${[...running.keys()]}::integer[])
      returning r.id, s.turn, r.rev`.execute(db)
    const mine = new Map(rows.map((row) => [row.id, row]))
    for (const [id, runner] of [...running]) {
      const row = mine.get(id)
      if (row?.turn === runner.turn && row.rev === runner.rule.rev && !runner.isOver) runner.renewed()
      else await drop(id)
    }
  }

  async function take(): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      update forward_state set owner = ${serverID}, turn = turn + 1,
        lease_until = now() + make_interval(secs => ${leaseSeconds})
      where rule_id in (
        select s.rule_id from forward_state s join forward_rule r on r.id = s.rule_id
        where r.status = 1 and (s.lease_until < now() or s.owner = ${serverID})
          and s.rule_id <> all (${[...running.keys()]}::integer[])
        order by s.rule_id limit ${takenAtOnce} for update of s skip locked)
      returning rule_id as id`.execute(db)
    for (const { id } of rows) {
      const rule = await db.selectFrom('forward_rule').selectAll().where('id', '=', id).executeTakeFirst()
      const state = await db.selectFrom('forward_state').selectAll().where('rule_id', '=', id).executeTakeFirst()
      if (rule && state?.owner === serverID) running.set(id, new RuleRunner(parts, rule, state))
    }
    if (rows.length === takenAtOnce) loop.wake()
  }

  const loop = background.loop({
    name: 'forwarding',
    everyMs: lookMs,
    async turn() {
      await renew()
      await take()
      return undefined
    },
  })
  signal.on('forward.changed', () => loop.wake())
  signal.onGap(() => loop.wake())
  loop.start()
  return {
    async stop() {
      await loop.stop()
      await Promise.all([...running.keys()].map(drop))
      await db
        .updateTable('forward_state')
        .set({ owner: '', lease_until: sql`'-infinity'` })
        .where('owner', '=', serverID)
        .execute()
        .catch(() => undefined)
    },
  }
}
