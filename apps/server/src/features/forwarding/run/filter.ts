/** Which messages a rule wants, and what of them. */
import type { ForwardFilter, ForwardSource } from '@ithings/contract/features/forwarding/rules.ts'
import type { DeviceFacts } from './device-facts.ts'
import type { RawMessage } from './raw-message.ts'

type Wants = (message: RawMessage, facts: DeviceFacts | undefined) => RawMessage | undefined

const onlyNamed = (data: Record<string, unknown>, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => names.has(name)))

export function compileFilter(sources: readonly ForwardSource[], filter: ForwardFilter): Wants {
  const wanted = new Set(sources)
  const products = new Set(filter.productIDs)
  const devices = new Set(filter.deviceNames)
  const identifiers = new Set(filter.identifiers)
  const { groupIDs, tags } = filter
  const hasTags = (facts: DeviceFacts) =>
    tags.every(({ key, value }) => facts.tags.some((tag) => tag.key === key && (value === '' || tag.value === value)))
  const ofDevices = products.size + devices.size + groupIDs.length + tags.length > 0

  /** A device that is gone has no tags and is in no group any more. */
  const fitsDevice = ({ productID, deviceName }: RawMessage, facts: DeviceFacts | undefined) =>
    (products.size === 0 || products.has(productID)) &&
    (devices.size === 0 || devices.has(deviceName)) &&
    (groupIDs.length === 0 || (facts !== undefined && groupIDs.some((id) => facts.groups.has(id)))) &&
    (tags.length === 0 || (facts !== undefined && hasTags(facts)))

  return (message, facts) => {
    // What it says is taken apart only for rules that name identifiers.
    const { source } = message
    if (!wanted.has(source)) return undefined
    if (source === 'operation') return ofDevices ? undefined : message
    if (ofDevices && !fitsDevice(message, facts)) return undefined
    if (identifiers.size === 0 || source === 'presence' || source === 'alarm') return message
    if (source !== 'property') return identifiers.has(message.identifier) ? message : undefined
    const named = onlyNamed(message.data, identifiers)
    return Object.keys(named).length > 0
      ? { ...message, data: named, dataText: undefined, written: undefined }
      : undefined
  }
}
