/** The six kinds of a step: how one begins and how it reads in one line of the list. */

import {
  BellOutlined,
  ClockCircleOutlined,
  PartitionOutlined,
  SendOutlined,
  StopOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons'
import { commandTimeoutMs } from '@ithings/contract/features/commands.ts'
import { receiversText } from '@ithings/contract/rules/describe-action.ts'
import type { SceneNames } from '@ithings/contract/rules/scene-names.ts'
import type { DeviceOutput, SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { timeUnitLabels } from '@ithings/contract/rules/time-units.ts'
import { t } from '@ithings/contract/text.ts'
import { jsonProblem } from '#kit/json-input.ts'
import type { SceneStart } from '#kit/paths.ts'
import { type ActionItem, emptyDraft, emptyTrigger, newKey, type SceneDraft } from './draft.ts'

interface StepWords {
  title: string
  summary: string
  /** Exactly what is sent. */
  code?: string
  /** What the platform does about failures and restarts. */
  note: string
}

interface StepStart {
  productID: string
  /** The scene is started by a device, so "the device that started it" means something. */
  byDevice: boolean
}

interface Kind {
  label: string
  icon: typeof SendOutlined
  start: (from: StepStart) => Partial<SceneAction>
  /** What the line says besides the label; a title of its own takes the place of the label. */
  words: (action: SceneAction, names: SceneNames) => Partial<StepWords> | null | undefined
}

function rangeWords({ productID, selector, selectorValues }: DeviceOutput, names: SceneNames): string {
  const values = selectorValues ?? []
  const [first = ''] = values
  switch (selector) {
    case 'trigger':
      return t('触发设备')
    case 'all':
      return t('全部{product}', { product: names.product(productID) ?? t('设备') })
    case 'group':
      return names.group(first) ?? (first ? t('分组 {id}', { id: first }) : t('未选分组'))
    case 'fixed': {
      const name = names.device(productID, first) ?? first
      return values.length > 1 ? t('{name} 等 {count} 台', { name, count: values.length }) : name || t('未选设备')
    }
  }
}

const shownCode = 80

function outputWords(output: DeviceOutput, names: SceneNames): StepWords {
  const action = output.type === 'action'
  const value = output.value.replaceAll(/\s+/g, ' ')
  const code = action ? `${output.dataID}(${value === '{}' ? '' : value})` : value
  return {
    title: action ? (names.action(output.productID, output.dataID) ?? (output.dataID || t('行为调用'))) : t('属性设置'),
    summary: `${action ? t('行为调用') : t('设置')} · ${rangeWords(output, names)}`,
    code: code.length > shownCode ? `${code.slice(0, shownCode)}…` : code,
    note: t('失败后继续 · 超时 {seconds} 秒', { seconds: commandTimeoutMs / 1000 }),
  }
}

/** Raising and clearing an alarm are two buttons and one executor. */
const alarmKind = (mode: 'trigger' | 'relieve', label: string, icon: Kind['icon'], note: string): Kind => ({
  label,
  icon,
  start: () => ({ executor: 'alarm', alarm: { mode } }),
  words: ({ alarm }, { alarms }) =>
    alarm && { summary: alarms.length > 0 ? '' : t('还没有关联告警'), note: note && t(note) },
})

const table = {
  device: {
    label: '设备输出',
    icon: ThunderboltOutlined,
    start: ({ productID, byDevice }) => ({
      executor: 'device',
      device: { productID, selector: byDevice ? 'trigger' : 'fixed', type: 'propertyControl', dataID: '', value: '{}' },
    }),
    words: ({ device }, names) => device && outputWords(device, names),
  },
  delay: {
    label: '延时',
    icon: ClockCircleOutlined,
    start: () => ({ executor: 'delay', delay: { time: 10, unit: 'seconds' } }),
    words: ({ delay }) =>
      delay && {
        title: t('延时 {time} {unit}', { time: delay.time, unit: t(timeUnitLabels[delay.unit]) }),
        summary: t('之后继续下一步'),
        note: t('重启后继续计时'),
      },
  },
  trigger: alarmKind('trigger', '触发告警', BellOutlined, '同设备合并计次'),
  relieve: alarmKind('relieve', '解除告警', StopOutlined, ''),
  notify: {
    label: '通知',
    icon: SendOutlined,
    start: () => ({ executor: 'notify', notify: { channelIDs: [], title: '', content: '' } }),
    words: ({ notify }, names) =>
      notify && { summary: receiversText(notify, names) || t('未选通知渠道'), note: t('失败自动重试') },
  },
  scene: {
    label: '执行场景',
    icon: PartitionOutlined,
    start: () => ({ executor: 'scene', scene: { sceneID: 0 } }),
    words: ({ scene }, names) =>
      scene && {
        summary: scene.sceneID
          ? (names.scene(scene.sceneID) ?? t('场景 {sceneID}', { sceneID: scene.sceneID }))
          : t('未选场景'),
      },
  },
} satisfies Record<string, Kind>

export type StepKind = keyof typeof table
export const stepTable: Record<StepKind, Kind> = table
export const stepKinds = Object.keys(table) as StepKind[]

export const kindOf = ({ executor, alarm }: Pick<SceneAction, 'executor' | 'alarm'>): StepKind =>
  executor === 'alarm' ? (alarm?.mode ?? 'trigger') : executor

const nothing = { delay: null, device: null, alarm: null, notify: null, scene: null }

export const newStep = (kind: StepKind, from: StepStart): ActionItem => ({
  key: newKey(),
  part: { executor: 'alarm', ...nothing, ...stepTable[kind].start(from) },
})

/** A step in one line of the list: what, at whom, and what happens when it fails. */
export function stepWords(action: SceneAction, names: SceneNames): StepWords {
  const { label, words } = stepTable[kindOf(action)]
  return { title: t(label), summary: '', note: '', ...words(action, names) }
}

/** The sentence reads JSON texts; one that is being typed must not stop it. */
export const readable = (action: SceneAction): SceneAction =>
  action.device && jsonProblem(action.device.value) ? { ...action, device: { ...action.device, value: '{}' } } : action

/** A scene that raises an alarm when a property is above a value, as far as they are known. */
export function alarmDraft({ productID, dataID, value = '' }: SceneStart): SceneDraft {
  const trigger = emptyTrigger(productID)
  if (dataID) trigger.part.operationSchema = { dataID: [dataID], termType: 'gt', values: [value] }
  return { ...emptyDraft('device'), triggers: [trigger], actions: [newStep('trigger', { productID, byDevice: true })] }
}
