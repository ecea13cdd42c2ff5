/** What the device reported beside what it is wished to be (screens.md 6.8). Pure. */
import type { ShadowRow } from '@ithings/contract/features/commands.ts'
import type { PropertyValue } from '@ithings/contract/features/history.ts'
import { DataType } from '@ithings/contract/thing-model/define.ts'
import { hasShadow, type Property, PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { parseValue } from '#blocks/typed-value/value-text.ts'

/**
 * none: nothing is wished; waiting: the device did not take it yet; synced; apart: taken, but reported otherwise since;
 * leftover: the property has no shadow any more, so nobody takes it.
 */
export type SyncState = 'none' | 'waiting' | 'synced' | 'apart' | 'leftover'

export interface ShadowLine {
  property: Property
  reported: string
  reportedTime: number
  /** undefined: nothing is wished. */
  desired: ShadowRow | undefined
  state: SyncState
}

/** Equal as values: the order of members does not count. */
function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => sameValue((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
  )
}

function stateOf(property: Property, reported: string, desired: ShadowRow | undefined): SyncState {
  if (!desired) return 'none'
  if (!hasShadow(property)) return 'leftover'
  if (desired.updatedDeviceTime === 0) return 'waiting'
  return sameValue(parseValue(property.define, reported), parseValue(property.define, desired.value))
    ? 'synced'
    : 'apart'
}

/** The model does not know it any more: shown as it is stored. */
const unknownProperty = (identifier: string): Property => ({
  identifier,
  name: identifier,
  desc: '',
  required: false,
  mode: PropertyMode.read,
  define: { type: DataType.string },
  isUseShadow: false,
  isNoRecord: true,
})

/** Every property with a shadow, and what is left of wishes for others: it must be seen to be cleared. */
export function shadowLines(
  { properties }: Pick<ThingModel, 'properties'>,
  latest: readonly PropertyValue[],
  shadow: readonly ShadowRow[],
): ShadowLine[] {
  const wishes = new Map(shadow.map((row) => [row.dataID, row]))
  const known = new Set(properties.map(({ identifier }) => identifier))
  const unknown = shadow.filter(({ dataID }) => !known.has(dataID)).map(({ dataID }) => unknownProperty(dataID))
  const shown = properties.filter(({ isUseShadow, identifier }) => isUseShadow || wishes.has(identifier))
  return [...shown, ...unknown].map((property) => {
    const value = latest.find(({ dataID }) => dataID === property.identifier)
    const reportedTime = Number(value?.timestamp ?? 0)
    const reported = reportedTime > 0 ? (value?.value ?? '') : ''
    const desired = wishes.get(property.identifier)
    return { property, reported, reportedTime, desired, state: stateOf(property, reported, desired) }
  })
}

/** The shadow as a document: what is, what is wished, and what is still missing. */
export function shadowDocument(all: readonly ShadowLine[]) {
  const lines = all.filter(({ state }) => state !== 'leftover')
  const pick = (wanted: readonly ShadowLine[], text: (line: ShadowLine) => string) =>
    Object.fromEntries(
      wanted.flatMap((line) => {
        const value = parseValue(line.property.define, text(line))
        return value === undefined ? [] : [[line.property.identifier, value]]
      }),
    )
  const wished = lines.filter(({ desired }) => desired !== undefined)
  const desiredText = ({ desired }: ShadowLine) => desired?.value ?? ''
  return {
    reported: pick(
      lines.filter(({ reportedTime }) => reportedTime > 0),
      ({ reported }) => reported,
    ),
    desired: pick(wished, desiredText),
    delta: pick(
      wished.filter(({ state }) => state !== 'synced'),
      desiredText,
    ),
  }
}
