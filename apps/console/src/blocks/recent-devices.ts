/** The devices somebody worked with last, kept in the browser (screens.md 18 "recent list"). */
import * as z from 'zod'
import { readCacheOr, writeCache } from '#kit/json-cache.ts'

const recent = z.object({ productID: z.string(), deviceName: z.string(), title: z.string() })
export type RecentDevice = z.output<typeof recent>

const storeKey = 'recent-devices'
const kept = 8

export const readRecent = (storage?: Storage): RecentDevice[] =>
  readCacheOr(storeKey, (value) => z.array(recent).parse(value).slice(0, kept), [], storage)

/** The newest first, each once. */
export function noteRecent(device: RecentDevice, storage?: Storage): RecentDevice[] {
  const others = readRecent(storage).filter(
    ({ productID, deviceName }) => productID !== device.productID || deviceName !== device.deviceName,
  )
  const list = [device, ...others].slice(0, kept)
  try {
    writeCache(storeKey, list, storage)
  } catch {
    // A blocked store costs the list of recent devices, nothing else.
  }
  return list
}
