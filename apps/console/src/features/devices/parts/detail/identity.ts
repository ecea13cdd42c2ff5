/** What 一键复制 puts on the clipboard: enough to flash a device with (screens.md 6.1). Pure. */
import type { Device } from '@ithings/contract/features/devices/info.ts'

type Identity = Pick<Device, 'productID' | 'deviceName' | 'secret'>

export const identityJson = ({ productID, deviceName, secret }: Identity): string =>
  JSON.stringify({ productID, deviceName, secret }, null, 2)
