/** A device answers a command: paired by token, told to whoever waits once it is stored (device-protocol.md 5). */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import type { PendingRequest, RequestKind } from '#downlink/pending-replies.ts'
import type { CorridorDeps } from '../corridor-deps.ts'
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

/**
 * Devices of other habits say "0, success" or "201, ok". Nothing is kept for them, so whoever asked must not take it for a
 * yes: the words say so, and 0, which callers know as "no answer yet", becomes the code of a failure.
 */
function saidBy(message: Envelope): { code: number; msg: string } {
  const code = codeOf(message)
  const msg = textOf(message)
  const meansYes = code !== 200 && ((code >= 0 && code < 300) || /^\s*(ok|success|成功)/i.test(msg))
  if (!meansYes) return { code, msg }
  const text = msg
    ? kept('设备以 {code} 回复，只有 200 表示成功，按失败处理：{msg}', { code, msg })
    : kept('设备以 {code} 回复，只有 200 表示成功，按失败处理', { code })
  return { code: code || errors.deviceError.code, msg: text }
}

export interface Answer {
  request: PendingRequest
  ok: boolean
  /** What all answers have in common. */
  outcome: Pick<Outcome, 'code' | 'msg' | 'latency' | 'after'>
  said: { code: number; msg: string }
}

/**
 * At once when this server asked; what another server asked is looked up in the history of commands.
 * @param data outputs of an action, values of a report
 * @param outcomeOf what becomes of the message
 * @param fault why the answer is not kept although the device said yes: whoever asked hears this instead
 */
export function settleAnswer(
  up: Uplink,
  deps: CorridorDeps,
  kind: RequestKind,
  data: unknown,
  outcomeOf: (answer: Answer) => Outcome,
  fault?: Answer['said'],
): Outcome | Promise<Outcome> {
  const answered = saidBy(up.message)
  const said = answered.code === 200 && fault ? fault : answered
  const own = deps.pending.settle(up.device.deviceID, { token: up.token, kind, ...said, data })
  if (own) return outcomeOf(answerTo(own, up, deps, said, data, false))
  const unknown = () =>
    new AppError(errors.respParam, {
      detail: phrase('没有等待回复的请求 {token}', { token: up.token || phrase('（缺少 clientToken）') }),
    })
  if (deps.alone || up.token === '') throw unknown()
  return deps.doors.findRequest(up.device.deviceID, up.token, kind).then((request) => {
    if (!request) throw unknown()
    return outcomeOf(answerTo(request, up, deps, said, data, true))
  })
}

const replyText = ({ code, msg }: Answer['said']): string =>
  msg ? kept('设备回复 {code}：{msg}', { code, msg }) : kept('设备回复 {code}', { code })

function answerTo(
  request: PendingRequest,
  up: Uplink,
  deps: CorridorDeps,
  said: Answer['said'],
  data: unknown,
  elsewhere: boolean,
): Answer {
  const { deviceID } = up.device
  const { token } = up
  const ok = said.code === 200
  return {
    request,
    ok,
    said,
    outcome: {
      code: ok ? 200 : errors.deviceError.code,
      msg: ok ? '' : replyText(said),
      latency: (deps.clock.now() - request.sentAt) * 1000,
      after: () => {
        deps.doors.replied(deviceID, { token, ...said, data }, elsewhere)
        deps.pending.confirm(deviceID, token)
      },
    },
  }
}
