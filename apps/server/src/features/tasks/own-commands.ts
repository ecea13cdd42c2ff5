/** A task does for its maker what he might do by hand, and nothing else. */

import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { sendAction, sendProperty } from '@ithings/contract/features/commands.ts'
import { pushConfig } from '@ithings/contract/features/remote-config.ts'
import { TaskType } from '@ithings/contract/features/tasks.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { findTask } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

const byHand: Record<TaskType, Endpoint> = {
  [TaskType.property]: sendProperty,
  [TaskType.action]: sendAction,
  [TaskType.config]: pushConfig,
}

/** For what is made or changed. */
export async function refuseForeignCommands(
  { allows }: TasksDeps,
  { role }: SignedInUser,
  type: TaskType,
): Promise<void> {
  if (await allows(role, byHand[type])) return
  throw refusal(errors.permission, '你的角色没有「{name}」的权限，也不能用任务下发', {
    name: phrase(byHand[type].name),
  })
}

/** For what is there and begins once more. */
export async function refuseForeignTask(deps: TasksDeps, user: SignedInUser, taskID: number): Promise<void> {
  await refuseForeignCommands(deps, user, (await findTask(deps.db, taskID)).plan.taskType)
}
