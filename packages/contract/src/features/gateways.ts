/** Sub-devices of a gateway (http-api.md 4.6; the odd field names are the wire's). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText } from '../wire.ts'
import { device, deviceKeyInput } from './devices/info.ts'

const { query, add, remove } = endpointsOf('网关管理')
const gatewayKey = {
  gateWayProductID: z.string().min(1).max(64),
  gateWaydeviceName: z.string().min(1).max(48),
}
const children = z.array(deviceKeyInput).min(1).max(1000)

export const bindSubDevices = add('/api/v1/things/device/gateway/multi-create', '绑定子设备', {
  body: z.object({ ...gatewayKey, list: children }),
})

export const unbindSubDevices = remove('/api/v1/things/device/gateway/multi-delete', '解绑子设备', {
  body: z.object({ ...gatewayKey, list: children }),
})

export const listSubDevices = query('/api/v1/things/device/gateway/index', '子设备列表', {
  body: z.object({ ...gatewayKey, page: pageInput, deviceName: filterText() }),
  data: pageOf(device),
})

/** Ours: sub-devices that are bound to no gateway. */
export const listBindCandidates = query('/api/v1/things/device/gateway/candidate-index', '可绑定的子设备', {
  body: z.object({ page: pageInput, productID: filterText(64), deviceName: filterText() }),
  data: pageOf(device),
})

/** Ours: the gateway of a sub-device. */
export const readGatewayOf = query('/api/v1/things/device/gateway/parent-read', '所属网关', {
  body: deviceKeyInput,
  data: z.object({ gateway: device.nullable() }),
})
