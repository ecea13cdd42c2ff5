/** What became of an asynchronous command; known for ten minutes (http-api.md 4.5 property-read, action-read). */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { CommandState } from '@ithings/contract/features/commands.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { kept, type Phrase, phrase } from '@ithings/contract/text.ts'
import { keepMs } from '#downlink/pending-replies.ts'
import { type StoredKind, stateOf } from './command-store.ts'
import type { CommandsDeps } from './commands-deps.ts'
import { toCommandReply, unanswered } from './dispatch-command.ts'
import { findTarget } from './find-target.ts'
import { outputText } from './send-action.ts'

const notYet = '设备尚未回复'

type Asked = DeviceKey & { clientToken: string }

const none = (detail: Phrase) => new AppError(errors.notFound, { detail, field: 'clientToken' })

async function findReply(deps: CommandsDeps, asked: Asked, kind: StoredKind) {
  const { deviceID } = await findTarget(deps.db, asked)
  const row = await deps.db
    .selectFrom('device_command')
    .select(['code', 'status', 'reply', 'done_at', 'via_shadow'])
    .where('client_token', '=', asked.clientToken)
    .where('device_id', '=', deviceID)
    .where('kind', '=', kind)
    .where('sent_at', '>', deps.clock.now() - keepMs)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!row) throw none(phrase('没有指令 {clientToken}，或已超过 10 分钟', { clientToken: asked.clientToken }))
  const state = stateOf(row)
  return { ...row, answered: state !== CommandState.waiting && state !== CommandState.timeout }
}

export async function readPropertyReply(deps: CommandsDeps, asked: Asked) {
  const { code, status, via_shadow: viaShadow, answered } = await findReply(deps, asked, 'property')
  if (!answered) throw none(phrase('设备尚未回复'))
  return { ...toCommandReply(asked.clientToken, { code, msg: status }), viaShadow }
}

export async function readActionReply(deps: CommandsDeps, asked: Asked) {
  const { code, status, reply, answered } = await findReply(deps, asked, 'action')
  // Who asks again and again is no caller at fault: code 0 is what the call itself answered, too.
  if (!answered) return { ...unanswered(asked.clientToken), msg: kept(notYet), outputParams: '' }
  return { ...toCommandReply(asked.clientToken, { code, msg: status }), outputParams: outputText(reply) }
}
