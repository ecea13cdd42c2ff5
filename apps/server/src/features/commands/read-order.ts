/**
 * What a command asks for, measured by the thing model (thing-model.md 4; decisions.md 2 "mode r", "Step of a number").
 */

import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { ActionDirection, PropertyMode } from '@ithings/contract/thing-model/model.ts'
import { faultText, type ValueFault } from '@ithings/contract/thing-model/values.ts'
import { type CachedProduct, coerceParams } from '#features/products/door.ts'

export type Values = Record<string, unknown>

/** The object that travels as JSON text under `field`. */
export function readObject(text: string, field: string): Values {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refusal(errors.parameter, '{field} 不是有效的 JSON', { field }, { field, cause })
  }
  if (!isRecord(value)) throw badField(field, '{field} 须为 JSON 对象', { field })
  return value
}

const misfit = ({ code }: ValueFault, field: string, detail: () => string) => {
  const entry = code === errors.outOfRange.code ? errors.outOfRange : errors.parameter
  return new AppError(entry, { detail, field })
}

/** Values as they go to the device: bool as true or false, numbers as numbers. Nothing is skipped silently. */
export function propertyValues(product: CachedProduct, given: Values): Values {
  const field = 'data'
  const values: Values = {}
  for (const [identifier, raw] of Object.entries(given)) {
    const known = product.properties.get(identifier)
    if (!known) throw badField(field, '查不到物模型:属性 {identifier}', { identifier })
    if (known.property.mode === PropertyMode.read) {
      throw badField(field, '属性 {identifier} 是只读的，不能设置', { identifier })
    }
    const measure = () => known.command(raw, t('属性 {identifier}', { identifier }))
    const result = measure()
    if (!result.ok) throw misfit(result.fault, field, () => faultText(measure()))
    values[identifier] = result.value
  }
  if (Object.keys(values).length === 0) throw badField(field, '没有要设置的属性')
  return values
}

/** Every declared input must be there; others are not sent. */
export function actionInputs(product: CachedProduct, actionID: string, given: Values): Values {
  const known = product.actions.get(actionID)
  if (!known) throw badField('actionID', '查不到物模型:行为 {actionID}', { actionID })
  if (known.action.dir !== ActionDirection.down) {
    throw badField('actionID', '行为 {actionID} 由设备调用，不能下发', { actionID })
  }
  return coerceParams(known.input, given, '')
}

/** device-protocol.md 5: only properties with isUseShadow have desired values. */
export const withoutShadow = (product: CachedProduct, values: Values): string[] =>
  Object.keys(values).filter((identifier) => !product.properties.get(identifier)?.property.isUseShadow)
