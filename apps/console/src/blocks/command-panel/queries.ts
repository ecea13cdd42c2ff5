import {
  getPropertyReply,
  listCommands,
  sendAction,
  sendMessage,
  sendProperty,
} from '@ithings/contract/features/commands.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { type HubLogRow, listHubLog } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { successCode } from '../log-table/result-view.ts'
import type { SendRequest } from './sends.ts'

/** As many lines as the stream shows; older ones are in the log. */
export const streamLines = 200

export const streamQuery = ({ productID, deviceName }: DeviceKey, since: number) =>
  queryOptions({
    queryKey: [listHubLog.path, 'stream', { productID, deviceName, since }],
    queryFn: async ({ signal }): Promise<HubLogRow[]> => {
      const body = { productID, deviceNames: [deviceName], timeStart: since, page: { page: 1, size: streamLines } }
      return (await call(listHubLog, body, { quiet: true, signal })).list
    },
  })

/** What the screens of a command show again after it. */
export const touchedBySend: readonly string[] = [listHubLog.path, listCommands.path]

export interface Outcome {
  /** 200, or the catalogue code of the refusal. */
  code: number
  text: string
  /** JSON text that came back; '' when nothing did. */
  output: string
}

const refusalOf = (error: unknown): Outcome => {
  if (error instanceof ApiError) return { code: error.code, text: error.message, output: '' }
  throw error
}

/** Sends and waits for the answer of the device; a refusal is an outcome, not an exception. */
export async function deliver(device: DeviceKey, request: SendRequest, shadowControl: number): Promise<Outcome> {
  const key = { productID: device.productID, deviceName: device.deviceName }
  const quiet = { quiet: true }
  try {
    switch (request.kind) {
      case 'property': {
        const reply = await call(sendProperty, { ...key, data: request.data, shadowControl }, quiet)
        return { code: reply.code, text: reply.msg || reply.status, output: '' }
      }
      case 'read': {
        const dataIDs = JSON.parse(request.data) as string[]
        const reply = await call(getPropertyReply, { ...key, dataIDs }, quiet)
        return { code: reply.code, text: reply.msg || reply.status, output: reply.params }
      }
      case 'action': {
        const body = { ...key, actionID: request.target, inputParams: request.data }
        const reply = await call(sendAction, body, quiet)
        return { code: reply.code, text: reply.msg || reply.status, output: reply.outputParams }
      }
      case 'message':
        await call(sendMessage, { topic: request.target, payload: request.data }, quiet)
        return { code: successCode, text: t('已下发'), output: '' }
    }
  } catch (error) {
    return refusalOf(error)
  }
}
