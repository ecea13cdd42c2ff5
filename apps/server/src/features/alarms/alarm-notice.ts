/** What people are told about a record: who is told, and the facts its words are made of. */
import { type AlarmInfo, type AlarmLevel, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import {
  type AlarmWords,
  clearedManyTexts,
  clearedTexts,
  raisedTexts,
  standingManyTexts,
} from '@ithings/contract/rules/alarm-notice.ts'
import { keep, keeping, kept } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { Notice } from '#features/notify/door.ts'
import { saidMoment } from '#http/said-moment.ts'

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

const levelText = (level: number): string => kept(alarmLevelLabels[level as AlarmLevel] ?? String(level))

const wordsOf = (record: ToldRecord, alarm: ToldAlarm, names: Names, time: number): AlarmWords => ({
  ...names,
  alarmName: alarm.name,
  level: levelText(record.level),
  sceneName: record.scene_name,
  deviceName: record.device_name,
  trigger: record.cause,
  time: keep([saidMoment(time)]),
  count: record.count,
  lasted: time - record.first_alarm,
})

/** The run that made it so, or the moment when the clock did: people hear of each once. */
type OnceKey = number | string

function frame(kind: string, record: ToldRecord, alarm: ToldAlarm, words: AlarmWords, key: OnceKey) {
  const { lasted: _, count, ...texts } = words
  return {
    to: { channelIDs: alarm.notify.channelIDs },
    variables: { ...texts, count: String(count) },
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
    onceKey: `${kind}:${record.id}:${key}`,
  } satisfies Partial<Notice>
}

interface Telling {
  key: OnceKey
  time: number
  /** It goes on. */
  again: boolean
}

/** On opening, and again while it goes on. */
export function raisedNotice(record: ToldRecord, alarm: ToldAlarm, names: Names, telling: Telling): Notice {
  const { key, time, again } = telling
  const words = wordsOf(record, alarm, names, time)
  const builtIn = keeping(() => raisedTexts(words, again))
  return {
    ...frame(again ? 'alarm.repeated' : 'alarm.opened', record, alarm, words, key),
    title: alarm.notify.title || builtIn.title,
    content: alarm.notify.content || builtIn.content,
  }
}

/** Built-in words only: those of the alarm speak of it as going on. */
export function clearedNotice(record: ToldRecord, alarm: ToldAlarm, names: Names, runID: number, now: number): Notice {
  const words = wordsOf(record, alarm, names, now)
  return { ...frame('alarm.cleared', record, alarm, words, runID), ...keeping(() => clearedTexts(words)) }
}

/** Of one alarm at a time: more are told as one, or a mail would be sent for each device of a fleet. */
export const toldOneByOne = 5

/** One for many, without the alarm's own words: those speak of one device. */
export function manyNotice(
  kind: 'alarm.cleared' | 'alarm.repeated',
  records: ToldRecord[],
  alarm: ToldAlarm,
  { key, time }: Omit<Telling, 'again'>,
): Notice | undefined {
  const [first] = records
  if (!first) return undefined
  const level = Math.max(...records.map((record) => record.level))
  const one = { ...first, level, product_id: '', device_name: '' }
  const words = wordsOf(one, alarm, { productName: '', deviceAlias: '' }, time)
  const devices = records.map((record) => record.device_name || record.scene_name)
  const texts = keeping(() =>
    kind === 'alarm.cleared' ? clearedManyTexts(words, devices) : standingManyTexts(words, devices),
  )
  return { ...frame(kind, one, alarm, words, key), ...texts }
}
