/** A sample message against the unsaved scene. Nothing is done and nothing remembered. */

import type { BodyOutput, DataOf } from '@ithings/contract/endpoint.ts'
import { badField, errors, refusal } from '@ithings/contract/errors.ts'
import type { CheckedCondition } from '@ithings/contract/features/scenes/log.ts'
import type { dryRunScene as endpoint } from '@ithings/contract/features/scenes/trial.ts'
import { describeAction } from '@ithings/contract/rules/describe-action.ts'
import { describeTrigger } from '@ithings/contract/rules/describe-trigger.ts'
import type { SceneNames } from '@ithings/contract/rules/scene-names.ts'
import { parseScene, type SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { keeping, kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { findByKeys, groupWithChildren, requireDevice } from '#features/devices/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import { checkConditions } from './engine/check-conditions.ts'
import { compileScene } from './engine/compile-scene.ts'
import type { CompiledScene, CompiledTrigger, ConditionSource, Fact } from './engine/engine-types.ts'
import { emptyState, judge } from './engine/judge.ts'
import { loadWorld } from './rule-world.ts'
import { type SampleMessage, sampleFacts } from './sample-message.ts'
import { makeNames, zoneText } from './scene-names.ts'
import { mentionsOf } from './scene-references.ts'
import type { ScenesDeps } from './scenes-deps.ts'

export type DryRunDeps = Pick<ScenesDeps, 'db' | 'clock' | 'products'> & { latest: Pick<LatestValues, 'readMany'> }

type Answer = DataOf<typeof endpoint>

const deviceKey = (one: { productID: string; deviceName: string }) => `${one.productID}/${one.deviceName}`

/** What conditions see: the sample first, then what devices said last. */
async function readLatest(deps: DryRunDeps, needs: ConditionSource[], device: DeviceRef | undefined) {
  const named = needs.filter(({ deviceName }) => deviceName !== '')
  const { found } = await findByKeys(deps.db, named)
  const devices = new Map(found.map((one) => [deviceKey(one), one.deviceID]))
  if (device) devices.set(deviceKey(device), device.deviceID)
  const latest = await deps.latest.readMany([...new Set(devices.values())])
  return (source: ConditionSource, facts: Fact[]): unknown => {
    const asked = source.deviceName === '' ? device : source
    if (!asked || asked.productID !== source.productID) return undefined
    for (const fact of facts) {
      if (fact.kind !== 'values' || deviceKey(fact.device) !== deviceKey(asked)) continue
      if (Object.hasOwn(fact.values, source.property)) return fact.values[source.property]
    }
    return latest.get(devices.get(deviceKey(asked)) ?? 0)?.[source.property]?.value
  }
}

async function linkedAlarms(db: Db, sceneID: number | undefined): Promise<string[]> {
  if (!sceneID) return []
  const { rows } = await sql<{ name: string }>`
    select name from alarm join alarm_scene on alarm_id = alarm.id where scene_id = ${sceneID} order by id`.execute(db)
  return rows.map(({ name }) => name)
}

async function findMembers(db: Db, triggers: CompiledTrigger[], device: DeviceRef): Promise<Set<number>> {
  const inside = new Set<number>()
  for (const groupID of new Set(triggers.flatMap((one) => (one.selector === 'group' ? [one.groupID] : [])))) {
    const groups = await groupWithChildren(db, groupID)
    const row = await db
      .selectFrom('group_device')
      .select('device_id')
      .where('device_id', '=', device.deviceID)
      .where('group_id', 'in', groups.length > 0 ? groups : [0])
      .executeTakeFirst()
    if (row) inside.add(groupID)
  }
  return inside
}

/** What a single message cannot show is taken as given, and said so. */
function assumptions({ keepMs, times, windowMs, once, minIntervalMs }: CompiledTrigger): string[] {
  const said: string[] = []
  if (keepMs > 0) said.push(kept('须持续 {count} 秒（试运行按已持续计）', { count: keepMs / 1000 }))
  if (times > 1)
    said.push(kept('须 {seconds} 秒内 {times} 次（试运行按已满足计）', { seconds: windowMs / 1000, times }))
  if (once) said.push(kept('状态恢复前只触发一次（试运行按首次计）'))
  if (minIntervalMs > 0)
    said.push(kept('两次触发至少间隔 {count} 秒（试运行按首次计）', { count: minIntervalMs / 1000 }))
  return said
}

interface Judged {
  ok: boolean
  lines: CheckedCondition[]
  reason: string
}

function judgeTrigger(trigger: CompiledTrigger, facts: Fact[], device: DeviceRef, members: Set<number>): Judged {
  const line = (value: string, ok: boolean): CheckedCondition => ({ text: trigger.text, value, ok, level: 0 })
  const no = (value: string, why: string): Judged => ({
    ok: false,
    lines: [line(value, false)],
    reason: kept('触发不满足：{trigger}（{why}）', { trigger: trigger.text, why }),
  })
  const { selector, productID, names, groupID } = trigger
  const { deviceName } = device
  if (productID !== device.productID) return no('', kept('{deviceName} 不是该产品的设备', { deviceName }))
  const selected = selector === 'all' || (selector === 'fixed' ? names.has(deviceName) : members.has(groupID))
  if (!selected) return no('', kept('不包括设备 {deviceName}', { deviceName }))
  const plain = { ...trigger, keepMs: 0, times: 1, once: false, minIntervalMs: 0 }
  let seen: string | undefined
  for (const fact of facts) {
    const state = emptyState()
    const verdict = judge({ ...plain, test: undefined }, state, fact)
    if (verdict.kind === 'none') continue
    seen = state.seen === undefined ? '' : trigger.show(state.seen)
    if (judge(plain, emptyState(), fact).kind !== 'fire') continue
    const lines = assumptions(trigger).map((text): CheckedCondition => ({ text, value: '', ok: true, level: 1 }))
    return { ok: true, lines: [line(seen, true), ...lines], reason: '' }
  }
  return seen === undefined ? no('', kept('样例消息没有涉及')) : no(seen, kept('样例为 {seen}', { seen }))
}

interface Prepared {
  scene: CompiledScene
  parts: SceneParts
  names: SceneNames
  facts: Fact[]
  device: DeviceRef | undefined
  members: Set<number>
  at: number
}

/** The triggers of the scene, those that refer to something gone included. */
function judgeTriggers({ scene, parts, names, facts, device, members }: Prepared): Judged {
  if (scene.triggerType !== 'device' || !device) {
    const { timer } = parts.trigger
    const text = timer ? keeping(() => describeTrigger(timer, names)) : kept('手动执行')
    return { ok: true, lines: [{ text, value: '', ok: true, level: 0 }], reason: '' }
  }
  const judged = [
    ...scene.triggers.map((trigger) => judgeTrigger(trigger, facts, device, members)),
    ...scene.goneTriggers.map(
      (text): Judged => ({ ok: false, lines: [{ text, value: '', ok: false, level: 0 }], reason: text }),
    ),
  ]
  const ok = judged.some((one) => one.ok)
  return {
    ok,
    lines: judged.flatMap(({ lines }) => lines),
    reason: ok ? '' : (judged[0]?.reason ?? kept('没有可用的触发')),
  }
}

async function prepare(deps: DryRunDeps, input: BodyOutput<typeof endpoint>): Promise<Prepared> {
  const parts = parseScene(input.scene)
  const { message, scene: draft } = input
  if (parts.triggerType === 'device' && !message) throw badField('message', '设备触发的场景需要一条样例消息')
  const [world, alarms] = await Promise.all([loadWorld(deps, [mentionsOf(parts)]), linkedAlarms(deps.db, draft.id)])
  const names = makeNames(world, alarms, zoneText(deps.clock.now()))
  const look = { product: (productID: string) => world.products.get(productID) }
  const scene = compileScene({ sceneID: draft.id ?? 0, name: draft.name, rev: 0, ...parts }, look, names)
  const at = message?.timestamp || deps.clock.now()
  const sample = parts.triggerType === 'device' ? message : undefined
  if (!sample) return { scene, parts, names, facts: [], device: undefined, members: new Set(), at }
  const device = await findSampleDevice(deps.db, sample)
  const product = await deps.products.get(device.productID)
  if (!product) throw refusal(errors.notFound, '产品 {productID} 不存在', { productID: device.productID })
  const facts = sampleFacts(sample, product, scene.triggers, { device, at, traceID: '' })
  return { scene, parts, names, facts, device, members: await findMembers(deps.db, scene.triggers, device), at }
}

async function findSampleDevice(db: Db, { productID, deviceName }: SampleMessage): Promise<DeviceRef> {
  const { deviceID } = await requireDevice(db, { productID, deviceName })
  return { productID, deviceName, deviceID }
}

export async function dryRunScene(deps: DryRunDeps, input: BodyOutput<typeof endpoint>): Promise<Answer> {
  const prepared = await prepare(deps, input)
  const { scene, facts, device, at, parts, names } = prepared
  // rules.md 4: conditions of a manual scene are not asked.
  const conditions = parts.triggerType === 'manual' ? [] : scene.conditions
  const value = await readLatest(deps, scene.needs, device)
  const begun = performance.now()
  const triggers = judgeTriggers(prepared)
  const checked = checkConditions(conditions, { value: (source) => value(source, facts), at })
  const latency = Math.round((performance.now() - begun) * 1000)
  const fired = triggers.ok && checked.ok
  return {
    fired,
    reason: triggers.reason || checked.reason,
    triggers: triggers.lines,
    conditions: checked.list,
    actions: fired ? parts.actions.map((action) => ({ text: keeping(() => describeAction(action, names)) })) : [],
    latency,
  }
}
