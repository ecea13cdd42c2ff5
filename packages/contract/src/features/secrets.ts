/** Secrets of devices and products: who may see them, and their rotation. */
import * as z from 'zod'
import { BusinessType, endpoint, endpointsOf } from '../endpoint.ts'
import { int, strInt } from '../wire.ts'
import { deviceKeyInput } from './devices/info.ts'
import { productID } from './products.ts'

const { modify, act } = endpointsOf('设备管理')

export const maxGraceSeconds = 30 * 86_400
export const defaultGraceSeconds = 86_400

/** `str#` seconds up to which the secret before is accepted too; "0": it is not. */
const rotated = z.object({ oldValidUntil: strInt })
const shown = rotated.extend({ secret: z.string() })
export type ShownSecret = z.output<typeof shown>

/** 0: the secret before is void at once. */
const graceSeconds = int(0, maxGraceSeconds).default(defaultGraceSeconds)

/** The right to see secrets of devices. Not of the type "query", so that the operation log keeps who looked. */
export const readDeviceSecret = act('/api/v1/things/device/info/secret-read', '查看设备密钥', {
  fresh: true,
  body: deviceKeyInput,
  data: shown,
})

/** Answers without the new secret: seeing it is an act of its own, with a right of its own. */
export const rotateDeviceSecret = modify('/api/v1/things/device/info/secret-rotate', '更换设备密钥', {
  fresh: true,
  body: deviceKeyInput.extend({ graceSeconds }),
  data: rotated,
})

export const readProductSecret = endpoint({
  path: '/api/v1/things/product/info/secret-read',
  access: 'role',
  fresh: true,
  name: '查看产品密钥',
  group: '产品管理',
  businessType: BusinessType.other,
  body: z.object({ productID }),
  data: shown,
})

export const rotateProductSecret = endpoint({
  path: '/api/v1/things/product/info/secret-rotate',
  access: 'role',
  fresh: true,
  name: '更换产品密钥',
  group: '产品管理',
  businessType: BusinessType.modify,
  body: z.object({ productID, graceSeconds }),
  data: rotated,
})
