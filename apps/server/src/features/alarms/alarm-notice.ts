/** What people are told about a record: good enough to act on from a phone's lock screen. */
import { type AlarmInfo, type AlarmLevel, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import type { Db } from '#db/schema.ts'
import type { Notice } from '#features/notify/door.ts'

export interface ToldRecord {
  id: number
  alarm_id: number
  product_id: string
  device_name: string
  scene_id: number
  scene_name: string
  level: number
  first_alarm: number
  last_alarm: number
  count: number
  cause: string
}

export interface ToldAlarm {
  name: string
  notify: AlarmInfo['notify']
}

type Names = Pick<Required<Notice['variables']>, 'productName' | 'deviceAlias'>

/** A device that is gone keeps the name it had in the record. */
export async function namesOf(db: Db, record: ToldRecord): Promise<Names> {
  const product = await db
    .selectFrom('product')
    .leftJoin('device', (join) =>
      join.onRef('device.product_id', '=', 'product.product_id').on('device.device_name', '=', record.device_name),
    )
    .select(['product.product_name', 'device.device_alias'])
    .where('product.product_id', '=', record.product_id)
    .executeTakeFirst()
  return { productName: product?.product_name ?? '', deviceAlias: product?.device_alias ?? '' }
}

/** Of the server's zone, which schedules are meant in, too. This locale writes 2026-11-15 08:00:00. */
const timeText = (ms: number): string => new Date(ms).toLocaleString('sv-SE')

function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return `${Math.max(1, Math.round(ms / 1000))} 秒`
  if (minutes < 60) return `${minutes} 分钟`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} 小时 ${minutes % 60} 分钟` : `${Math.floor(hours / 24)} 天`
}

const levelText = (level: number): string => alarmLevelLabels[level as AlarmLevel] ?? String(level)

const deviceText = ({ device_name }: ToldRecord, { deviceAlias }: Names): string =>
  deviceAlias === '' || deviceAlias === device_name ? device_name : `${deviceAlias}（${device_name}）`

function lines(record: ToldRecord, names: Names): string[] {
  if (record.device_name === '') return []
  const product = names.productName === '' ? [] : [`产品：${names.productName}`]
  return [`设备：${deviceText(record, names)}`, ...product]
}

function frame(kind: string, record: ToldRecord, alarm: ToldAlarm, names: Names, runID: number, time: number) {
  return {
    to: { channelIDs: alarm.notify.channelIDs },
    variables: {
      ...names,
      alarmName: alarm.name,
      level: levelText(record.level),
      sceneName: record.scene_name,
      deviceName: record.device_name,
      trigger: record.cause,
      time: timeText(time),
      count: String(record.count),
    },
    payload: {
      event: kind,
      recordID: record.id,
      alarmID: record.alarm_id,
      level: record.level,
      sceneID: record.scene_id,
      productID: record.product_id,
      firstAlarm: record.first_alarm,
      lastAlarm: record.last_alarm,
    },
    source: 'alarm',
    sourceName: alarm.name,
    productID: record.product_id,
    deviceName: record.device_name,
    onceKey: `${kind}:${record.id}:${runID}`,
  } satisfies Partial<Notice>
}

const place = (record: ToldRecord, names: Names): string => {
  const name = names.deviceAlias || record.device_name
  return name === '' ? '' : ` · ${name}`
}

/** On opening, and again while it goes on. */
export function raisedNotice(record: ToldRecord, alarm: ToldAlarm, names: Names, runID: number): Notice {
  const again = record.count > 1
  const { title, content } = alarm.notify
  const since = again ? [`持续：${durationText(record.last_alarm - record.first_alarm)}，共 ${record.count} 次`] : []
  const text = [
    `触发：${record.cause || record.scene_name}`,
    ...lines(record, names),
    ...since,
    `场景：${record.scene_name}`,
    `时间：${timeText(record.last_alarm)}`,
  ]
  return {
    ...frame(again ? 'alarm.repeated' : 'alarm.opened', record, alarm, names, runID, record.last_alarm),
    title: title || `【${levelText(record.level)}】${alarm.name}${place(record, names)}${again ? '（仍在告警）' : ''}`,
    content: content || text.join('\n'),
  }
}

/** Built-in words only: those of the alarm speak of it as going on. */
export function clearedNotice(record: ToldRecord, alarm: ToldAlarm, names: Names, runID: number, now: number): Notice {
  const text = [
    ...lines(record, names),
    `持续：${durationText(now - record.first_alarm)}，共 ${record.count} 次`,
    `解除：场景「${record.scene_name}」`,
    `时间：${timeText(now)}`,
  ]
  return {
    ...frame('alarm.cleared', record, alarm, names, runID, now),
    title: `【已解除】${alarm.name}${place(record, names)}`,
    content: text.join('\n'),
  }
}

/** One for many: a schedule that clears a whole fleet must not send a mail for each device. */
export function clearedManyNotice(
  records: ToldRecord[],
  alarm: ToldAlarm,
  runID: number,
  now: number,
): Notice | undefined {
  const [first] = records
  if (!first) return undefined
  const none = { productName: '', deviceAlias: '' }
  const shown = records.slice(0, 10).map((record) => record.device_name || record.scene_name)
  const more = records.length > shown.length ? ` 等 ${records.length} 个` : ''
  const text = [`设备：${shown.join('、')}${more}`, `解除：场景「${first.scene_name}」`, `时间：${timeText(now)}`]
  return {
    ...frame('alarm.cleared', { ...first, product_id: '', device_name: '' }, alarm, none, runID, now),
    title: `【已解除】${alarm.name} · ${records.length} 条`,
    content: text.join('\n'),
  }
}
