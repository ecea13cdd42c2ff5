/** The platform's HTTP API, as far as the simulator reads from it: which devices there are, their secrets and models. */
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { listSubDevices } from '@ithings/contract/features/gateways.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { readDeviceSecret } from '@ithings/contract/features/secrets.ts'
import { readTsl } from '@ithings/contract/features/thing-model.ts'
import { login } from '@ithings/contract/features/users.ts'
import { type Language, t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import type { DeviceIdentity, DeviceName } from './options.ts'
import type { SimulateParts } from './simulate-device.ts'

export type Member = Pick<SimulateParts, 'device' | 'model' | 'children'>

/** Reads at the same time. */
const readers = 8
const callTimeoutMs = 30_000

export interface PlatformApi {
  /** @param account with a password; platforms that ask for a captcha want a token instead */
  signIn(account: string, password: string): Promise<void>
  /** Devices and gateways with their bound sub-devices; sub-devices speak through their gateways only. */
  members(filter: { productIDs: string[]; deviceNames: string[]; limit: number }): Promise<Member[]>
}

export function readModel(tsl: string, name: string): ThingModel {
  const { model, issues } = readTslText(tsl)
  if (issues.length > 0)
    throw new Error(t('{name} 的物模型有误：{path} {fault}', { name, path: issues[0]?.path, fault: issues[0]?.text }))
  return model
}

async function inBatches<T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < list.length; i += readers) {
    results.push(...(await Promise.all(list.slice(i, i + readers).map(work))))
  }
  return results
}

/** @param language of what the platform refuses */
export function makePlatformApi(base: string, knownToken = '', language: Language = 'zh'): PlatformApi {
  let token = knownToken
  const models = new Map<string, Promise<ThingModel>>()

  async function call<E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<DataOf<E>> {
    const response = await fetch(new URL(endpoint.path, base), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'iThings-token': token, 'accept-language': language },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(callTimeoutMs),
    }).catch((cause: unknown) => {
      throw new Error(t('无法连接平台 {base}', { base }), { cause })
    })
    const answer = (await response.json()) as { code: number; msg: string; data: DataOf<E> }
    if (answer.code === errors.captcha.code) throw new Error(t('平台要求验证码，请改用 --token'))
    if (answer.code !== 200)
      throw new Error(t('{path} 失败：{code} {reason}', { path: endpoint.path, code: answer.code, reason: answer.msg }))
    return answer.data
  }

  const modelOf = (productID: string): Promise<ThingModel> => {
    const known = models.get(productID)
    if (known !== undefined) return known
    const read = call(readTsl, { productID }).then(({ tsl }) => readModel(tsl, productID))
    models.set(productID, read)
    return read
  }

  async function identity({ productID, deviceName }: DeviceName): Promise<DeviceIdentity> {
    const { secret } = await call(readDeviceSecret, { productID, deviceName })
    return { productID, deviceName, secret }
  }

  async function childrenOf({ productID, deviceName }: DeviceName): Promise<NonNullable<Member['children']>> {
    const { list } = await call(listSubDevices, { gateWayProductID: productID, gateWaydeviceName: deviceName })
    return inBatches(list, async (child) => ({ device: await identity(child), model: await modelOf(child.productID) }))
  }

  async function memberOf(row: DeviceName & { deviceType: number }): Promise<Member> {
    const [device, model] = await Promise.all([identity(row), modelOf(row.productID)])
    return row.deviceType === DeviceType.gateway
      ? { device, model, children: await childrenOf(row) }
      : { device, model }
  }

  return {
    async signIn(account, password) {
      const data = await call(login, { account, password, pwdType: 1, loginType: 'pwd' })
      token = data.token.accessToken
    },
    async members({ productIDs, deviceNames, limit }) {
      const filter = productIDs.length > 0 ? { productIDs } : {}
      const { list } = await call(listDevices, { ...filter, page: { page: 1, size: 10_000 } })
      const rows = list
        .filter(({ deviceType }) => deviceType !== DeviceType.subDevice)
        .filter(({ deviceName }) => deviceNames.length === 0 || deviceNames.includes(deviceName))
        .slice(0, limit)
      return inBatches(rows, memberOf)
    },
  }
}
