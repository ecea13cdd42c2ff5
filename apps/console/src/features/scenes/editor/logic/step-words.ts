/** A step in one line of the list: what, at whom, and what happens when it fails. Pure. */
import { commandTimeoutMs } from '@ithings/contract/features/devices/interact.ts'
import { describeAction } from '@ithings/contract/rules/describe.ts'
import type { SceneNames } from '@ithings/contract/rules/scene-names.ts'
import type { DeviceOutput, SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { timeUnitLabels } from '@ithings/contract/rules/time-units.ts'
import { jsonProblem } from '#kit/json-input.ts'
import { kindOf, stepKindLabels } from './action-list.ts'

export interface StepWords {
  title: string
  summary: string
  /** Exactly what is sent. */
  code?: string
  /** What the platform does about failures and restarts. */
  note: string
}

const rangeWords = ({ productID, selector, selectorValues }: DeviceOutput, names: SceneNames): string => {
  const values = selectorValues ?? []
  const [first = ''] = values
  switch (selector) {
    case 'trigger':
      return '触发设备'
    case 'all':
      return `全部${names.product(productID) ?? '设备'}`
    case 'group':
      return names.group(first) ?? (first ? `分组 ${first}` : '未选分组')
    case 'fixed': {
      const name = names.device(productID, first) ?? first
      return values.length > 1 ? `${name} 等 ${values.length} 台` : name || '未选设备'
    }
  }
}

const shownCode = 80

function outputWords(output: DeviceOutput, names: SceneNames): StepWords {
  const action = output.type === 'action'
  const who = rangeWords(output, names)
  const value = output.value.replaceAll(/\s+/g, ' ')
  const code = action ? `${output.dataID}(${value === '{}' ? '' : value})` : value
  return {
    title: action ? (names.action(output.productID, output.dataID) ?? (output.dataID || '行为调用')) : '属性设置',
    summary: `${action ? '行为调用' : '设置'} · ${who}`,
    code: code.length > shownCode ? `${code.slice(0, shownCode)}…` : code,
    note: `失败后继续 · 超时 ${commandTimeoutMs / 1000} 秒`,
  }
}

export function stepWords(action: SceneAction, names: SceneNames): StepWords {
  const title = stepKindLabels[kindOf(action)]
  if (action.device) return outputWords(action.device, names)
  if (action.delay) {
    return {
      title: `延时 ${action.delay.time} ${timeUnitLabels[action.delay.unit]}`,
      summary: '之后继续下一步',
      note: '重启后继续计时',
    }
  }
  if (action.alarm) {
    const linked = names.alarms.length > 0 ? '' : '还没有关联告警'
    return { title, summary: linked, note: action.alarm.mode === 'trigger' ? '同设备合并计次' : '' }
  }
  if (action.notify) {
    const said = describeAction(action, names).replace(/^通知\s*/, '')
    return { title, summary: said || '未选通知渠道', note: '失败自动重试' }
  }
  if (action.scene) {
    const { sceneID } = action.scene
    return { title, summary: sceneID ? (names.scene(sceneID) ?? `场景 ${sceneID}`) : '未选场景', note: '' }
  }
  return { title, summary: '', note: '' }
}

/** The sentence reads JSON texts; one that is being typed must not stop it. */
export const readable = (action: SceneAction): SceneAction =>
  action.device && jsonProblem(action.device.value) ? { ...action, device: { ...action.device, value: '{}' } } : action
