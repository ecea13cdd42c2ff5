import type { Endpoint } from '@ithings/contract/endpoint.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import type { Product } from '@ithings/contract/features/products.ts'
import {
  readDeviceSecret,
  readProductSecret,
  rotateDeviceSecret,
  rotateProductSecret,
  type ShownSecret,
} from '@ithings/contract/features/secrets.ts'
import { t } from '@ithings/contract/text.ts'
import { call } from '#api/call.ts'

/** Whose secret it is, and what is affected when it changes. */
export interface SecretOwner {
  label: string
  title: string
  affected: string
  reads: Endpoint
  rotates: Endpoint
  read(): Promise<ShownSecret>
  rotate(graceSeconds: number): Promise<{ oldValidUntil: string }>
}

/** Screens show the refusal themselves. */
const quiet = { quiet: true }

export const deviceSecret = ({ productID, deviceName }: DeviceKey): SecretOwner => ({
  label: t('设备密钥'),
  reads: readDeviceSecret,
  rotates: rotateDeviceSecret,
  title: t('更换设备「{deviceName}」的密钥？', { deviceName }),
  affected: t(
    '宽限期内新旧密钥都能连接，请在此期间把新密钥写入设备；宽限期一过，旧密钥被拒绝，用它建立的连接被断开。选择“立即失效”时设备马上掉线。',
  ),
  read: () => call(readDeviceSecret, { productID, deviceName }, quiet),
  rotate: (graceSeconds) => call(rotateDeviceSecret, { productID, deviceName, graceSeconds }, quiet),
})

export const productSecret = ({ productID, productName }: Product): SecretOwner => ({
  label: t('产品密钥'),
  reads: readProductSecret,
  rotates: rotateProductSecret,
  title: t('更换产品「{productName}」的密钥？', { productName }),
  affected: t(
    '动态注册用它签名：宽限期内新旧密钥都能注册，之后还带着旧密钥的设备不能再注册。已经注册的设备有自己的密钥，不受影响。',
  ),
  read: () => call(readProductSecret, { productID }, quiet),
  rotate: (graceSeconds) => call(rotateProductSecret, { productID, graceSeconds }, quiet),
})
