/** Devices ticked in a list, on their way into a form of another screen: they travel with the visit, not in the address. */

import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#kit/paths.ts'
import type { DeviceRowsFilter } from './device-choice/device-rows-query.ts'

export interface ChosenDevices {
  productID: string
  deviceNames: string[]
  /** Instead of names: all devices that it matches when the form is sent. */
  filter?: DeviceRowsFilter | undefined
}

const formPaths = {
  command: paths.tasks,
  upgrade: `${paths.upgrades}?create`,
}
export type DeviceForm = keyof typeof formPaths

/** Commands and packages belong to a product: undefined when the devices, or those of the filter, are of several. */
export function chosenOf(
  devices: readonly Pick<Device, 'productID' | 'deviceName'>[],
  filter?: DeviceRowsFilter,
): ChosenDevices | undefined {
  if (filter) return filter.productID ? { productID: filter.productID, deviceNames: [], filter } : undefined
  const [productID, ...others] = new Set(devices.map((device) => device.productID))
  if (productID === undefined || others.length > 0) return undefined
  return { productID, deviceNames: devices.map(({ deviceName }) => deviceName) }
}

export const useChosenDevices = () => (useLocation().state as { chosen?: ChosenDevices } | null)?.chosen

export function useOpenForm() {
  const navigate = useNavigate()
  return (form: DeviceForm, chosen: ChosenDevices) => void navigate(formPaths[form], { state: { chosen } })
}
