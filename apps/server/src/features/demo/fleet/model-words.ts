/** Short ways to write thing models of the demo products. */
import type { Define, Param } from '@ithings/contract/thing-model/define.ts'
import type { Action, ModelEvent, Property } from '@ithings/contract/thing-model/model.ts'

type Named = [identifier: string, name: string, desc?: string]

const common = ([identifier, name, desc = '']: Named) => ({ identifier, name, desc, required: false })
const flags = { isUseShadow: false, isNoRecord: false }

export const float = (unit: string, min: number, max: number, step = 0.1): Define => ({
  type: 'float',
  min: String(min),
  max: String(max),
  start: '0',
  step: String(step),
  unit,
})
export const whole = (unit: string, min: number, max: number): Define => ({
  type: 'int',
  min: String(min),
  max: String(max),
  start: '0',
  step: '1',
  unit,
})
export const yesNo = (no: string, yes: string): Define => ({ type: 'bool', mapping: { 0: no, 1: yes } })
export const choice = (...names: string[]): Define => ({
  type: 'enum',
  mapping: Object.fromEntries(names.map((name, index) => [String(index), name])),
})
export const words = (bytes: number): Define => ({ type: 'string', max: String(bytes) })

export const measured = (named: Named, define: Define): Property => ({ ...common(named), ...flags, mode: 'r', define })
/** Can be set; kept in the shadow for devices that sleep or are away. */
export const settable = (named: Named, define: Define): Property => ({
  ...common(named),
  ...flags,
  isUseShadow: true,
  mode: 'rw',
  define,
})
export const param = (identifier: string, name: string, define: Define): Param => ({ identifier, name, define })
export const event = (named: Named, type: ModelEvent['type'], params: Param[]): ModelEvent => ({
  ...common(named),
  type,
  params,
})
export const action = (named: Named, input: Param[], output: Param[] = []): Action => ({
  ...common(named),
  dir: 'down',
  input,
  output,
})
