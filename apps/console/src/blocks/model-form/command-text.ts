/** The JSON text of a command (properties to set, input of an action) as a form by the model, and back. Pure. */
import { ActionDirection, PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { jsonProblem } from '#kit/json-input.ts'
import { startValue } from './example-value.ts'

export const writableOf = (model: ThingModel) => model.properties.filter(({ mode }) => mode === PropertyMode.readWrite)
export const callableOf = (model: ThingModel) => model.actions.filter(({ dir }) => dir === ActionDirection.down)

export function valuesOfText(text: string): Record<string, unknown> | undefined {
  return jsonProblem(text) ? undefined : (JSON.parse(text) as Record<string, unknown>)
}

/** The form shows exactly what is in the text, or it does not show it at all. */
export function fitsForm(
  model: ThingModel | undefined,
  type: 'propertyControl' | 'action',
  dataID: string,
  text: string,
): boolean {
  const values = valuesOfText(text)
  if (!model || !values) return false
  const params =
    type === 'action' ? callableOf(model).find((one) => one.identifier === dataID)?.input : writableOf(model)
  const known = new Set(params?.map(({ identifier }) => identifier))
  return Object.keys(values).every((id) => known.has(id))
}

/** Properties that join start from their default. */
export function chooseProperties(model: ThingModel, text: string, ids: readonly string[], now: number): string {
  const before = valuesOfText(text) ?? {}
  const chosen = writableOf(model).filter(({ identifier }) => ids.includes(identifier))
  return JSON.stringify(
    Object.fromEntries(
      chosen.map(({ identifier, define }) => [identifier, before[identifier] ?? startValue(define, now)]),
    ),
  )
}

export function chooseAction(model: ThingModel, actionID: string, now: number): string {
  const input = callableOf(model).find(({ identifier }) => identifier === actionID)?.input ?? []
  return JSON.stringify(
    Object.fromEntries(input.map(({ identifier, define }) => [identifier, startValue(define, now)])),
  )
}
