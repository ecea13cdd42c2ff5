/** What saves but will not work as meant: parts that the thing model does not have, comparisons that are never true. */
import type { DeviceOutput } from '@ithings/contract/rules/scene-parts.ts'
import { compileColumnTime } from '@ithings/contract/rules/time-range.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { jsonProblem } from '#kit/json-input.ts'
import type { Fault } from './check-draft.ts'
import type { ActionItem, ConditionItem, SceneDraft, TriggerItem } from './draft.ts'
import { findChoice } from './model-data.ts'
import { valueProblem } from './term-values.ts'

export type Models = ReadonlyMap<string, ThingModel>

type Found = Pick<Fault, 'field' | 'text'>

function dataWarnings(
  model: ThingModel | undefined,
  kind: 'property' | 'event',
  schema: Pick<NonNullable<TriggerItem['part']['operationSchema']>, 'dataID' | 'termType' | 'values'>,
): Found[] {
  if (!model || schema.dataID.length === 0) return []
  const choice = findChoice(model, kind, schema.dataID)
  if (!choice) return [{ field: 'dataID', text: `物模型里没有 ${schema.dataID.join('.')}` }]
  if (!schema.termType || !choice.define) return []
  const text = valueProblem(choice.define, schema.termType, schema.values)
  return text ? [{ field: 'values', text }] : []
}

function triggerWarnings({ part }: TriggerItem, models: Models): Found[] {
  const schema = part.operationSchema
  if (!schema || (part.operator !== 'reportProperty' && part.operator !== 'reportEvent')) return []
  const kind = part.operator === 'reportEvent' ? 'event' : 'property'
  return dataWarnings(models.get(part.productID), kind, schema).map(({ field, text }) => ({
    field: `operationSchema.${field}`,
    text,
  }))
}

function conditionWarnings(list: readonly ConditionItem[], models: Models, byDevice: boolean): Fault[] {
  return list.flatMap(({ key, part, terms }) => {
    const found: Found[] = []
    const schema = part.columnSchema
    const time = part.columnType === 'sysTime' ? part.columnTime : undefined
    // Existing consoles may have written anything here (rules.md 3).
    if (time?.type === 'cron' && time.cron !== '' && !compileColumnTime(time)) {
      found.push({ field: 'columnTime', text: `时间范围「${time.cron}」无法解析，永远不成立` })
    }
    if (part.columnType === 'event') found.push({ field: '', text: '事件条件不受支持，永远不成立' })
    if (part.columnType === 'property' && schema) {
      const own = dataWarnings(models.get(schema.productID), 'property', schema)
      found.push(...own.map(({ field, text }) => ({ field: `columnSchema.${field}`, text })))
      if (schema.deviceName === '' && !byDevice) {
        found.push({ field: 'columnSchema.deviceName', text: '这个场景没有触发设备，请指定设备' })
      }
    }
    return [
      ...found.map((one) => ({ ...one, part: 'condition' as const, key, place: '条件' })),
      ...conditionWarnings(terms, models, byDevice),
    ]
  })
}

function outputWarnings(output: DeviceOutput, model: ThingModel | undefined): Found[] {
  if (!model || jsonProblem(output.value)) return []
  const values = JSON.parse(output.value) as Record<string, unknown>
  if (output.type === 'action') {
    const action = model.actions.find(({ identifier }) => identifier === output.dataID)
    if (!action) return output.dataID ? [{ field: 'device.dataID', text: `物模型里没有行为 ${output.dataID}` }] : []
    return [...checkParams(action.input, values).values()].map((text) => ({ field: 'device.value', text }))
  }
  const ids = Object.keys(values)
  if (ids.length === 0) return [{ field: 'device.value', text: '还没有要设置的属性' }]
  const known = model.properties.filter(({ identifier }) => ids.includes(identifier))
  const unknown = ids.filter((id) => !known.some(({ identifier }) => identifier === id))
  const readOnly = known.filter(({ mode }) => mode === 'r').map(({ name }) => name)
  return [
    ...unknown.map((id) => ({ field: 'device.value', text: `物模型里没有属性 ${id}` })),
    ...readOnly.map((name) => ({ field: 'device.value', text: `${name} 是只读属性，不能下发` })),
    ...[...checkParams(known, values).values()].map((text) => ({ field: 'device.value', text })),
  ]
}

function actionWarnings({ part }: ActionItem, models: Models, byDevice: boolean): Found[] {
  if (part.executor === 'device' && part.device) {
    const found = outputWarnings(part.device, models.get(part.device.productID))
    if (part.device.selector === 'trigger' && !byDevice) {
      found.push({ field: 'device.selectorValues', text: '这个场景没有触发设备，请指定设备' })
    }
    return found
  }
  if (part.executor === 'delay' && part.delay?.time === 0) return [{ field: 'delay', text: '延时为 0，等于没有延时' }]
  return []
}

export function warnDraft(draft: SceneDraft, models: Models): Fault[] {
  const byDevice = draft.triggerType === 'device'
  const warnings: Fault[] = [
    ...(byDevice
      ? draft.triggers.flatMap((item, index) =>
          triggerWarnings(item, models).map((one) => ({
            ...one,
            part: 'trigger' as const,
            key: item.key,
            place: `触发 ${index + 1}`,
          })),
        )
      : []),
    ...conditionWarnings(draft.conditions, models, byDevice),
    ...draft.actions.flatMap((item, index) =>
      actionWarnings(item, models, byDevice).map((one) => ({
        ...one,
        part: 'action' as const,
        key: item.key,
        place: `动作 ${index + 1}`,
      })),
    ),
  ]
  if (draft.actions.length === 0) {
    warnings.push({ part: 'action', key: 'action', field: '', place: '动作', text: '还没有动作，触发后什么也不会做' })
  }
  return warnings
}
