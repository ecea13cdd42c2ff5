/** A position that is being chosen: none, half typed, or whole. Pure. */

import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { Point } from '@ithings/contract/wire.ts'
import { hasPosition } from '#blocks/device/labels.ts'

export interface PositionDraft {
  longitude?: number | null
  latitude?: number | null
}

/** The platform's way to say that no position is known. */
const nowhere: Point = { longitude: 0, latitude: 0 }

export const draftOf = (device: Pick<Device, 'position'>): PositionDraft | undefined =>
  hasPosition(device) ? device.position : undefined

export const samePlace = (a: PositionDraft | undefined, b: PositionDraft | undefined): boolean =>
  (a?.longitude ?? null) === (b?.longitude ?? null) && (a?.latitude ?? null) === (b?.latitude ?? null)

/** What to send, or what is missing: half a position is none. */
export function positionChange(draft: PositionDraft | undefined): { position: Point } | { problem: string } {
  const { longitude = null, latitude = null } = draft ?? {}
  if (longitude === null && latitude === null) return { position: nowhere }
  if (longitude === null) return { problem: t('还缺经度') }
  if (latitude === null) return { problem: t('还缺纬度') }
  return { position: { longitude, latitude } }
}
