/** What a step gives to devices, measured by the thing model as commands are. Pure. */
import type { DeviceOutput } from '@ithings/contract/rules/scene-parts.ts'
import type { Param } from '@ithings/contract/thing-model/define.ts'
import { ActionDirection, PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { compileDefine } from '@ithings/contract/thing-model/values.ts'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { jsonProblem } from '#kit/json-input.ts'
import { type Finding, refuse } from './finding.ts'

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

export function outputFindings(output: DeviceOutput, model: ThingModel | undefined): Finding[] {
  if (!model || jsonProblem(output.value)) return []
  const values = JSON.parse(output.value) as Record<string, unknown>
  if (output.type === 'action') {
    const action = model.actions.find(({ identifier }) => identifier === output.dataID)
    if (!action) return output.dataID ? [refuse('device.dataID', `物模型里没有行为 ${output.dataID}`)] : []
    if (action.dir !== ActionDirection.down) return [refuse('device.dataID', `${action.name} 由设备调用，不能下发`)]
    return valueFindings(action.input, values)
  }
  const ids = Object.keys(values)
  if (ids.length === 0) return [refuse(field, '还没有要设置的属性')]
  const known = model.properties.filter(({ identifier }) => ids.includes(identifier))
  const unknown = ids.filter((id) => !known.some(({ identifier }) => identifier === id))
  const readOnly = known.filter(({ mode }) => mode === PropertyMode.read).map(({ name }) => name)
  return [
    ...unknown.map((id) => refuse(field, `物模型里没有属性 ${id}`)),
    ...readOnly.map((name) => refuse(field, `${name} 是只读属性，不能下发`)),
    ...valueFindings(known, values),
  ]
}
