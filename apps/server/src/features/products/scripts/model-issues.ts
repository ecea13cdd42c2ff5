/** What the thing model says to a decoded message, in plain sentences (thing-model.md 4; device-protocol.md 5). */
import { isRecord } from '@ithings/contract/is-record.ts'
import { keep, kept, t } from '@ithings/contract/text.ts'
import type { Define, Param } from '@ithings/contract/thing-model/define.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { compileDefine, faultText } from '@ithings/contract/thing-model/values.ts'

type Message = Record<string, unknown>

/** decisions.md 2 "Device method names": snake_case and camelCase name the same method. */
const camel = (method: string) => method.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Methods that carry nothing which the model knows. */
const plainMethods = new Set(['controlReply', 'getStatus', 'reportInfo', 'packReport'])

/** The check says its fault by `t`, and is asked in both languages. */
function faultsOf(define: Define, value: unknown, label: () => string): string[] {
  const check = compileDefine(define, 'report')
  return check(value, '').ok ? [] : [keep([() => faultText(check(value, label()))])]
}

function checkProperties(params: unknown, model: ThingModel): string[] {
  if (!isRecord(params)) return [kept('缺少 params 对象')]
  const names = Object.keys(params)
  if (names.length === 0) return [kept('params 为空，没有可保存的属性')]
  const properties = new Map(model.properties.map((property) => [property.identifier, property.define]))
  return names.flatMap((name) => {
    const define = properties.get(name)
    if (!define) return [kept('属性 {name} 不在物模型中，会被忽略', { name })]
    return faultsOf(define, params[name], () => t('属性 {name}', { name }))
  })
}

/** Events and actions: every declared parameter must be present. */
function checkParams(params: unknown, declared: readonly Param[], key: string): string[] {
  if (declared.length === 0 && params === undefined) return []
  if (!isRecord(params)) return [kept('缺少 {key} 对象', { key })]
  const known = new Set(declared.map(({ identifier }) => identifier))
  const unknown = Object.keys(params).filter((name) => !known.has(name))
  return [
    ...declared.flatMap(({ identifier, define }) => {
      if (!Object.hasOwn(params, identifier)) return [kept('缺少参数 {identifier}', { identifier })]
      return faultsOf(define, params[identifier], () => t('参数 {identifier}', { identifier }))
    }),
    ...unknown.map((name) => kept('参数 {name} 不在物模型中，会被忽略', { name })),
  ]
}

function checkEvent({ eventID, type, params }: Message, model: ThingModel): string[] {
  if (typeof eventID !== 'string') return [kept('缺少 eventID')]
  const event = model.events.find(({ identifier }) => identifier === eventID)
  if (!event) return [kept('事件 {eventID} 不在物模型中', { eventID })]
  const typeIssues =
    type === event.type
      ? []
      : [kept('事件 {eventID} 的 type 须为 {type}，收到 {value}', { eventID, type: event.type, value: show(type) })]
  return [...typeIssues, ...checkParams(params, event.params, 'params')]
}

function checkAction(message: Message, model: ThingModel, isReply: boolean): string[] {
  const { actionID } = message
  // A reply is matched by its token; naming the action is optional.
  if (isReply && actionID === undefined) return []
  if (typeof actionID !== 'string') return [kept('缺少 actionID')]
  const action = model.actions.find(({ identifier }) => identifier === actionID)
  if (!action) return [kept('行为 {actionID} 不在物模型中', { actionID })]
  if (isReply) return checkParams(message.response ?? message.data, action.output, 'response')
  return [
    ...(action.dir === 'up' ? [] : [kept('行为 {actionID} 只能由平台调用', { actionID })]),
    ...checkParams(message.params, action.input, 'params'),
  ]
}

const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? kept('空')

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
    return [
      kept('{handler} 须返回消息对象，如 {example}，收到 {value}', {
        handler,
        example: `{"method":"${[...checks.keys()][0]}", …}`,
        value: show(value),
      }),
    ]
  if (typeof value.method !== 'string') return [kept('消息缺少 method')]
  const method = camel(value.method)
  const check = checks.get(method)
  if (check) return check(value, model)
  if (handler === 'thingPropertyUp' && plainMethods.has(method)) return []
  const usable = { method: value.method.slice(0, 60), handler, methods: [...checks.keys()] }
  return [kept('method {method} 不适用于 {handler}，可用：{methods}', usable)]
}
