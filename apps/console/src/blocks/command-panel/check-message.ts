/** Whether a message typed by hand makes sense before it is sent (screens.md 18 "Rules"). Pure. */

import { methodOf } from '@ithings/contract/device/messages.ts'
import { parseTopic } from '@ithings/contract/device/topics.ts'
import { maxCommandText } from '@ithings/contract/features/commands.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { jsonProblem } from '#kit/json-input.ts'
import { checkParams, checkValue } from '../model-form/value-issues.ts'

export interface MessageVerdict {
  /** blocked: cannot be sent; doubtful: may be sent, but see; good. */
  level: 'good' | 'doubtful' | 'blocked'
  text: string
}

/** http-api.md 4.5: a down topic of a device; another device's is allowed but hardly meant. */
export function checkTopic(topic: string, device: { productID: string; deviceName: string }): MessageVerdict {
  const parts = parseTopic(topic)
  if (!parts) return { level: 'blocked', text: t('Topic 的格式是 $thing/down/类型/产品ID/设备名称') }
  if (parts.way !== 'down') return { level: 'blocked', text: t('只能发往下行（down）Topic，平台不能冒充设备上报') }
  if (parts.productID !== device.productID || parts.deviceName !== device.deviceName) {
    return {
      level: 'doubtful',
      text: t('这个 Topic 属于设备 {name}，不是当前选择的设备', { name: parts.deviceName }),
    }
  }
  if (parts.head !== 'thing')
    return { level: 'doubtful', text: t('不是物模型 Topic（{head}）', { head: `$${parts.head}` }) }
  return { level: 'good', text: '' }
}

function checkControl(params: unknown, model: ThingModel): MessageVerdict {
  if (!isRecord(params)) return { level: 'doubtful', text: t('params 须是对象') }
  for (const [identifier, value] of Object.entries(params)) {
    const property = model.properties.find((one) => one.identifier === identifier)
    if (!property) return { level: 'doubtful', text: t('物模型没有属性 {identifier}', { identifier }) }
    if (property.mode === PropertyMode.read)
      return { level: 'doubtful', text: t('属性 {identifier} 是只读的', { identifier }) }
    const [issue] = checkValue(property.define, value, identifier).values()
    if (issue) return { level: 'doubtful', text: issue }
  }
  return { level: 'good', text: t('JSON 有效，符合物模型') }
}

function checkAction(message: Record<string, unknown>, model: ThingModel): MessageVerdict {
  const action = model.actions.find((one) => one.identifier === message.actionID)
  if (!action)
    return { level: 'doubtful', text: t('物模型没有行为 {actionID}', { actionID: String(message.actionID ?? '') }) }
  const [issue] = checkParams(action.input, isRecord(message.params) ? message.params : {}).values()
  return issue
    ? { level: 'doubtful', text: issue }
    : {
        level: 'good',
        text: t('JSON 有效，符合物模型「{name} {identifier}」', { name: action.name, identifier: action.identifier }),
      }
}

/** Scripts translate custom topics, so their payload may be anything. */
export function checkPayload(topic: string, payload: string, model: ThingModel | undefined): MessageVerdict {
  if (payload.length > maxCommandText) {
    return {
      level: 'blocked',
      text: t('最长 {max, number} 个字符，现有 {length, number} 个', {
        max: maxCommandText,
        length: payload.length,
      }),
    }
  }
  const parts = parseTopic(topic)
  if (parts?.custom) return { level: 'good', text: t('自定义 Topic，内容不作检查') }
  const problem = jsonProblem(payload)
  if (problem) return { level: 'blocked', text: problem.message }
  const message: unknown = JSON.parse(payload)
  if (!isRecord(message) || !model || parts?.head !== 'thing') return { level: 'good', text: t('JSON 有效') }
  switch (methodOf(String(message.method ?? ''))) {
    case undefined:
      return {
        level: 'doubtful',
        text: message.method ? t('未知的 method {method}', { method: String(message.method) }) : t('缺少 method'),
      }
    case 'control':
      return checkControl(message.params, model)
    case 'action':
      return checkAction(message, model)
    default:
      return { level: 'good', text: t('JSON 有效') }
  }
}
