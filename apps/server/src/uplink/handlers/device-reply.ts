/** A device answers a command: paired by token, told to whoever waits once it is stored (device-protocol.md 5). */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { PendingRequest, RequestKind } from '#downlink/pending-replies.ts'
import type { CorridorKit } from '../corridor-kit.ts'
import type { Envelope, Outcome, Uplink } from '../uplink-message.ts'

const mostCode = 2_147_483_647

/** Success is code 200, also when it is left out; what a device says instead is kept as it is. */
function codeOf({ code }: Envelope): number {
  if (code === undefined || code === null) return 200
  const number = typeof code === 'string' && code.trim() !== '' ? Number(code) : code
  const known = typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= mostCode
  return known ? number : errors.deviceError.code
}
const textOf = ({ msg, status }: Envelope): string =>
  (typeof msg === 'string' ? msg : typeof status === 'string' ? status : '').slice(0, 512)

export interface Answer {
  request: PendingRequest
  ok: boolean
  /** What all answers have in common. */
  outcome: Pick<Outcome, 'code' | 'msg' | 'latency' | 'after'>
  said: { code: number; msg: string }
}

/** @param data outputs of an action, values of a report */
export function settleAnswer(up: Uplink, kit: CorridorKit, kind: RequestKind, data: unknown): Answer {
  const { deviceID } = up.device
  const { token } = up
  const said = { code: codeOf(up.message), msg: textOf(up.message) }
  const request = kit.pending.settle(deviceID, { token, kind, ...said, data })
  if (!request)
    throw new AppError(errors.respParam, { detail: `没有等待回复的请求 ${token || '（缺少 clientToken）'}` })
  const ok = said.code === 200
  return {
    request,
    ok,
    said,
    outcome: {
      code: ok ? 200 : errors.deviceError.code,
      msg: ok ? '' : `设备回复 ${said.code}${said.msg ? `：${said.msg}` : ''}`,
      latency: (kit.clock.now() - request.sentAt) * 1000,
      after: () => {
        kit.doors.replied(deviceID, { token, ...said, data })
        kit.pending.confirm(deviceID, token)
      },
    },
  }
}
