/** The same values for many devices; what became of each is told one by one (http-api.md 4.5). */

import type { BodyOutput, DataOf } from '@ithings/contract/endpoint.ts'
import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import {
  type multiSendProperty as endpoint,
  maxMultiSend,
  type PropertyReply,
} from '@ithings/contract/features/commands.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { kept } from '@ithings/contract/text.ts'
import { listDevices, unknownDevice } from '#features/devices/door.ts'
import { findGroup } from '#features/groups/door.ts'
import type { CommandsDeps } from './commands-deps.ts'
import { awaitReply, toCommandReply, unanswered } from './dispatch-command.ts'
import { findTargets, type Target } from './find-target.ts'
import { readObject, type Values } from './read-order.ts'
import { dispatchProperty, type SendOptions } from './send-property.ts'

type Input = BodyOutput<typeof endpoint>
type Row = DataOf<typeof endpoint>['list'][number]

/** Sending takes database connections; waiting for replies takes nothing. */
const sendAtOnce = 8

async function keysOf({ db }: CommandsDeps, input: Input): Promise<DeviceKey[]> {
  const { productID, deviceNames = [], groupID, areaID } = input
  if (deviceNames.length > 0) {
    if (!productID) throw badField('productID', '缺少 productID')
    return deviceNames.map((deviceName) => ({ productID, deviceName }))
  }
  if (groupID !== undefined) {
    await findGroup(db, groupID)
    const page = { page: 1, size: maxMultiSend }
    const { list, total } = await listDevices(db, { inGroupID: groupID, ...(productID && { productID }), page })
    if (total <= maxMultiSend) return list
    throw refusal(errors.outOfRange, '一次最多 {maxMultiSend} 台设备，分组中有 {total} 台', { maxMultiSend, total })
  }
  if (areaID !== undefined && areaID !== '' && Number(areaID) !== 0) throw new AppError(errors.enterprise)
  throw badField('deviceNames', '请给出 deviceNames 或 groupID')
}

const failed = ({ productID, deviceName }: DeviceKey, error: AppError): Row => ({
  productID,
  deviceName,
  ...unanswered(''),
  viaShadow: false,
  sysCode: error.code,
  sysMsg: error.kept(),
})

/** One at a time in each of a few lanes; the waiting for replies is left to whoever collects them. */
async function inLanes<T, R>(items: T[], lanes: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const queue = items.entries()
  const walk = async () => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, walk))
  return results
}

/** Resolves once it is sent, with a function that waits for the rest. */
async function sendOne(deps: CommandsDeps, target: Target, values: Values, options: SendOptions) {
  const { productID, deviceName } = target
  const row = (reply: PropertyReply): Row => ({
    productID,
    deviceName,
    ...reply,
    sysCode: 200,
    sysMsg: kept('成功'),
  })
  try {
    const result = await dispatchProperty(deps, target, values, options)
    if ('written' in result) return async () => row(result.written)
    const { sent } = result
    return async () => {
      try {
        return row({ ...toCommandReply(sent.token, await awaitReply(deps, sent)), viaShadow: false })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { ...failed(target, error), clientToken: sent.token }
      }
    }
  } catch (error) {
    // A fault of ours ends the whole call; what a device cannot do is said in its row.
    if (!(error instanceof AppError)) throw error
    return async () => failed(target, error)
  }
}

export async function multiSendProperty(deps: CommandsDeps, input: Input, userName: string) {
  const values = readObject(input.data, 'data')
  const { found, missing } = await findTargets(deps.db, await keysOf(deps, input))
  const options = { shadowControl: input.shadowControl, userName }
  const waits = await inLanes(found, sendAtOnce, (target) => sendOne(deps, target, values, options))
  const rows = await Promise.all(waits.map((wait) => wait()))
  return { list: [...rows, ...missing.map((key) => failed(key, unknownDevice(key)))] }
}
