import { parseInput } from '@ithings/contract/describe-issue.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  type createForward,
  forwardBody,
  forwardHandler,
  type replayForward,
  type updateForward,
} from '@ithings/contract/features/forwarding/rules.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type Insertable, sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import { places, sealJson } from '#db/sealed.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { ForwardRuleTable } from '#db/tables/forwarding.ts'
import { headerFault } from '#ports/webhook-rules.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import { unmaskTarget } from './masked-target.ts'
import { beginPosition } from './position.ts'
import { openTarget, readTarget } from './rule-target.ts'
import { findRule, nameConflicts } from './store.ts'

const mostRules = 100

type Fields = BodyOutput<typeof createForward>

async function refuseBadScript({ trialScripts }: ForwardingDeps, { form, script }: Pick<Fields, 'form' | 'script'>) {
  if (form !== 'script') return
  const { names, error, line } = await trialScripts.functionsOf(script)
  const detail =
    error !== ''
      ? phrase('脚本第 {line} 行有错：{error}', { line, error })
      : phrase('脚本里没有函数 {name}', { name: forwardHandler })
  if (error !== '' || !names.includes(forwardHandler)) throw new AppError(errors.parameter, { detail, field: 'script' })
}

/** Settings that an engine cannot make anything of are refused when they are saved. */
async function refuseBadTarget(deps: ForwardingDeps, target: Fields['target']): Promise<void> {
  for (const header of target.type === 'webhook' ? target.headers : []) {
    const detail = headerFault(header)
    if (detail) throw new AppError(errors.parameter, { detail, field: 'target.headers' })
  }
  await openTarget(deps, target).close()
}

const columnsOf = (db: Db, fields: Fields): Insertable<ForwardRuleTable> => ({
  name: fields.name,
  description: fields.desc,
  status: fields.status,
  sources: [...new Set(fields.sources)],
  filter: jsonText(fields.filter),
  form: fields.form,
  script: fields.script,
  target_type: fields.target.type,
  target: sealJson(db, places.forward, jsonText(fields.target)),
  lag_seconds: fields.lagSeconds,
  channel_ids: [...new Set(fields.channelIDs)],
})

/** It begins with what happens from now on. */
export async function createRule(deps: ForwardingDeps, input: Fields) {
  const fields = { ...input, target: unmaskTarget(input.target, undefined) }
  await refuseBadScript(deps, fields)
  await refuseBadTarget(deps, fields.target)
  const position = JSON.stringify(await beginPosition(deps.tail))
  const made = await nameConflicts(
    fields.name,
    deps.db.transaction().execute(async (db) => {
      // The count must not change under us.
      await sql`lock table forward_rule in share row exclusive mode`.execute(db)
      const { count } = await db
        .selectFrom('forward_rule')
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      if (count >= mostRules)
        throw new AppError(errors.quota, { msg: phrase('数据转发规则数量已达上限 {mostRules}', { mostRules }) })
      const { id } = await db
        .insertInto('forward_rule')
        .values(columnsOf(db, fields))
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('forward_state').values({ rule_id: id, position }).execute()
      return { id }
    }),
  )
  await deps.signal.send('forward.changed', made)
  return made
}

export async function updateRule(deps: ForwardingDeps, { id, rev, ...given }: BodyOutput<typeof updateForward>) {
  if (given.target) await refuseBadTarget(deps, unmaskTarget(given.target, await savedTarget(deps.db, id)))
  await nameConflicts(
    given.name ?? '',
    deps.db.transaction().execute(async (db) => {
      const row = await findRule(db, id, true)
      refuseStaleEdit(rev, row.rev)
      const saved = readTarget(db, row.target)
      const fields = parseInput(forwardBody, {
        name: row.name,
        desc: row.description,
        status: row.status,
        sources: row.sources,
        filter: row.filter,
        form: row.form,
        script: row.script,
        lagSeconds: row.lag_seconds,
        channelIDs: row.channel_ids,
        ...given,
        target: given.target ? unmaskTarget(given.target, saved) : saved,
      })
      if (given.script !== undefined || given.form !== undefined) await refuseBadScript(deps, fields)
      await db
        .updateTable('forward_rule')
        .set({ ...columnsOf(db, fields), rev: sql`rev + 1` })
        .where('id', '=', id)
        .execute()
    }),
  )
  await deps.signal.send('forward.changed', { id })
}

const savedTarget = async (db: Db, id: number) => readTarget(db, (await findRule(db, id)).target)

export async function deleteRule({ db, signal }: ForwardingDeps, { id }: { id: number }) {
  await findRule(db, id)
  await db.deleteFrom('forward_rule').where('id', '=', id).execute()
  await signal.send('forward.changed', { id })
}

/** Whoever has the rule loses it and begins there; what waits now is behind that moment and comes in its turn. */
export async function replayRule(deps: ForwardingDeps, { id, from }: BodyOutput<typeof replayForward>) {
  const { db, tail, clock, signal } = deps
  await findRule(db, id)
  if (from > clock.now())
    throw new AppError(errors.parameter, { detail: phrase('重放的时间不能晚于现在'), field: 'from' })
  const position = JSON.stringify(await beginPosition(tail, from))
  await db
    .updateTable('forward_state')
    .set({ position, turn: sql`turn + 1`, lease_until: sql`'-infinity'`, error: '', error_at: 0 })
    .where('rule_id', '=', id)
    .execute()
  await signal.send('forward.changed', { id })
}
