/** Scenes as files have them: their three parts as values instead of texts, others by name instead of by number. */
import { isRecord } from '@ithings/contract/is-record.ts'
import { parseScene, type SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { dropNulls } from '@ithings/contract/wire.ts'
import type { Spec } from './kind.ts'
import type { Named } from './named-ids.ts'

type Refer = Exclude<Named, 'alarm'>
/** One name for another: a number for a name, or the other way round. */
export type Rename = (what: Refer, given: unknown) => unknown

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Devices are named by product and name everywhere; groups of them have numbers. */
function renameGroups(one: unknown, rename: Rename): unknown {
  const fields = fieldsOf(one)
  if (fields?.selector !== 'group' || !fields.selectorValues) return one
  return { ...fields, selectorValues: listOf(fields.selectorValues).map((group) => rename('group', group)) }
}

function moved(fields: Fields, from: string, to: string, change: (value: unknown) => unknown): Fields {
  if (!(from in fields)) return fields
  const { [from]: value, ...rest } = fields
  return { [to]: change(value), ...rest }
}

interface Fieldnames {
  channels: string
  scene: string
}
const inFile: Fieldnames = { channels: 'channels', scene: 'name' }
const onWire: Fieldnames = { channels: 'channelIDs', scene: 'sceneID' }

function renameAction(one: unknown, rename: Rename, from: Fieldnames, to: Fieldnames): unknown {
  const action = fieldsOf(one)
  if (!action) return one
  const [notify, scene] = [fieldsOf(action.notify), fieldsOf(action.scene)]
  return {
    ...action,
    ...(action.device ? { device: renameGroups(action.device, rename) } : {}),
    ...(notify && {
      notify: moved(notify, from.channels, to.channels, (list) => listOf(list).map((one) => rename('channel', one))),
    }),
    ...(scene && { scene: moved(scene, from.scene, to.scene, (one) => rename('scene', one)) }),
  }
}

function renameTrigger(trigger: unknown, rename: Rename): unknown {
  const devices = (list: unknown) => listOf(list).map((one) => renameGroups(one, rename))
  if (Array.isArray(trigger)) return devices(trigger)
  const fields = fieldsOf(trigger)
  return fields?.device ? { ...fields, device: devices(fields.device) } : trigger
}

export interface SceneForm {
  triggerType: SceneParts['triggerType']
  trigger: unknown
  when: unknown
  then: unknown[]
}

/** @param rename numbers to names */
export const toForm = ({ triggerType, trigger, conditions, actions }: SceneParts, rename: Rename): SceneForm =>
  dropNulls({
    triggerType,
    trigger: renameTrigger(trigger, rename),
    when: conditions,
    then: actions.map((action) => renameAction(action, rename, onWire, inFile)),
  }) as SceneForm

/** @param rename names to numbers */
export function fromForm(spec: Spec, rename: Rename): SceneParts {
  const text = (value: unknown) => (value === undefined || value === null ? undefined : JSON.stringify(value))
  const then = Array.isArray(spec.then)
    ? spec.then.map((action) => renameAction(action, rename, inFile, onWire))
    : spec.then
  return parseScene({
    triggerType: spec.triggerType as SceneParts['triggerType'],
    trigger: text(renameTrigger(spec.trigger, rename)),
    when: text(spec.when),
    then: text(then),
  })
}

/** Every name that a form holds, of each sort. */
export function namesIn(spec: Spec): Record<Refer, string[]> {
  const found: Record<Refer, Set<string>> = { channel: new Set(), scene: new Set(), group: new Set() }
  fromNames(spec, (what, name) => found[what].add(name))
  return { channel: [...found.channel], scene: [...found.scene], group: [...found.group] }
}

/** Numbers that mean something in this one form only: names may be of what does not exist yet. */
export function fromNames(spec: Spec, meet: (what: Refer, name: string) => void): [SceneParts, Rename] {
  const names: Record<Refer, string[]> = { channel: [], scene: [], group: [] }
  const numbered: Rename = (what, given) => {
    // What is no name is refused by the check of the parts.
    if (typeof given !== 'string' || given === '') return null
    meet(what, given)
    const list = names[what]
    if (!list.includes(given)) list.push(given)
    const number = list.indexOf(given) + 1
    return what === 'group' ? String(number) : number
  }
  const parts = fromForm(spec, numbered)
  return [parts, (what, number) => names[what][Number(number) - 1]]
}
