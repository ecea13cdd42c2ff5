/** Sub-devices of a gateway (http-api.md 4.6; the odd field names are the wire's). */
import * as z from 'zod'
import { BusinessType, endpoint } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { filterText, nothing } from '../../wire.ts'
import { device, deviceKeyInput } from './info.ts'

const group = '网关管理'
const gatewayKey = {
  gateWayProductID: z.string().min(1).max(64),
  gateWaydeviceName: z.string().min(1).max(48),
}
const children = z.array(deviceKeyInput).min(1).max(1000)

export const bindSubDevices = endpoint({
  path: '/api/v1/things/device/gateway/multi-create',
  access: 'role',
  name: '绑定子设备',
  group,
  businessType: BusinessType.add,
  body: z.object({ ...gatewayKey, list: children }),
  data: nothing,
})

export const unbindSubDevices = endpoint({
  path: '/api/v1/things/device/gateway/multi-delete',
  access: 'role',
  name: '解绑子设备',
  group,
  businessType: BusinessType.delete,
  body: z.object({ ...gatewayKey, list: children }),
  data: nothing,
})

export const listSubDevices = endpoint({
  path: '/api/v1/things/device/gateway/index',
  access: 'role',
  name: '子设备列表',
  group,
  businessType: BusinessType.query,
  body: z.object({ ...gatewayKey, page: pageInput, deviceName: filterText() }),
  data: pageOf(device),
})

/** Ours: sub-devices that are bound to no gateway. */
export const listBindCandidates = endpoint({
  path: '/api/v1/things/device/gateway/candidate-index',
  access: 'role',
  name: '可绑定的子设备',
  group,
  businessType: BusinessType.query,
  body: z.object({ page: pageInput, productID: filterText(64), deviceName: filterText() }),
  data: pageOf(device),
})

/** Ours: the gateway of a sub-device. */
export const readGatewayOf = endpoint({
  path: '/api/v1/things/device/gateway/parent-read',
  access: 'role',
  name: '所属网关',
  group,
  businessType: BusinessType.query,
  body: deviceKeyInput,
  data: z.object({ gateway: device.nullable() }),
})
