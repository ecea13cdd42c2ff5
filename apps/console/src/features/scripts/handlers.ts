/** The functions that a script may define (device-protocol.md 9): head + Type + Up or Down, in the groups of screens.md 4.4. */
import { ScriptDirection } from '@ithings/contract/features/scripts.ts'

export interface Handler {
  /** Without its direction, like thingProperty. */
  base: string
  label: string
  directions: readonly ScriptDirection[]
}

export interface HandlerGroup {
  label: string
  handlers: readonly Handler[]
}

const both = [ScriptDirection.up, ScriptDirection.down]

export const handlerGroups: readonly HandlerGroup[] = [
  {
    label: '物模型',
    handlers: [
      { base: 'thingProperty', label: '属性', directions: both },
      { base: 'thingEvent', label: '事件', directions: both },
      { base: 'thingAction', label: '行为', directions: both },
    ],
  },
  {
    label: '网关子设备',
    handlers: [
      { base: 'gatewayOperation', label: '拓扑关系管理', directions: both },
      { base: 'gatewayStatus', label: '子设备上下线', directions: both },
    ],
  },
  {
    label: '设备本地日志上报',
    handlers: [
      { base: 'logOperation', label: '查询日志等级', directions: both },
      { base: 'logReport', label: '日志上报', directions: both },
      { base: 'logUpdate', label: '日志等级变更', directions: [ScriptDirection.down] },
    ],
  },
  {
    label: '设备远程配置',
    handlers: [
      { base: 'configGet', label: '获取配置', directions: both },
      { base: 'configPush', label: '下发配置', directions: [ScriptDirection.down] },
    ],
  },
]

const suffix: Record<ScriptDirection, string> = { up: 'Up', down: 'Down' }

/** thingProperty and up make thingPropertyUp. */
export const handlerName = (base: string, direction: ScriptDirection): string => `${base}${suffix[direction]}`

export const baseOf = (handler: string): string => handler.replace(/(Up|Down)$/, '')

export const groupsFor = (direction: ScriptDirection): HandlerGroup[] =>
  handlerGroups
    .map(({ label, handlers }) => ({ label, handlers: handlers.filter((one) => one.directions.includes(direction)) }))
    .filter((group) => group.handlers.length > 0)

/** The same function in the other direction, where it exists; else the first one. */
export function keepHandler(base: string, direction: ScriptDirection): string {
  const known = handlerGroups.flatMap((group) => group.handlers).find((one) => one.base === base)
  return known?.directions.includes(direction) ? base : 'thingProperty'
}

const definition = /(?:function\s+|(?:const|let|var)\s+)([a-z]+[A-Z][A-Za-z]*(?:Up|Down))\b/g

/** Which of them the script seems to define: a hint for people, the platform decides by running it. */
export const definedHandlers = (script: string): string[] => [
  ...new Set([...script.matchAll(definition)].flatMap((match) => match[1] ?? [])),
]
