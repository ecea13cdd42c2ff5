/** What the thing model says to a decoded message, in plain sentences (thing-model.md 4; device-protocol.md 5). */
import { isRecord } from '@ithings/contract/is-record.ts'
import type { Param } from '@ithings/contract/thing-model/define.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { compileDefine } from '@ithings/contract/thing-model/values.ts'

type Message = Record<string, unknown>

/** decisions.md 2 "Device method names": snake_case and camelCase name the same method. */
const camel = (method: string) => method.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Methods that carry nothing which the model knows. */
const plainMethods = new Set(['controlReply', 'getStatus', 'reportInfo', 'packReport'])

function checkProperties(params: unknown, model: ThingModel): string[] {
  if (!isRecord(params)) return ['缺少 params 对象']
  const names = Object.keys(params)
  if (names.length === 0) return ['params 为空，没有可保存的属性']
  const properties = new Map(model.properties.map((property) => [property.identifier, property.define]))
  return names.flatMap((name) => {
    const define = properties.get(name)
    if (!define) return [`属性 ${name} 不在物模型中，会被忽略`]
    const result = compileDefine(define, 'report')(params[name], `属性 ${name}`)
    return result.ok ? [] : [result.fault.text]
  })
}

/** Events and actions: every declared parameter must be present. */
function checkParams(params: unknown, declared: readonly Param[], key: string): string[] {
  if (declared.length === 0 && params === undefined) return []
  if (!isRecord(params)) return [`缺少 ${key} 对象`]
  const known = new Set(declared.map(({ identifier }) => identifier))
  const unknown = Object.keys(params).filter((name) => !known.has(name))
  return [
    ...declared.flatMap(({ identifier, define }) => {
      if (!Object.hasOwn(params, identifier)) return [`缺少参数 ${identifier}`]
      const result = compileDefine(define, 'report')(params[identifier], `参数 ${identifier}`)
      return result.ok ? [] : [result.fault.text]
    }),
    ...unknown.map((name) => `参数 ${name} 不在物模型中，会被忽略`),
  ]
}

function checkEvent({ eventID, type, params }: Message, model: ThingModel): string[] {
  if (typeof eventID !== 'string') return ['缺少 eventID']
  const event = model.events.find(({ identifier }) => identifier === eventID)
  if (!event) return [`事件 ${eventID} 不在物模型中`]
  const typeIssues = type === event.type ? [] : [`事件 ${eventID} 的 type 须为 ${event.type}，收到 ${show(type)}`]
  return [...typeIssues, ...checkParams(params, event.params, 'params')]
}

function checkAction(message: Message, model: ThingModel, isReply: boolean): string[] {
  const { actionID } = message
  // A reply is matched by its token; naming the action is optional.
  if (isReply && actionID === undefined) return []
  if (typeof actionID !== 'string') return ['缺少 actionID']
  const action = model.actions.find(({ identifier }) => identifier === actionID)
  if (!action) return [`行为 ${actionID} 不在物模型中`]
  if (isReply) return checkParams(message.response ?? message.data, action.output, 'response')
  return [
    ...(action.dir === 'up' ? [] : [`行为 ${actionID} 只能由平台调用`]),
    ...checkParams(message.params, action.input, 'params'),
  ]
}

const show = (value: unknown) => (value === undefined ? '空' : (JSON.stringify(value)?.slice(0, 60) ?? '空'))

const kinds = new Map<string, Map<string, (message: Message, model: ThingModel) => string[]>>([
  [
    'thingPropertyUp',
    new Map([
      ['report', ({ params }, model) => checkProperties(params, model)],
      ['getReportReply', ({ params }, model) => checkProperties(params, model)],
    ]),
  ],
  ['thingEventUp', new Map([['eventPost', checkEvent]])],
  [
    'thingActionUp',
    new Map([
      ['action', (message, model) => checkAction(message, model, false)],
      ['actionReply', (message, model) => checkAction(message, model, true)],
    ]),
  ],
])

/** Nothing for functions whose messages the thing model does not describe. */
export function modelIssues(handler: string, value: unknown, model: ThingModel): string[] {
  const checks = kinds.get(handler)
  if (!checks) return []
  if (!isRecord(value))
    return [`${handler} 须返回消息对象，如 {"method":"${[...checks.keys()][0]}", …}，收到 ${show(value)}`]
  if (typeof value.method !== 'string') return ['消息缺少 method']
  const method = camel(value.method)
  const check = checks.get(method)
  if (check) return check(value, model)
  if (handler === 'thingPropertyUp' && plainMethods.has(method)) return []
  return [`method ${value.method.slice(0, 60)} 不适用于 ${handler}，可用：${[...checks.keys()].join('、')}`]
}
