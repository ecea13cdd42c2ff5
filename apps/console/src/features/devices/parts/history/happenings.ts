/** What happened to a device beside its values: the marks of the chart and the list beside it. Pure. */
import type { CommandRow } from '@ithings/contract/features/devices/interact.ts'
import type { EventLogRow, HubLogRow } from '@ithings/contract/features/devices/msg.ts'
import { EventType, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { describeCommand, outcomeOfRow } from '#blocks/command-history/command-words.ts'
import type { ChartMark } from '#blocks/history-chart/chart-option.ts'
import { eventName, paramsOf } from './event-words.tsx'

export interface Happening extends ChartMark {
  key: string
  /** What came of it. */
  text: string
  /** Its parameters are shown by the model. */
  event?: EventLogRow
}

const knownType = (type: string): EventType => Object.values(EventType).find((one) => one === type) ?? EventType.info

const ofEvent = (event: EventLogRow, model: ThingModel): Happening => ({
  key: `${event.timestamp} ${event.dataID} ${event.params}`,
  time: Number(event.timestamp),
  kind: 'event',
  name: eventName(event.dataID, model),
  type: knownType(event.type),
  text: '',
  event,
})

function ofCommand(command: CommandRow, model: ThingModel): Happening {
  const { tone, label } = outcomeOfRow(command)
  return {
    key: command.clientToken,
    time: Number(command.sentTime),
    kind: 'command',
    name: describeCommand(command, model),
    type: tone === 'error' ? EventType.fault : tone === 'warning' ? EventType.alert : EventType.info,
    text: ['指令', label, command.userName].filter(Boolean).join(' '),
  }
}

/** Pushes and ends of upgrades; each step in between, and what devices ask for by themselves, would be noise. */
function ofMessage({ timestamp, tranceID, action, way, method, topic, content }: HubLogRow): Happening[] {
  const common = { key: tranceID, time: Number(timestamp), type: EventType.info }
  if (action === 'config') {
    return way === 'down' && method === 'push' ? [{ ...common, kind: 'config', name: '远程配置', text: '已下发' }] : []
  }
  const upgrade = { ...common, kind: 'upgrade', name: '固件升级' } as const
  if (way === 'down') return topic.includes('/down/upgrade/') ? [{ ...upgrade, text: '已推送' }] : []
  const { step, desc } = paramsOf(content)
  if (Number(step) === 100) return [{ ...upgrade, text: '安装完成' }]
  if (Number(step) < 0)
    return [{ ...upgrade, type: EventType.fault, text: `失败 ${typeof desc === 'string' ? desc : ''}` }]
  return []
}

export interface Told {
  events?: readonly EventLogRow[] | undefined
  commands?: readonly CommandRow[] | undefined
  /** Of the hub log: upgrades and remote configuration. */
  messages?: readonly HubLogRow[] | undefined
}

/** Newest first. */
export const happeningsOf = ({ events = [], commands = [], messages = [] }: Told, model: ThingModel): Happening[] =>
  [
    ...events.map((event) => ofEvent(event, model)),
    ...commands.map((command) => ofCommand(command, model)),
    ...messages.flatMap(ofMessage),
  ].toSorted((one, other) => other.time - one.time)
