/** Setting properties: live, or as desired values of the shadow (http-api.md 4.5 shadowControl). */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField, errors } from '@ithings/contract/errors.ts'
import {
  type sendProperty as endpoint,
  type PropertyReply,
  ShadowControl,
} from '@ithings/contract/features/commands.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { kept } from '@ithings/contract/text.ts'
import { unknownDevice } from '#features/devices/door.ts'
import type { CachedProduct } from '#features/products/door.ts'
import { insertCommand, type Sender } from './command-store.ts'
import type { CommandsDeps } from './commands-deps.ts'
import {
  awaitReply,
  type Dispatched,
  dispatchCommand,
  makeToken,
  type Order,
  recordRefusal,
  toCommandReply,
  unanswered,
} from './dispatch-command.ts'
import { findTarget, type Target, whyUnreachable } from './find-target.ts'
import { propertyValues, readObject, type Values, withoutShadow } from './read-order.ts'
import { setDesired } from './shadow.ts'

export interface SendOptions extends Partial<Sender> {
  shadowControl?: number
  /** Answer with the token at once. */
  isAsync?: boolean | undefined
  /** Made by the caller, who has noted it: unique. */
  clientToken?: string | undefined
}

export const senderOf = ({ userName = '', source = 'user' }: SendOptions): Sender => ({ userName, source })

export async function productOf(deps: CommandsDeps, key: DeviceKey): Promise<CachedProduct> {
  const product = await deps.products.get(key.productID)
  if (!product) throw unknownDevice(key)
  return product
}

const shadowText = kept('已写入设备影子，设备下次查询状态时生效')

async function writeShadow(deps: CommandsDeps, order: Order): Promise<PropertyReply> {
  const { target, params, by, token = makeToken() } = order
  const setAt = deps.clock.now()
  await deps.db.transaction().execute(async (db) => {
    await setDesired(db, target, { values: params, setBy: by.userName, setAt })
    const done = { code: 200, status: shadowText, viaShadow: true }
    const command = { device: target, token, kind: 'property', target: '', payload: params } as const
    await insertCommand(db, { ...command, by, sentAt: setAt, done })
  })
  deps.bus.emit('shadow.changed', { device: target })
  deps.bus.emit('command.done', { device: target, clientToken: token, code: 200 })
  return { ...toCommandReply(token, { code: 200, msg: shadowText }), viaShadow: true }
}

/** Live when the device can be reached, else into the shadow if every property has one. */
export async function dispatchProperty(
  deps: CommandsDeps,
  target: Target,
  given: Values,
  options: SendOptions,
): Promise<{ written: PropertyReply } | { sent: Dispatched }> {
  const { shadowControl = ShadowControl.auto } = options
  const product = await productOf(deps, target)
  const params = propertyValues(product, given)
  const order: Order = {
    target,
    product,
    kind: 'property',
    type: 'property',
    method: 'control',
    body: { params },
    payload: params,
    params,
    actionID: '',
    by: senderOf(options),
    token: options.clientToken,
  }
  const shadowless = withoutShadow(product, params)
  if (shadowControl === ShadowControl.shadow) {
    if (shadowless.length === 0) return { written: await writeShadow(deps, order) }
    throw badField('data', '属性 {identifiers} 未启用设备影子', { identifiers: shadowless })
  }
  const unreachable = whyUnreachable(deps, target)
  if (!unreachable) return { sent: await dispatchCommand(deps, order) }
  const away = unreachable.code === errors.notOnline.code
  if (away && shadowControl === ShadowControl.auto && shadowless.length === 0) {
    return { written: await writeShadow(deps, order) }
  }
  await recordRefusal(deps, order, unreachable)
  throw unreachable
}

/** For the routes, scenes and tasks alike. */
export async function sendPropertyTo(
  deps: CommandsDeps,
  key: DeviceKey,
  values: Values,
  options: SendOptions = {},
): Promise<PropertyReply> {
  const result = await dispatchProperty(deps, await findTarget(deps.db, key), values, options)
  if ('written' in result) return result.written
  const { sent } = result
  const reply = options.isAsync ? unanswered(sent.token) : toCommandReply(sent.token, await awaitReply(deps, sent))
  return { ...reply, viaShadow: false }
}

export const sendProperty = (deps: CommandsDeps, input: BodyOutput<typeof endpoint>, userName: string) =>
  sendPropertyTo(deps, input, readObject(input.data, 'data'), { ...input, userName })
