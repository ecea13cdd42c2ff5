/** Commands and what became of them, in words (screens.md 6.2; decisions.md 4.6). Pure. */

import { successCode } from '@ithings/contract/envelope.ts'
import { errors } from '@ithings/contract/errors.ts'
import {
  CommandKind,
  type CommandReply,
  type CommandRow,
  CommandState,
  commandTimeoutMs,
} from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { describeValue, withUnit } from '#blocks/typed-value/value-text.ts'
import { objectOf, parsedJson } from '#kit/json-object.ts'
import { numberText } from '#kit/number-text.ts'
import { describeError } from '#kit/states/describe-error.ts'
import type { StatusTone } from '#kit/status-tag.tsx'

export interface Outcome {
  tone: StatusTone
  /** Two or three words for a tag. */
  label: string
  /** What it means and what to do; '' when the label says it all. */
  text: string
}

const seconds = commandTimeoutMs / 1000
const timeout = (): Outcome => ({
  tone: 'warning',
  label: t('超时'),
  text: t('设备在 {seconds} 秒内没有回复。指令可能已经送达：请先看上报值有没有变化，再决定是否重发。', { seconds }),
})
const offlineText = '设备不在线，指令没有发出。可以把下发方式改为「自动」或「只写影子」，设备上线后取走。'
export const shadowText = '已写入设备影子，设备上线取走后生效。'

const byCode = new Map<number, () => Outcome>([
  [errors.timeout.code, timeout],
  [errors.deviceTimeout.code, timeout],
  [errors.notOnline.code, () => ({ tone: 'error', label: t('设备不在线'), text: t(offlineText) })],
])

const failed = (code: number, text: string): Outcome =>
  byCode.get(code)?.() ?? { tone: 'error', label: code > 0 ? t('{code} 失败', { code }) : t('失败'), text }

/** A call that was refused or that met no server. */
export function outcomeOfError(error: unknown): Outcome {
  const { code = 0, reason } = describeError(error)
  return failed(code, reason)
}

/** An answer: of the device, or of the platform that wrote the shadow; which one it is, it says itself. */
export function outcomeOfReply({
  code,
  msg,
  status,
  viaShadow = false,
}: Pick<CommandReply, 'code' | 'msg' | 'status'> & { viaShadow?: boolean }): Outcome {
  if (code !== successCode) return failed(code, t('设备回复：{msg}', { msg: msg || status || t('没有说明原因') }))
  return viaShadow
    ? { tone: 'processing', label: t('已写影子'), text: t(shadowText) }
    : { tone: 'success', label: t('{code} 成功', { code }), text: '' }
}

export const waitingOutcome: Outcome = { tone: 'processing', label: '等待回复', text: '' }

export function outcomeOfRow(row: Pick<CommandRow, 'state' | 'code' | 'status' | 'viaShadow'>): Outcome {
  switch (row.state) {
    case CommandState.waiting:
      return row.viaShadow ? { tone: 'processing', label: t('已写影子'), text: t(shadowText) } : waitingOutcome
    case CommandState.timeout:
      return timeout()
    case CommandState.done:
      return outcomeOfReply({ code: successCode, msg: '', status: '', viaShadow: row.viaShadow })
    case CommandState.failed:
      return failed(row.code, row.status || t('没有说明原因'))
    default:
      return { tone: 'default', label: t('未知（{value}）', { value: row.state }), text: '' }
  }
}

/** 「2 号泵 → 运行」; what the model does not know keeps its identifier. */
export function describeSet(model: ThingModel | undefined, values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([identifier, value]) => {
      const property = model?.properties.find((one) => one.identifier === identifier)
      if (!property) return `${identifier} → ${JSON.stringify(value)}`
      return `${property.name} → ${withUnit(property.define, describeValue(property.define, value))}`
    })
    .join(t('，'))
}

const asNames = (model: ThingModel | undefined, payload: string): string => {
  const given = objectOf(payload).dataIDs ?? parsedJson(payload)
  if (!Array.isArray(given) || given.length === 0) return t('全部属性')
  return given
    .map((identifier) => model?.properties.find((one) => one.identifier === identifier)?.name ?? String(identifier))
    .join(t('、'))
}

/** What was asked for, in one line. */
export function describeCommand(
  { kind, target, payload }: Pick<CommandRow, 'kind' | 'target' | 'payload'>,
  model: ThingModel | undefined,
): string {
  switch (kind) {
    case CommandKind.property:
      return describeSet(model, objectOf(payload)) || t('设置属性')
    case CommandKind.action:
      return model?.actions.find(({ identifier }) => identifier === target)?.name ?? target
    case CommandKind.get:
      return t('读取 {names}', { names: asNames(model, payload) })
    default:
      return target
  }
}

/** look.md "Chips": under 500 ms green, to 3 s amber, beyond it red. */
export const latencyTone = (ms: number): StatusTone => (ms < 500 ? 'success' : ms <= 3000 ? 'warning' : 'error')

export const latencyText = (ms: number): string =>
  ms < 10_000 ? `${numberText(ms)} ms` : `${numberText(ms / 1000, 1, 1)} s`
