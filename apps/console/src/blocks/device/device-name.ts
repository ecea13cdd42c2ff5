/** Names of devices: a random one, a running series, and whether one is taken. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { multiCreateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { type DeviceKey, deviceNamePattern, listDevices } from '@ithings/contract/features/devices/info.ts'
import { call } from '#api/call.ts'

// Without 0, 1, l, o: they are read aloud and typed from labels.
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

export function randomDeviceName(length = 12): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return [...bytes].map((byte) => letters[byte % letters.length]).join('')
}

export type Series = Pick<BodyOutput<typeof multiCreateDevices>, 'prefix' | 'start' | 'count' | 'digits'>

export const seriesName = ({ prefix, start, digits }: Series, at: number): string =>
  `${prefix}${String(start + at).padStart(digits, '0')}`

/** The first three and the last: enough to see what the series will be. */
export function seriesPreview(series: Series): string[] {
  const shown = Math.min(series.count, 3)
  const first = Array.from({ length: shown }, (_, at) => seriesName(series, at))
  if (series.count <= 3) return first
  return [...first, ...(series.count > 4 ? ['…'] : []), seriesName(series, series.count - 1)]
}

/** The longest name is the last one. */
export const seriesFits = (series: Series): boolean => deviceNamePattern.test(seriesName(series, series.count - 1))

const searched = 100

/** Told while typing; the platform decides when the device is created. */
export async function isNameTaken({ productID, deviceName }: DeviceKey): Promise<boolean> {
  const { list } = await call(
    listDevices,
    { productID, deviceName, page: { page: 1, size: searched } },
    { quiet: true },
  )
  return list.some((device) => device.deviceName === deviceName)
}
