import type { Generated } from 'kysely'

export interface HomeSampleTable {
  at: number
  total: number
  online: number
  offline: number
  inactive: number
}

export interface HomeMessageTable {
  at: number
  messages: number
}

export interface HomeWorkTable {
  name: string
  at: Generated<number>
  took: Generated<number>
  seen: Generated<number>
  found: Generated<number>
}

export interface HomeAlarmTable {
  at: number
  level: number
  alarms: number
}

export interface HomeCellTable {
  product_id: string
  x: number
  y: number
  online: number
  offline: number
  inactive: number
  longitude: number
  latitude: number
  level: number
}

export interface HomePlaceTable {
  x: number
  y: number
  city: string
}

export interface HomeAlertTable {
  device_id: number
  product_id: string
  longitude: number
  latitude: number
  level: number
}

/** Devices and since when (ms): offline, or online without a message. */
export interface HomeSinceTable {
  device_id: number
  since: number
}
