import type { DeviceRef } from '#ports/event-bus.ts'

export interface DeviceRow {
  device_id: number
  product_id: string
  device_name: string
}

export const toDeviceRef = (row: DeviceRow): DeviceRef => ({
  productID: row.product_id,
  deviceName: row.device_name,
  deviceID: row.device_id,
})
