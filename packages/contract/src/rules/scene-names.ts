/** How the parts of a scene are called by people; server and console look the names up in their own ways. */
import { DataType, type Define } from '../thing-model/define.ts'
import type { ThingModel } from '../thing-model/model.ts'
import { valueText } from '../thing-model/values.ts'

/** Something that has a value: property, member of a struct, parameter of an event. */
export interface NamedValue {
  name: string
  unit?: string | undefined
  define?: Define | undefined
}

/** Each may answer undefined: then the identifier is shown. */
export interface SceneNames {
  product(productID: string): string | undefined
  /** Property, or property and member of a struct. */
  property(productID: string, dataID: readonly string[]): NamedValue | undefined
  /** Event, or event and parameter. */
  event(productID: string, dataID: readonly string[]): NamedValue | undefined
  action(productID: string, actionID: string): string | undefined
  /** The alias when the device has one. */
  device(productID: string, deviceName: string): string | undefined
  group(groupID: string): string | undefined
  channel(channelID: number): string | undefined
  scene(sceneID: number): string | undefined
  /** Names of the alarms linked to the scene. */
  alarms: readonly string[]
  /** Shown after a time of day, like UTC+8. */
  zone?: string | undefined
}

const named = (name: string, define: Define): NamedValue => ({ name, unit: define.unit, define })

/** The look-ups that a thing model answers. */
export function modelNames(model: ThingModel): {
  property(dataID: readonly string[]): NamedValue | undefined
  event(dataID: readonly string[]): NamedValue | undefined
  action(actionID: string): string | undefined
} {
  return {
    property([identifier, member]) {
      const property = model.properties.find((one) => one.identifier === identifier)
      if (!property || member === undefined) return property && named(property.name, property.define)
      const spec = property.define.specs?.find((one) => one.identifier === member)
      return spec && named(`${property.name}·${spec.name}`, spec.dataType)
    },
    event([identifier, member]) {
      const event = model.events.find((one) => one.identifier === identifier)
      if (!event || member === undefined) return event && { name: event.name }
      const param = event.params.find((one) => one.identifier === member)
      return param && named(`${event.name}·${param.name}`, param.define)
    },
    action: (actionID) => model.actions.find((one) => one.identifier === actionID)?.name,
  }
}

const boolKeys: Record<string, string> = { true: '1', True: '1', TRUE: '1', t: '1', T: '1' }
const falseTexts = new Set(['false', 'False', 'FALSE', 'f', 'F'])

/** One value without its unit: the label of an enumeration or switch, else the value itself. */
export function labelOf(what: NamedValue | undefined, text: string): string {
  const mapping = what?.define?.mapping
  if (!mapping) return text
  if (what.define?.type !== DataType.bool) return mapping[text] ?? text
  return mapping[boolKeys[text] ?? (falseTexts.has(text) ? '0' : text)] ?? text
}

const shownLength = 60

/** A value that was seen, for people: "83.6 ℃", "运行中". */
export function showValue(what: NamedValue | undefined, value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = labelOf(what, valueText(value))
  const short = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text
  return what?.unit ? `${short} ${what.unit}` : short
}
