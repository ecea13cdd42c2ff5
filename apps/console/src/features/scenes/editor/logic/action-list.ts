/** Changes of the ordered steps. Pure. `parallel` says "starts together with the step before it". */
import type { Executor, SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import type { SceneStart } from '#blocks/scene-paths.ts'
import { type ActionItem, emptyDraft, emptyTrigger, newKey, type SceneDraft } from './draft.ts'

type List = readonly ActionItem[]

const withParallel = (item: ActionItem, parallel: boolean): ActionItem => {
  if ((item.part.parallel ?? false) === parallel) return item
  const { parallel: _, ...rest } = item.part
  return { ...item, part: parallel ? { ...rest, parallel: true } : rest }
}

/** The first step has none before it. */
const settled = (list: List): ActionItem[] =>
  list.map((item, index) => (index === 0 ? withParallel(item, false) : item))

export function moveStep(list: List, from: number, to: number): ActionItem[] {
  const moving = list[from]
  if (!moving || from === to || to < 0 || to >= list.length) return [...list]
  const rest = list.filter((_, index) => index !== from)
  return settled([...rest.slice(0, to), moving, ...rest.slice(to)])
}

export const removeStep = (list: List, key: string): ActionItem[] => settled(list.filter((item) => item.key !== key))

export const setParallel = (list: List, key: string, parallel: boolean): ActionItem[] =>
  settled(list.map((item) => (item.key === key ? withParallel(item, parallel) : item)))

export type StepMode = 'serial' | 'parallel' | 'mixed'

export function modeOf(list: List): StepMode {
  const later = list.slice(1).map(({ part }) => part.parallel ?? false)
  if (!later.includes(true)) return 'serial'
  return later.includes(false) ? 'mixed' : 'parallel'
}

export const setMode = (list: List, mode: 'serial' | 'parallel'): ActionItem[] =>
  list.map((item, index) => withParallel(item, mode === 'parallel' && index > 0))

/** Steps that start together share a number. */
export function stepNumbers(list: List): number[] {
  let number = 0
  return list.map(({ part }, index) => {
    if (index === 0 || !part.parallel) number += 1
    return number
  })
}

const nothing = { delay: null, device: null, alarm: null, notify: null, scene: null }

/** The six kinds of a step; raising and clearing an alarm are two buttons and one executor. */
export const stepKinds = ['device', 'delay', 'trigger', 'relieve', 'notify', 'scene'] as const
export type StepKind = (typeof stepKinds)[number]
export const stepKindLabels: Record<StepKind, string> = {
  device: '设备输出',
  delay: '延时',
  trigger: '触发告警',
  relieve: '解除告警',
  notify: '通知',
  scene: '执行场景',
}

export function kindOf({ executor, alarm }: Pick<SceneAction, 'executor' | 'alarm'>): StepKind {
  if (executor !== 'alarm') return executor
  return alarm?.mode ?? 'trigger'
}

export interface StepStart {
  productID: string
  /** The scene is started by a device, so "the device that started it" means something. */
  byDevice: boolean
}

export function newStep(kind: StepKind, { productID, byDevice }: StepStart): ActionItem {
  const executor: Executor = kind === 'trigger' || kind === 'relieve' ? 'alarm' : kind
  const part: SceneAction = { executor, ...nothing }
  switch (kind) {
    case 'device':
      part.device = {
        productID,
        selector: byDevice ? 'trigger' : 'fixed',
        type: 'propertyControl',
        dataID: '',
        value: '{}',
      }
      break
    case 'delay':
      part.delay = { time: 10, unit: 'seconds' }
      break
    case 'trigger':
    case 'relieve':
      part.alarm = { mode: kind }
      break
    case 'notify':
      part.notify = { channelIDs: [], title: '', content: '' }
      break
    case 'scene':
      part.scene = { sceneID: 0 }
      break
  }
  return { key: newKey(), part }
}

/** A scene that raises an alarm when a property is above a value, as far as they are known. */
export function alarmDraft({ productID, dataID, value = '' }: SceneStart): SceneDraft {
  const trigger = emptyTrigger(productID)
  if (dataID) trigger.part.operationSchema = { dataID: [dataID], termType: 'gt', values: [value] }
  return { ...emptyDraft('device'), triggers: [trigger], actions: [newStep('trigger', { productID, byDevice: true })] }
}
