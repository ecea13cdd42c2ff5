/** A pump with one property of each kind, and scenes about it. */

import { deviceTrigger } from '@ithings/contract/rules/device-trigger.ts'
import type { Condition, SceneTrigger } from '@ithings/contract/rules/scene-parts.ts'
import { sceneConditions } from '@ithings/contract/rules/scene-parts.ts'
import { normaliseModel, rawModel } from '@ithings/contract/thing-model/model.ts'
import type { z } from 'zod'
import { compileModel } from '#features/products/compile-model.ts'
import type { CachedProduct } from '#features/products/door.ts'
import { compileScene } from '../compile-scene.ts'
import type { CompiledScene, CompiledTrigger, Fact } from '../engine-types.ts'

export const pumpModel = {
  properties: [
    { identifier: 'temp', name: '温度', define: { type: 'float', min: '-50', max: '150', unit: '℃' } },
    { identifier: 'count', name: '次数', define: { type: 'int', min: '0', max: '1000000' } },
    { identifier: 'on', name: '开关', define: { type: 'bool', mapping: { 0: '关', 1: '开' } } },
    { identifier: 'mode', name: '模式', define: { type: 'enum', mapping: { 0: '停', 1: '自动', 2: '手动' } } },
    { identifier: 'note', name: '备注', define: { type: 'string', max: '64' } },
    { identifier: 'seen', name: '时刻', define: { type: 'timestamp' } },
    {
      identifier: 'pos',
      name: '位置',
      define: {
        type: 'struct',
        specs: [
          { identifier: 'x', name: '横', dataType: { type: 'int', min: '0', max: '100' } },
          { identifier: 'y', name: '纵', dataType: { type: 'int', min: '0', max: '100' } },
        ],
      },
    },
    { identifier: 'list', name: '列表', define: { type: 'array', arrayInfo: { type: 'int', min: '0', max: '9' } } },
  ],
  events: [
    {
      identifier: 'fault',
      name: '故障',
      type: 'fault',
      params: [{ identifier: 'level', name: '级别', define: { type: 'int', min: '0', max: '9' } }],
    },
  ],
  actions: [],
}

export function pumpProduct(productID = 'pump', productName = '水泵'): CachedProduct {
  const { model, issues } = normaliseModel(rawModel.parse(pumpModel))
  if (issues.length > 0) throw new Error(issues[0]?.text)
  return {
    ...compileModel(model),
    productID,
    productName,
    deviceType: 1,
    autoRegister: 1,
    dialect: 0,
    logDays: 7,
    valueDays: 30,
    script: '',
    functions: new Set(),
  }
}

const products = new Map(['pump', 'fan'].map((id) => [id, pumpProduct(id, id === 'pump' ? '水泵' : '风机')]))
export const look = { product: (productID: string) => products.get(productID) }

export type RawTrigger = Partial<z.input<typeof deviceTrigger>>

export function makeScene(given: {
  triggers?: RawTrigger[]
  conditions?: unknown[]
  triggerType?: 'device' | 'timer' | 'manual'
}): CompiledScene {
  const device = (given.triggers ?? []).map((one) =>
    deviceTrigger.parse({ productID: 'pump', operator: 'reportProperty', ...one }),
  )
  const trigger: SceneTrigger = { device, timer: null }
  const conditions: Condition[] = sceneConditions.parse(given.conditions ?? [])
  return compileScene(
    {
      sceneID: 1,
      name: '测试',
      rev: 1,
      triggerType: given.triggerType ?? 'device',
      trigger,
      conditions,
      actions: [],
    },
    look,
  )
}

type Keep = NonNullable<NonNullable<RawTrigger['operationSchema']>['stateKeep']>

/** "temp > 80" with what a test changes about it. */
export function makeTrigger(fields: RawTrigger = {}, stateKeep?: Keep): CompiledTrigger {
  const operationSchema = {
    dataID: ['temp'],
    termType: 'gt' as const,
    values: ['80'],
    stateKeep,
    ...fields.operationSchema,
  }
  const [trigger] = makeScene({ triggers: [{ ...fields, operationSchema }] }).triggers
  if (!trigger) throw new Error('the trigger has a problem')
  return trigger
}

export const pump1 = { productID: 'pump', deviceName: 'P01', deviceID: 1 }
const fact = { device: pump1, traceID: '' }
export const values = (at: number, said: Record<string, unknown>): Fact => ({
  ...fact,
  at,
  kind: 'values',
  values: said,
})
export const event = (at: number, eventID: string, params: Record<string, unknown> = {}): Fact => ({
  ...fact,
  at,
  kind: 'event',
  eventID,
  params,
})
export const presence = (at: number, online: boolean): Fact => ({ ...fact, at, kind: 'presence', online })
export const silence = (at: number, since: number, dataID = ''): Fact => ({
  ...fact,
  at,
  kind: 'silence',
  since,
  dataID,
})
