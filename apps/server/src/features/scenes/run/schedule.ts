/**
 * Timer scenes: the next moment of each stands in the database, and whoever moves it on runs the scene, so that one of
 * several servers does, and a server that comes back finds what it missed.
 */
import { makeCron } from '@ithings/contract/cron.ts'
import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { describeTrigger } from '@ithings/contract/rules/describe-trigger.ts'
import { keeping, kept } from '@ithings/contract/text.ts'
import type { Loop } from '#background/loop.ts'
import { findByKeys, spellKey } from '#features/devices/door.ts'
import type { CachedProduct } from '#features/products/door.ts'
import { saidMomentWithSlashes } from '#http/said-moment.ts'
import { checkConditions } from '../engine/check-conditions.ts'
import { compileScene, productsOf } from '../engine/compile-scene.ts'
import type { CompiledScene, ConditionSource, SceneFiring } from '../engine/engine-types.ts'
import { lookupNames } from '../engine/lookup-names.ts'
import { zoneText } from '../scene-names.ts'
import { partsOf, type SceneRow } from '../store.ts'
import type { Misses } from '../watch/misses.ts'
import { nextRun } from './next-run.ts'
import { timerCause } from './run-store.ts'
import type { RunnerDeps } from './runner-deps.ts'

const everyMs = 1_000
const atOnce = 200
/** Missed moments are made up for when they are not older, once however many there were. */
export const madeUpForMs = 10 * 60_000
/** From here on it counts as made up for, not as punctual. */
const punctualMs = 1_000

export interface ScheduleDeps
  extends Pick<RunnerDeps, 'db' | 'clock' | 'signal' | 'log' | 'background' | 'products' | 'latest' | 'lookMs'> {
  fire(firing: SceneFiring): void
  misses: Pick<Misses, 'add'>
}

/** The newest moment that is not in the future; `due` itself when there is no later one. */
function lastMoment(cron: string, due: number, now: number): number {
  const [last] = makeCron(cron).previousRuns(1, new Date(now + 1_000))
  const at = last?.getTime() ?? due
  return at > due && at <= now ? at : due
}

async function compile({ db, products }: ScheduleDeps, row: SceneRow): Promise<CompiledScene> {
  const parts = partsOf(db, row)
  const models = new Map<string, CachedProduct | undefined>()
  for (const productID of productsOf(parts)) models.set(productID, await products.get(productID))
  const look = { product: (productID: string) => models.get(productID) }
  return compileScene({ sceneID: row.id, name: row.name, rev: row.rev, ...parts }, look)
}

async function readValues({ db, latest }: ScheduleDeps, needs: ConditionSource[]) {
  const { found } = await findByKeys(db, needs)
  const values = await latest.readMany(found.map((one) => one.deviceID))
  const ids = new Map(found.map((one) => [spellKey(one), one.deviceID]))
  return (source: ConditionSource): unknown => {
    const deviceID = ids.get(spellKey(source))
    return deviceID === undefined ? undefined : values.get(deviceID)?.[source.property]?.value
  }
}

async function runTimer(deps: ScheduleDeps, row: SceneRow, moment: number): Promise<void> {
  const { db, clock, misses } = deps
  const now = clock.now()
  const late = now - moment
  const { timer } = partsOf(db, row).trigger
  const zone = zoneText(moment)
  const names = { ...lookupNames({ product: () => undefined }), zone }
  const said = timer ? keeping(() => describeTrigger(timer, names)) : ''
  const seconds = Math.round(late / 1000)
  const triggerText =
    late > punctualMs ? kept('{trigger}（晚 {count} 秒补执行）', { trigger: said, count: seconds }) : said
  const told = { sceneID: row.id, triggerText, device: undefined, traceID: '' }
  if (late > madeUpForMs) {
    const time = saidMomentWithSlashes(moment)
    const reason = kept('{time} 的执行已错过：服务当时未运行', { time })
    misses.add({ ...told, triggerText: said, reason, conditions: [] })
    return
  }
  const compiled = await compile(deps, row)
  const value = await readValues(deps, compiled.needs)
  const { ok, list, reason } = checkConditions(compiled.conditions, { value, at: now })
  if (!ok) return misses.add({ ...told, reason, conditions: list })
  deps.fire({
    ...told,
    cause: `${timerCause}${moment}`,
    seen: {},
    conditions: list,
    firedAt: late > punctualMs ? now : moment,
    depth: 0,
    userName: '',
  })
}

/** @returns whether this server is the one that runs it */
async function move({ db, clock }: ScheduleDeps, row: SceneRow): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scene')
    .set({ next_run_at: nextRun(partsOf(db, row).trigger, clock.now()) })
    .where('id', '=', row.id)
    .where('next_run_at', '=', row.next_run_at)
    .where('status', '=', SceneStatus.enabled)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function look(deps: ScheduleDeps): Promise<number | undefined> {
  const { db, clock, log } = deps
  const rows = await db
    .selectFrom('scene')
    .selectAll()
    .where('next_run_at', '<=', clock.now())
    .orderBy('next_run_at')
    .limit(atOnce)
    .execute()
  await Promise.all(
    rows.map(async (row) => {
      try {
        const { timer } = partsOf(db, row).trigger
        const due = row.next_run_at
        if (!timer || due === null || !(await move(deps, row))) return
        await runTimer(deps, row, lastMoment(timer.cron, due, clock.now()))
      } catch (error) {
        log.error({ err: error, sceneID: row.id }, 'a scheduled scene could not be run')
      }
    }),
  )
  if (rows.length >= atOnce) return clock.now()
  const next = await db
    .selectFrom('scene')
    .select(({ fn }) => fn.min('next_run_at').as('at'))
    .where('next_run_at', 'is not', null)
    .executeTakeFirst()
  return next?.at ?? undefined
}

export function makeSchedule(deps: ScheduleDeps): Loop {
  const { background, signal, lookMs = everyMs } = deps
  const loop = background.loop({ name: 'scenes.schedule', everyMs: lookMs, turn: () => look(deps) })
  // A new schedule may be due before the next regular look.
  signal.on('scene.changed', () => loop.wake())
  return loop
}
