import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { PropertyRow } from './property-rows.ts'
import type { Trend } from './trend.ts'
import type { SendState } from './use-sends.ts'

/** Everything a card or a row of the table needs to show one property and to set it. */
export interface PropertyViewProps {
  device: Device
  row: PropertyRow
  state: SendState | undefined
  trend: Trend | undefined
  watch: (node: Element | null) => void
  editing: boolean
  /** Why it cannot be set now; undefined when it can. */
  locked: string | undefined
  online: boolean
  /** The desired value that waits for the device, in words. */
  desired: string | undefined
  onSend: (value: unknown) => void
  onEdit: () => void
  onClose: () => void
  onRead: () => void
  onLeave: () => void
}
