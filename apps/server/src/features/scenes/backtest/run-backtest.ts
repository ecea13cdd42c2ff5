/**
 * Replays stored values through the engine (issue: backtest). The scene in question and the saved one are judged in the
 * same pass. Memory is bounded by the pieces of the history, and others get their turn every few milliseconds.
 */

import { dayMs } from '@ithings/contract/durations.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { BacktestReport } from '@ithings/contract/features/scenes/trial.ts'
import type { SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import type { Common } from '#common-deps.ts'
import type { CachedProduct, ProductCache } from '#features/products/door.ts'
import type { History, ReplayChunk } from '#ports/history.ts'
import { compileScene, productsOf } from '../engine/compile-scene.ts'
import type { CompiledTrigger } from '../engine/engine-types.ts'
import { makeChart, makeFoundNotes, makeSavedNotes } from './backtest-notes.ts'
import { type BacktestPlan, planBacktest } from './backtest-plan.ts'
import { mostAskedAgain, mostTimerRuns, SceneReplay } from './replay-scene.ts'
import { makeSideFacts, type SideFact } from './side-facts.ts'

/** Values that one backtest may replay: about ten minutes of work. */
const mostValues = 200_000_000
/** Others wait no longer than this for their turn. */
const turnMs = 10
const rowsBetweenLooks = 1_024

export interface BacktestDeps extends Common<'db' | 'clock'> {
  products: ProductCache
  history: History
}

export interface BacktestInput {
  name: string
  scene: SceneParts
  saved: SceneParts | undefined
  from: number
  to: number
}

export interface BacktestPace {
  signal: AbortSignal
  /** Told often; throws when it was cancelled. */
  progress(done: number, total: number): Promise<void>
}

const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))

async function loadProducts({ products }: BacktestDeps, scenes: SceneParts[]): Promise<Map<string, CachedProduct>> {
  const known = new Map<string, CachedProduct>()
  for (const productID of new Set(scenes.flatMap(productsOf))) {
    const product = await products.get(productID)
    if (product) known.set(productID, product)
  }
  return known
}

/** A walk through one piece: facts and values in the order of their time, what one device said at once as one. */
async function walk(
  replay: SceneReplay,
  plan: BacktestPlan,
  chunk: ReplayChunk,
  side: SideFact[],
  onValue: (series: number, time: number, value: unknown) => void,
  look: (rows: number) => Promise<void>,
): Promise<void> {
  const { count, times, series } = chunk
  const { owners } = plan
  const records = new Map<number, Record<string, unknown>>()
  let told = 0
  let looked = 0
  let row = 0
  const tellUntil = (time: number) => {
    for (let next = side[told]; next && next.fact.at <= time; next = side[++told]) {
      replay.advance(next.fact.at)
      replay.tell(next.device, next.fact)
    }
  }
  while (row < count) {
    if (row - looked >= rowsBetweenLooks) {
      await look(row - looked)
      looked = row
    }
    const time = times[row] as number
    const first = series[row] as number
    const device = owners[first] as number
    if (side.length > told) tellUntil(time)
    replay.advance(time)
    let end = row + 1
    while (end < count && times[end] === time && owners[series[end] as number] === device) end++
    // One value alone is the rule: its record is used again.
    let values: Record<string, unknown> | undefined = end === row + 1 ? records.get(first) : {}
    if (!values) {
      values = {}
      records.set(first, values)
    }
    for (; row < end; row++) {
      const index = series[row] as number
      const value = chunk.value(row)
      values[plan.series[index]?.property ?? ''] = value
      replay.set(index, value)
      onValue(index, time, value)
    }
    replay.values(device, time, values)
  }
  tellUntil(chunk.to - 1)
  replay.advance(chunk.to - 1)
  await look(count - looked)
}

/** Series of the devices that the trigger watches, for the chart. */
function chartSeries(plan: BacktestPlan, trigger: CompiledTrigger | undefined): Uint8Array {
  const marked = new Uint8Array(plan.series.length)
  if (!trigger) return marked
  for (const { triggers, series } of plan.devices) {
    const index = triggers[0]?.includes(trigger) ? series.get(trigger.dataID) : undefined
    if (index !== undefined) marked[index] = 1
  }
  return marked
}

function explain(
  plan: BacktestPlan,
  products: ReadonlyMap<string, CachedProduct>,
  { from }: BacktestInput,
  now: number,
): string[] {
  const notes: string[] = []
  const triggers = plan.scenes[0]?.triggers ?? []
  for (const problem of plan.scenes[0]?.problems ?? []) notes.push(kept('未回放：{problem}', { problem }))
  if (plan.unrecorded.size > 0)
    notes.push(kept('不记录历史、无法回放的属性：{properties}', { properties: [...plan.unrecorded] }))
  if (triggers.some(({ operator }) => operator === 'connected' || operator === 'disConnected')) {
    const days = Math.min(...triggers.map(({ productID }) => products.get(productID)?.logDays ?? 1))
    const isThere = from >= now - days * dayMs
    notes.push(
      isThere
        ? kept('上下线按通信日志回放')
        : kept('上下线按通信日志回放，日志只保留 {count} 天，更早的无法回放', { count: days }),
    )
  }
  if (triggers.some(({ operator, dataID }) => operator === 'noReport' && dataID === ''))
    notes.push(kept('“长时间无数据”按已保存的属性值回放'))
  if (triggers.some(({ selector }) => selector === 'group')) notes.push(kept('分组按现在的成员回放'))
  return notes
}

export async function runBacktest(
  deps: BacktestDeps,
  input: BacktestInput,
  pace: BacktestPace,
): Promise<BacktestReport> {
  const { from, to } = input
  const begun = performance.now()
  const parts = input.saved ? [input.scene, input.saved] : [input.scene]
  const products = await loadProducts(deps, parts)
  const look = { product: (productID: string) => products.get(productID) }
  const scenes = parts.map((one) => compileScene({ sceneID: 0, name: input.name, rev: 0, ...one }, look))
  const plan = await planBacktest(deps.db, scenes, products)
  const found = makeFoundNotes(scenes[0] as (typeof scenes)[number])
  const saved = makeSavedNotes()
  const crons = parts.map(({ trigger }) => trigger.timer?.cron)
  const replay = new SceneReplay(plan, crons, [found, saved], { from, to })
  for (const [series, last] of (await deps.history.lastBefore(plan.series, from)).entries()) {
    if (last) replay.preload(series, last.time, last.value)
  }
  replay.advance(from - 1)

  const watched = scenes[0]?.triggers.find(({ operator }) => operator === 'reportProperty')
  const chart = makeChart(watched, { from, to })
  const marked = chartSeries(plan, watched)
  const side = makeSideFacts(deps.db, plan)
  const { total, chunks } = await deps.history.replay({ series: plan.series, from, to })
  if (total > mostValues) {
    throw new AppError(errors.outOfRange, {
      detail: phrase('回测最多 {mostWan} 万个值，这段时间约有 {wan} 万个，请缩短时间或减少设备', {
        mostWan: mostValues / 10_000,
        wan: Math.round(total / 10_000),
        // Chinese counts in ten thousands, English does not.
        most: mostValues,
        total: Math.round(total / 10_000) * 10_000,
      }),
    })
  }
  let scanned = 0
  let turn = performance.now()
  const onValue = (series: number, time: number, value: unknown) => {
    if (marked[series] === 1) chart.add(time, value)
  }
  const onRows = async (rows: number) => {
    scanned += rows
    if (performance.now() - turn < turnMs) return
    await breathe()
    pace.signal.throwIfAborted()
    await pace.progress(scanned, Math.max(total, scanned))
    turn = performance.now()
  }
  for await (const chunk of chunks()) {
    await walk(replay, plan, chunk, await side.read(chunk.from, chunk.to), onValue, onRows)
  }
  const notes = explain(plan, products, input, deps.clock.now())
  if (replay.cutOff) notes.push(kept('定时次数过多，只回放了前 {count} 次', { count: mostTimerRuns }))
  if (replay.tired)
    notes.push(kept('条件不成立的持续状态过多，每分钟的重新判断只做了前 {count} 次', { count: mostAskedAgain }))
  return {
    fired: found.fires,
    total: found.total,
    devices: found.devices.size,
    scanned,
    seconds: Math.round(performance.now() - begun) / 1000,
    missed: found.misses,
    missedAt: found.firstMisses,
    chart: chart.finish(),
    ...(input.saved && { saved: { total: saved.total, times: saved.times } }),
    notes,
  }
}
