/** What happened to a device beside its values: the marks of the chart and the list beside it. Pure. */

import { AlarmLevel } from '@ithings/contract/features/alarms/config.ts'
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import type { CommandRow } from '@ithings/contract/features/commands.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import type { EventLogRow, HubLogRow } from '@ithings/contract/features/history.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { EventType, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { recordLook } from '#blocks/alarm-records/record-words.ts'
import { describeCommand, outcomeOfRow } from '#blocks/command-history/command-words.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import type { ChartMark } from '#blocks/history-chart/picture.ts'
import { objectOf } from '#kit/json-object.ts'
import { configVersionPath, deviceDetailPath, recordPath, upgradeOfDevicePath } from '#kit/paths.ts'
import { eventName } from './event-words.tsx'

export interface Happening extends ChartMark {
  /** Where it stands by itself; undefined: nowhere, or nobody knows. */
  to?: string | undefined
  /** What came of it. */
  text: string
  /** Its parameters are shown by the model. */
  event?: EventLogRow
}

const knownType = (type: string): EventType => Object.values(EventType).find((one) => one === type) ?? EventType.info

type Params = Record<string, string>
/** One row of the events or commands of the device: its moment, and what else tells it apart. */
const rowPath = (device: DeviceKey, view: 'events' | 'commands', time: number, filter: Params): string => {
  const all = Object.entries({ ...filter, time: `${time - 1}~${time + 1}` })
  // The lists keep their filters in the address behind the first letter of their name.
  const params = new URLSearchParams([['view', view], ...all.map(([name, value]) => [view.charAt(0) + name, value])])
  return `${deviceDetailPath(device, DeviceTab.data)}?${params}`
}

const ofEvent = (event: EventLogRow, { device, model }: Teller): Happening => ({
  key: `${event.timestamp} ${event.dataID} ${event.params}`,
  time: Number(event.timestamp),
  kind: 'event',
  name: eventName(event.dataID, model),
  type: knownType(event.type),
  text: '',
  event,
  to: rowPath(device, 'events', Number(event.timestamp), { dataID: event.dataID }),
})

function ofCommand(command: CommandRow, { device, model }: Teller): Happening {
  const { tone, label } = outcomeOfRow(command)
  const { clientToken } = command
  return {
    key: clientToken,
    time: Number(command.sentTime),
    kind: 'command',
    name: describeCommand(command, model),
    type: tone === 'error' ? EventType.fault : tone === 'warning' ? EventType.alert : EventType.info,
    text: [t('指令'), label, command.userName].filter(Boolean).join(' '),
    to: rowPath(device, 'commands', Number(command.sentTime), { clientToken }),
  }
}

/** A device is in one open task at a time: the last one before the message. */
function taskPathAt(time: number, { device, tasks = [] }: Teller): string | undefined {
  const before = tasks.filter(({ createdTime }) => createdTime * 1000 <= time)
  const last = before.toSorted((one, other) => other.createdTime - one.createdTime)[0]
  return last && upgradeOfDevicePath(last.taskID, device.deviceName)
}

/** Pushes and ends of upgrades; each step in between, and what devices ask for by themselves, would be noise. */
function ofMessage(message: HubLogRow, teller: Teller): Happening[] {
  const { action, way, method, topic } = message
  const time = Number(message.timestamp)
  const common = { key: message.tranceID, time, type: EventType.info }
  const { step, desc, configID } = objectOf(message.content)
  if (action === 'config') {
    if (way !== 'down' || method !== 'push') return []
    const to = configVersionPath(teller.device.productID, String(configID ?? ''))
    return [
      {
        ...common,
        kind: 'config',
        name: t('远程配置'),
        text: configID ? t('版本 {configID} 已下发', { configID }) : t('已下发'),
        to,
      },
    ]
  }
  if (action !== 'otaLog') return []
  const upgrade = { ...common, kind: 'upgrade', name: t('固件升级'), to: taskPathAt(time, teller) } as const
  if (way === 'down') return topic.includes('/down/upgrade/') ? [{ ...upgrade, text: t('已推送') }] : []
  if (Number(step) === 100) return [{ ...upgrade, text: t('安装完成') }]
  if (Number(step) < 0)
    return [
      { ...upgrade, type: EventType.fault, text: t('失败 {reason}', { reason: typeof desc === 'string' ? desc : '' }) },
    ]
  return []
}

type Fired = AlarmRecord & { time: number }

/** With when it was opened, or seen last; nothing where both lie outside, as of one that fired again later. */
export function firedIn(record: AlarmRecord, from: number, to: number): Fired[] {
  const time = [record.firstAlarm, record.lastAlarm].find((moment) => moment >= from && moment <= to)
  return time === undefined ? [] : [{ ...record, time }]
}

const ofAlarm = (record: Fired): Happening => ({
  key: `alarm ${record.id}`,
  time: record.time,
  kind: 'alarm',
  name: record.alarmName,
  type: record.level >= AlarmLevel.urgent ? EventType.fault : EventType.alert,
  text: `${t(recordLook(record).text)} ${record.cause}`,
  to: recordPath(record.id),
})

interface Teller {
  device: DeviceKey
  model: ThingModel
  /** Upgrades that took the device. */
  tasks?: readonly Pick<OtaTask, 'taskID' | 'createdTime'>[] | undefined
}

export interface Told {
  events?: readonly EventLogRow[] | undefined
  commands?: readonly CommandRow[] | undefined
  /** Of the hub log: upgrades and remote configuration; others tell nothing. */
  messages?: readonly HubLogRow[] | undefined
  alarms?: readonly Fired[] | undefined
}

/** Newest first. */
export const happeningsOf = (told: Told, teller: Teller): Happening[] =>
  [
    ...(told.events ?? []).map((event) => ofEvent(event, teller)),
    ...(told.commands ?? []).map((command) => ofCommand(command, teller)),
    ...(told.messages ?? []).flatMap((message) => ofMessage(message, teller)),
    ...(told.alarms ?? []).map(ofAlarm),
  ].toSorted((one, other) => other.time - one.time)
