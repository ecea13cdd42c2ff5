import { unlinkScene } from '@ithings/contract/features/alarms/config.ts'
import {
  createScene,
  deleteScene,
  listScenes,
  SceneStatus,
  sceneTriggerType,
  updateScene,
} from '@ithings/contract/features/scenes/info.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { type SceneParts, sceneTexts } from '@ithings/contract/rules/scene-text.ts'
import { oneOf, text } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#db/schema.ts'
import { maskActions, partsOf, revealReceivers } from '#features/scenes/door.ts'
import type { Scope } from '../plans-deps.ts'
import { isSame } from '../same.ts'
import type { Found, Kind, Spec } from './kind.ts'
import { idsOf, type Named, namesOf } from './named-ids.ts'
import { readSpec, refuseStrange } from './read-spec.ts'
import { fromForm, fromNames, namesIn, type Rename, type SceneForm, toForm } from './scene-form.ts'

/** Of a scene without a word about it: enabled, or disabled when it does nothing. */
const plain = z.object({
  status: oneOf(SceneStatus).optional(),
  desc: text(200).default(''),
  triggerType: sceneTriggerType,
  alarms: z.array(text(64, 1)).max(100).default([]),
})
type SceneSpec = SceneForm & { status: SceneStatus; desc: string; alarms: string[] }

async function linkedAlarms(db: Db): Promise<Map<number, string[]>> {
  const links = await db
    .selectFrom('alarm_scene')
    .innerJoin('alarm', 'alarm.id', 'alarm_scene.alarm_id')
    .select(['scene_id', 'alarm.name'])
    .orderBy('alarm.name')
    .execute()
  const found = new Map<number, string[]>()
  for (const { scene_id, name } of links) found.set(scene_id, [...(found.get(scene_id) ?? []), name])
  return found
}

/** In one order: which alarm is named first says nothing. */
const byName = (names: string[]): string[] => [...new Set(names)].sort()

async function load(db: Db): Promise<Found[]> {
  const names = new Map<Named, Map<number, string>>()
  for (const what of ['channel', 'scene', 'group'] as const) names.set(what, await namesOf(db, what))
  // One that is gone stays a number: the scene tells its problem itself.
  const rename: Rename = (what, id) => names.get(what)?.get(Number(id)) ?? `#${String(id)}`
  const alarms = await linkedAlarms(db)
  const rows = await db.selectFrom('scene').selectAll().orderBy('name').execute()
  return rows.map((row) => {
    const { name, id, status, description: desc } = row
    const form = toForm(partsOf(db, row), rename)
    return { name, id, spec: { status, desc, ...form, alarms: byName(alarms.get(id) ?? []) } }
  })
}

/** Masks of addresses stand for those of the scene as it is. */
function revealed(parts: SceneParts, before: Spec | undefined): SceneParts {
  const stored = before ? fromNames(before, () => undefined)[0].actions : []
  return { ...parts, actions: revealReceivers(parts.actions, stored) }
}

async function read(_db: Db, given: Spec, before: Spec | undefined): Promise<Spec> {
  const { trigger, when, then, ...rest } = given
  const { status, desc, triggerType, alarms } = readSpec(plain, rest)
  const [parts, toName] = fromNames({ trigger, when, then, triggerType }, () => undefined)
  const form = toForm(revealed(parts, before), toName)
  refuseStrange({ trigger, when, then }, form as unknown as Spec)
  const fallback = form.then.length > 0 ? SceneStatus.enabled : SceneStatus.disabled
  return { status: status ?? fallback, desc, ...form, alarms: byName(alarms) }
}

async function bodyOf(db: Db, spec: Spec) {
  const names = namesIn(spec)
  const ids = new Map<string, number>()
  for (const what of ['channel', 'scene', 'group'] as const) {
    const found = await idsOf(db, what, names[what])
    for (const [i, name] of names[what].entries()) ids.set(`${what} ${name}`, found[i] as number)
  }
  const parts = fromForm(spec, (what, name) => {
    const id = ids.get(`${what} ${String(name)}`)
    return what === 'group' ? String(id) : id
  })
  const { status, desc } = spec as unknown as SceneSpec
  return { status, desc, triggerType: parts.triggerType, ...sceneTexts(parts) }
}

/** Only who changes which alarms a scene raises needs the right to it. */
async function alarmsOf(db: Db, spec: Spec, before: string[]): Promise<{ alarmIDs?: number[] }> {
  const { alarms } = spec as unknown as SceneSpec
  return isSame(alarms, before) ? {} : { alarmIDs: await idsOf(db, 'alarm', alarms) }
}

async function remove({ ask, db }: Scope, { id }: Found): Promise<void> {
  const links = await db
    .selectFrom('alarm_scene')
    .select('alarm_id')
    .where('scene_id', '=', sql<number>`${id}::bigint`)
    .execute()
  for (const { alarm_id } of links) await ask(unlinkScene, { alarmID: alarm_id, sceneID: id })
  await ask(deleteScene, { id })
}

/** Behind a mask that stands for something else than on the other side of a change. */
const changedMark = ' *'

function markChanged(masked: SceneAction, own: SceneAction, other: SceneAction | undefined): SceneAction {
  if (!masked.notify || !own.notify || !other?.notify) return masked
  const notify = { ...masked.notify }
  for (const field of ['url', 'secret'] as const) {
    const isHidden = notify[field] !== own.notify[field]
    if (isHidden && own.notify[field] !== other.notify[field]) notify[field] += changedMark
  }
  return { ...masked, notify }
}

/** Its actions with masks in place of addresses and secrets, whoever looks. */
function hide(spec: Spec, other?: Spec): Spec {
  const [parts, toName] = fromNames(spec, () => undefined)
  const theirs = other ? fromNames(other, () => undefined)[0].actions : []
  const actions = maskActions(parts.actions).map((one, i) => markChanged(one, parts.actions[i] ?? one, theirs[i]))
  return { ...spec, then: toForm({ ...parts, actions }, toName).then }
}

export const sceneKind: Kind = {
  kind: 'scene',
  seenBy: () => ({ endpoint: listScenes, body: {} }),
  load,
  read,
  hide,
  async create({ ask, db }, name, spec) {
    await ask(createScene, { ...(await bodyOf(db, spec)), ...(await alarmsOf(db, spec, [])), name })
  },
  async update({ ask, db }, { id, name, spec: before }, spec) {
    const { alarms } = before as unknown as SceneSpec
    await ask(updateScene, { ...(await bodyOf(db, spec)), ...(await alarmsOf(db, spec, alarms)), id, name })
  },
  remove,
  reliesOn: (spec) => namesIn(spec).scene,
}
