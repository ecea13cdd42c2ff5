/** Who may come in and which topics they may use: asked by our broker, and by an EMQX in front of it. */
import { AppError, type CatalogueError, errors } from '@ithings/contract/errors.ts'
import { AutoRegister, DeviceType } from '@ithings/contract/features/products.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { markOf, validSecrets } from '#db/secrets.ts'
import type { Listener, LoginAnswer, LoginAttempt, LoginRefusal, Session, SessionDevice } from '#ports/broker.ts'
import type { DeviceAuthDeps } from './device-auth-deps.ts'
import { type ClientName, parseClientID, parseUserName } from './login-name.ts'
import { registerByMessage } from './register.ts'
import { passwordMatches } from './signatures.ts'
import { judgeTopic, type TopicUse, type TopicUser } from './topic-rules.ts'

const disabled = 2

export interface DeviceAuth {
  login(attempt: LoginAttempt): Promise<LoginAnswer>
  /** The device that a client id names, whoever says so. */
  deviceOf(clientID: string): Promise<SessionDevice | undefined>
  maySubscribe(who: Listener, topic: string): boolean | Promise<boolean>
  /** For a client that signed in elsewhere. */
  mayUse(clientID: string, use: TopicUse, topic: string): Promise<boolean>
  /** The answer's data; throws the refusal. */
  registerOverMqtt(session: Session, payload: unknown): Promise<{ len: number; payload: string }>
}

/** decisions.md 2 "Refusals on MQTT". */
const refuse = (returnCode: 4 | 5, entry: CatalogueError, detail: Phrase, device?: SessionDevice): LoginRefusal => ({
  ok: false,
  returnCode,
  code: entry.code,
  msg: new AppError(entry, { detail }).kept(),
  device,
})

const named = (
  { productID, deviceName }: ClientName,
  { deviceID, deviceType }: { deviceID: number; deviceType: number },
): SessionDevice => ({ productID, deviceName, deviceID, deviceType })

export function makeDeviceAuth(deps: DeviceAuthDeps): DeviceAuth {
  const { clock, devices, products } = deps

  /** device-protocol.md 3: any user name and password; what it may do is to prove the product's secret. */
  async function loginToRegister({ productID, deviceName }: ClientName): Promise<LoginAnswer> {
    const product = await products.get(productID)
    if (!product) return refuse(4, errors.notFound, phrase('产品 {productID} 不存在', { productID }))
    if (product.autoRegister === AutoRegister.off) return refuse(5, errors.notEnabled, phrase('设备动态注册未启动'))
    const device = { productID, deviceName, deviceID: 0, deviceType: product.deviceType }
    return { ok: true, device, registering: true }
  }

  async function login({ clientID, userName, password }: LoginAttempt): Promise<LoginAnswer> {
    const client = parseClientID(clientID)
    if (!client) return refuse(4, errors.parameter, phrase('clientID 应为产品ID加设备名称'))
    if (client.registering) return loginToRegister(client)
    const { productID, deviceName } = client
    const known = await devices.get(productID, deviceName)
    const device = known && named(client, known)
    const name = parseUserName(userName)
    if (!name) return refuse(4, errors.parameter, phrase('username 应为 clientID;12010126;connid;expiry'), device)
    if (name.productID !== productID || name.deviceName !== deviceName) {
      return refuse(4, errors.parameter, phrase('username 与 clientID 不是同一台设备'), device)
    }
    if (!known || !device)
      return refuse(4, errors.notFound, phrase('产品 {productID} 下没有设备 {deviceName}', { productID, deviceName }))
    const signer = validSecrets(known.secrets, clock.now()).find((one) => passwordMatches(userName, password, one))
    if (signer === undefined) return refuse(4, errors.password, phrase('签名不正确'), device)
    // Only who knows the secret hears more.
    const expiresAt = name.expiry * 1000
    if (expiresAt < clock.now()) return refuse(5, errors.signatureExpired, phrase('请重新生成密码'), device)
    if (known.isEnable === disabled) return refuse(5, errors.notEnabled, phrase('设备已禁用'), device)
    return { ok: true, device, registering: false, signedWith: markOf(signer), expiresAt }
  }

  function mayUseTopic(user: TopicUser, use: TopicUse, topic: string): boolean | Promise<boolean> {
    const verdict = judgeTopic(user, use, topic)
    if (verdict.rule !== 'child') return verdict.rule === 'own'
    const isBound = (child: { gateway: { productID: string; deviceName: string } | undefined } | undefined) =>
      child?.gateway?.productID === user.productID && child.gateway.deviceName === user.deviceName
    const child = devices.get(verdict.productID, verdict.deviceName)
    return child instanceof Promise ? child.then(isBound) : isBound(child)
  }

  return {
    login,
    async deviceOf(clientID) {
      const client = parseClientID(clientID)
      const known = client && (await devices.get(client.productID, client.deviceName))
      return client && known ? named(client, known) : undefined
    },
    maySubscribe({ device, registering }, topic) {
      const { productID, deviceName, deviceType } = device
      const isGateway = deviceType === DeviceType.gateway
      return mayUseTopic({ productID, deviceName, isGateway, registering }, 'subscribe', topic)
    },
    async mayUse(clientID, use, topic) {
      const client = parseClientID(clientID)
      if (!client) return false
      if (client.registering) return mayUseTopic({ ...client, isGateway: false }, use, topic)
      const device = await devices.get(client.productID, client.deviceName)
      if (!device || device.isEnable === disabled) return false
      return mayUseTopic({ ...client, isGateway: device.deviceType === DeviceType.gateway }, use, topic)
    },
    registerOverMqtt: async ({ device }, payload) => registerByMessage(deps, device, payload),
  }
}
