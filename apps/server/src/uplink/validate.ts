/** Reported values against the thing model (thing-model.md 4). */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { BookProduct } from '#features/products/door.ts'

/** One bad value refuses the whole message; identifiers that the model does not know are skipped. */
export function validateReport(params: unknown, product: BookProduct): Record<string, unknown> {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new AppError(errors.parameter, { detail: 'need add params' })
  }
  const values: Record<string, unknown> = {}
  let found = false
  let unknown = ''
  for (const identifier in params) {
    const known = product.properties.get(identifier)
    if (!known) {
      unknown ||= identifier
      continue
    }
    const raw = (params as Record<string, unknown>)[identifier]
    // thing-model.md 4: an empty array counts as not sent.
    if (Array.isArray(raw) && raw.length === 0) continue
    const result = known.report(raw, identifier)
    if (!result.ok) {
      const { code, text } = result.fault
      throw new AppError(code === errors.outOfRange.code ? errors.outOfRange : errors.parameter, { detail: text })
    }
    values[identifier] = result.value
    found = true
  }
  if (!found) {
    throw new AppError(errors.parameter, { detail: unknown === '' ? 'need add params' : `查不到物模型:${unknown}` })
  }
  return values
}
