/**
 * The draft against the thing models: what the platform will refuse (find-problems.ts of the server: gone properties,
 * values that do not fit, a timer's device), and what it takes though it will not work as meant.
 */

import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { valuesOf } from '@ithings/contract/rules/device-trigger.ts'
import type { DeviceOutput } from '@ithings/contract/rules/scene-parts.ts'
import { compileTerm } from '@ithings/contract/rules/terms.ts'
import { compileColumnTime } from '@ithings/contract/rules/time-range.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Param } from '@ithings/contract/thing-model/define.ts'
import { ActionDirection, PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { compileDefine } from '@ithings/contract/thing-model/values.ts'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { jsonProblem } from '#kit/json-input.ts'
import type { Fault } from './check-draft.ts'
import { type ConditionItem, flatConditions, type SceneDraft, type TriggerItem, textsOf } from './draft.ts'
import { findChoice } from './model-data.ts'
import { noValue, valueProblem } from './term-values.ts'

/** What the thing model says about a field of an item; `refused`: the platform does not save it like that. */
interface Finding {
  field: string
  text: string
  refused: boolean
  asks?: boolean
}

const refuse = (field: string, text: string): Finding => ({ field, text, refused: true })
const warn = (field: string, text: string): Finding => ({ field, text, refused: false })

const field = 'device.value'

/** The form asks for more than commands do: an empty list is taken, though nobody means it. */
function valueFindings(params: readonly Param[], values: Record<string, unknown>): Finding[] {
  const bad = params.filter(({ identifier, name, define }) => {
    const given = values[identifier]
    return given === undefined || !compileDefine(define, 'command')(given, name).ok
  })
  const refused = new Set(bad.map(({ identifier }) => identifier))
  return [...checkParams(params, values)].map(([place, text]) => ({
    field,
    text,
    refused: refused.has(place.split('.')[0] ?? ''),
  }))
}

function outputFindings(output: DeviceOutput, model: ThingModel | undefined): Finding[] {
  if (!model || jsonProblem(output.value)) return []
  const values = JSON.parse(output.value) as Record<string, unknown>
  if (output.type === 'action') {
    const action = model.actions.find(({ identifier }) => identifier === output.dataID)
    if (!action)
      return output.dataID ? [refuse('device.dataID', t('物模型里没有行为 {dataID}', { dataID: output.dataID }))] : []
    if (action.dir !== ActionDirection.down)
      return [refuse('device.dataID', t('{name} 由设备调用，不能下发', { name: action.name }))]
    return valueFindings(action.input, values)
  }
  const ids = Object.keys(values)
  if (ids.length === 0) return [refuse(field, t('还没有要设置的属性'))]
  const known = model.properties.filter(({ identifier }) => ids.includes(identifier))
  const unknown = ids.filter((id) => !known.some(({ identifier }) => identifier === id))
  const readOnly = known.filter(({ mode }) => mode === PropertyMode.read).map(({ name }) => name)
  return [
    ...unknown.map((id) => refuse(field, t('物模型里没有属性 {id}', { id }))),
    ...readOnly.map((name) => refuse(field, t('{name} 是只读属性，不能下发', { name }))),
    ...valueFindings(known, values),
  ]
}

export type Models = ReadonlyMap<string, ThingModel>

interface Starters {
  type: SceneDraft['triggerType']
  /** Products whose devices can start the scene. */
  products: ReadonlySet<string>
}

function dataFindings(
  model: ThingModel | undefined,
  kind: 'property' | 'event',
  schema: Pick<NonNullable<TriggerItem['part']['operationSchema']>, 'dataID' | 'termType' | 'values'>,
): Finding[] {
  if (!model || schema.dataID.length === 0) return []
  const choice = findChoice(model, kind, schema.dataID)
  if (!choice) return [refuse('dataID', t('物模型里没有 {dataID}', { dataID: schema.dataID.join('.') }))]
  const { define } = choice
  if (define?.type === DataType.array && kind === 'property') return [refuse('dataID', t('数组属性不能用于场景'))]
  if (!schema.termType) return []
  if (!define) return [refuse('dataID', t('比较须指定事件的参数'))]
  const text = valueProblem(define, schema.termType, schema.values)
  // Existing consoles offer every comparison for every type, so the platform takes them.
  const refused = !compileTerm(define.type, schema.termType, valuesOf(schema.values))
  return text ? [{ field: 'values', text, refused, ...(text === t(noValue) && { asks: true }) }] : []
}

function triggerFindings({ part }: TriggerItem, models: Models): Finding[] {
  const { operator, operationSchema: schema } = part
  const model = models.get(part.productID)
  if (!schema) return []
  const at = (found: Finding[]) => found.map((one) => ({ ...one, field: `operationSchema.${one.field}` }))
  if (operator === 'noReport') {
    const [id] = schema.dataID
    const known = id === undefined || !model || model.properties.some(({ identifier }) => identifier === id)
    return known ? [] : at([refuse('dataID', t('物模型里没有 {id}', { id }))])
  }
  if (operator !== 'reportProperty' && operator !== 'reportEvent') return []
  return at(dataFindings(model, operator === 'reportEvent' ? 'event' : 'property', schema))
}

/** What is meant for the device that started the scene; a manual one may be run by a scene that has such a device. */
function starterFindings(starters: Starters, productID: string, field: string): Finding[] {
  const { type, products } = starters
  if (type === 'timer') return [refuse(field, t('这个场景没有触发设备，请指定设备'))]
  if (type === 'manual') return [warn(field, t('这个场景没有触发设备，请指定设备'))]
  const other = productID !== '' && products.size > 0 && !products.has(productID)
  return other ? [refuse(field, t('触发设备不属于这个产品，请指定设备'))] : []
}

function conditionFindings({ part }: ConditionItem, models: Models, starters: Starters): Finding[] {
  const schema = part.columnSchema
  const time = part.columnType === 'sysTime' ? part.columnTime : undefined
  // Existing scenes may have it (rules.md 3), so it is kept.
  if (part.columnType === 'event') return [warn('', t('事件条件不受支持，永远不成立'))]
  if (time?.type === 'cron' && time.cron !== '' && !compileColumnTime(time)) {
    return [refuse('columnTime', t('时间范围「{cron}」无法解析', { cron: time.cron }))]
  }
  if (part.columnType !== 'property' || !schema) return []
  const own = dataFindings(models.get(schema.productID), 'property', schema)
  return [
    ...own.map((one) => ({ ...one, field: `columnSchema.${one.field}` })),
    ...(schema.deviceName === '' ? starterFindings(starters, schema.productID, 'columnSchema.deviceName') : []),
  ]
}

const deviceFindings = (output: DeviceOutput, models: Models, starters: Starters): Finding[] => [
  ...outputFindings(output, models.get(output.productID)),
  ...(output.selector === 'trigger' ? starterFindings(starters, output.productID, 'device.selectorValues') : []),
]

/** screens.md 10: unconfigured cannot be enabled. */
const noActions = (status: number): Finding =>
  status === SceneStatus.enabled
    ? refuse('', t('没有动作的场景不能启用，请先添加动作，或先禁用它'))
    : warn('', t('还没有动作，触发后什么也不会做'))

/** Something gone keeps nobody from switching a scene off or renaming it while it is off. */
const isAtRest = (draft: SceneDraft, saved: SceneDraft): boolean =>
  draft.status === SceneStatus.disabled && JSON.stringify(textsOf(draft)) === JSON.stringify(textsOf(saved))

interface DraftFindings {
  /** What the platform would not save. */
  refusals: Fault[]
  /** What saves but will not work as meant. */
  warnings: Fault[]
}

/** @param saved the version that is stored, when there is one */
export function judgeDraft(draft: SceneDraft, models: Models, saved?: SceneDraft): DraftFindings {
  const { triggerType, triggers, conditions, actions } = draft
  const starters = { type: triggerType, products: new Set(triggers.flatMap(({ part }) => part.productID || [])) }
  const verdict: DraftFindings = { refusals: [], warnings: [] }
  const tell = (at: Pick<Fault, 'part' | 'key' | 'place'>, found: readonly Finding[]) => {
    for (const { refused, ...one } of found) verdict[refused ? 'refusals' : 'warnings'].push({ ...at, ...one })
  }
  for (const [index, item] of (triggerType === 'device' ? triggers : []).entries()) {
    tell(
      { part: 'trigger', key: item.key, place: t('触发 {index}', { index: index + 1 }) },
      triggerFindings(item, models),
    )
  }
  for (const item of flatConditions(conditions)) {
    tell({ part: 'condition', key: item.key, place: t('条件') }, conditionFindings(item, models, starters))
  }
  for (const [index, { key, part }] of actions.entries()) {
    const at = { part: 'action' as const, key, place: t('动作 {index}', { index: index + 1 }) }
    if (part.executor === 'device' && part.device) tell(at, deviceFindings(part.device, models, starters))
    if (part.executor === 'delay' && part.delay?.time === 0) tell(at, [warn('delay', t('延时为 0，等于没有延时'))])
  }
  if (actions.length === 0) tell({ part: 'action', key: 'action', place: t('动作') }, [noActions(draft.status)])
  if (!saved || !isAtRest(draft, saved)) return verdict
  return { refusals: [], warnings: [...verdict.refusals, ...verdict.warnings] }
}
