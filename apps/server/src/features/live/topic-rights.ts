/** Who may watch what: a topic needs the right to read what it speaks of. */

import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { badField, errors, refusal } from '@ithings/contract/errors.ts'
import { alarmTopic, listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { deviceNamePattern, readDevice } from '@ithings/contract/features/devices/info.ts'
import { homeTopic, readHomeSummary } from '@ithings/contract/features/home.ts'
import { listOtaTasks } from '@ithings/contract/features/ota/task.ts'
import { listConfigPushes } from '@ithings/contract/features/remote-config.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { scenesTopic } from '@ithings/contract/features/scenes/log.ts'
import { listTasks } from '@ithings/contract/features/tasks.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { type Gate, requireRight } from '#http/route.ts'
import type { JobWatch } from './job-watch.ts'

export type LiveTopic =
  | { kind: 'device'; productID: string; deviceName: string }
  | { kind: 'job'; jobID: string }
  | { kind: 'alarm' | 'scene' | 'home' | 'task' | 'ota' | 'config' }

/** Which endpoint reads what a topic speaks of. */
const readers = {
  device: readDevice,
  alarm: listAlarmRecords,
  scene: listScenes,
  home: readHomeSummary,
  task: listTasks,
  ota: listOtaTasks,
  config: listConfigPushes,
} as const satisfies Record<string, Endpoint>

export function parseLiveTopic(topic: string): LiveTopic | undefined {
  if (topic === alarmTopic || topic === scenesTopic || topic === homeTopic) return { kind: topic }
  const [kind, first = '', second = '', ...rest] = topic.split('/')
  if (kind === 'device' && /^[\w-]{1,64}$/.test(first) && deviceNamePattern.test(second) && rest.length === 0) {
    return { kind, productID: first, deviceName: second }
  }
  const named = /^[\w-]{1,64}$/.test(first) && second === ''
  if ((kind === 'task' || kind === 'ota' || kind === 'config') && named) return { kind }
  return kind === 'job' && named ? { kind, jobID: first } : undefined
}

/** Throws the refusal. */
export type CheckTopic = (topic: string, user: SignedInUser) => Promise<void>

export const makeTopicRights =
  (gate: Gate, jobs: JobWatch): CheckTopic =>
  async (topic, user) => {
    const parsed = parseLiveTopic(topic)
    if (!parsed) throw badField('topic', '没有主题 {topic}', { topic })
    if (parsed.kind === 'job') {
      if (await jobs.mayFollow(parsed.jobID, user)) return
      throw refusal(errors.permission, '只能查看自己的后台任务')
    }
    const reader = readers[parsed.kind]
    await requireRight(reader, user, gate)
    // A key that is limited to a product or a group follows devices within it, and nothing else.
    const { productID, deviceName } = parsed as { productID?: string; deviceName?: string }
    await user.key?.narrow?.(reader, { productID, deviceName })
  }
