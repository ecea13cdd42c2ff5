/** What a run came to, from what its steps came to. */
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type { LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import { kept } from '@ithings/contract/text.ts'

export const success = 200

/** Sent and not refused so far counts; refusals of devices come later and are counted anew. */
const didSomething = ({ ok, devices }: LoggedAction) => ok || devices.some(({ code }) => code === success || code === 0)

export interface Summary {
  result: RunResult
  /** For the list: how many actions, or what went wrong first. */
  text: string
}

export function summarise(actions: LoggedAction[], reason: string): Summary {
  const failed = actions.find(({ ok }) => !ok)
  if (!failed && reason === '')
    return { result: RunResult.success, text: kept('{count} 个动作成功', { count: actions.length }) }
  const result = actions.some(didSomething) ? RunResult.partly : RunResult.failed
  return { result, text: reason || failed?.msg || '' }
}
