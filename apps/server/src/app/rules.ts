/** The rule engine, opened in order: what tells people, alarms, what runs scenes, what watches devices. */
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { Registry } from 'prom-client'
import type { CommonDeps } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import { makeAlarmDoor } from '#features/alarms/alarm-door.ts'
import type { AlarmsDeps } from '#features/alarms/alarms-deps.ts'
import { insertAlarm } from '#features/alarms/create-alarm.ts'
import { alarmsUsingChannel } from '#features/alarms/references.ts'
import { watchStanding } from '#features/alarms/tell-standing.ts'
import { rulesUsingChannel } from '#features/forwarding/door.ts'
import type { NotifyDeps } from '#features/notify/door.ts'
import { mailPerson } from '#features/notify/mail-person.ts'
import { makeNotifyDeps } from '#features/notify/make-notify-deps.ts'
import { makeOutbox } from '#features/notify/outbox.ts'
import { reportsUsingChannel } from '#features/reports/store.ts'
import { scenesUsingChannel } from '#features/scenes/door.ts'
import { RunningScenes } from '#features/scenes/run/runner.ts'
import type { ScenesDeps } from '#features/scenes/scenes-deps.ts'
import { SceneWatch } from '#features/scenes/watch/watch.ts'
import type { UsersDeps } from '#features/users/users-deps.ts'
import type { Files } from '#ports/files.ts'
import type { Config } from './config.ts'
import type { DeviceStack } from './device-stack.ts'

export interface RulesParts extends CommonDeps {
  config: Config
  line: DeviceStack
  metrics: Registry
  files: Files
  /** Closers run in reverse order. */
  onClose(close: () => Promise<void>): void
}

export interface Rules {
  /** First of all when the platform stops: devices that lose their connection then are not "offline" for scenes. */
  stopWatching(): Promise<void>
  notify: NotifyDeps
  mail: UsersDeps['mail']
  alarms: AlarmsDeps
  scenes: Omit<ScenesDeps, 'allows'>
}

/** Names for the refusal to delete a channel. */
async function usersOfChannel(db: Db, channelID: number): Promise<Phrase[]> {
  const scenes = await scenesUsingChannel(db, channelID)
  const alarms = await alarmsUsingChannel(db, channelID)
  const forwards = await rulesUsingChannel(db, channelID)
  const reports = await reportsUsingChannel(db, channelID)
  return [
    ...scenes.map((name) => phrase('场景「{name}」', { name })),
    ...alarms.map(({ name }) => phrase('告警「{name}」', { name })),
    ...forwards.map((name) => phrase('数据转发「{name}」', { name })),
    ...reports.map((name) => phrase('报表「{name}」', { name })),
  ]
}

export async function openRules(parts: RulesParts): Promise<Rules> {
  const { config, db, clock, signal, bus, line, metrics, files, log, background, onClose } = parts
  const { smtpUrl, webhookAllow } = config
  const { products, devices, latest, commands, serverID } = line

  const notify = makeNotifyDeps({
    db,
    clock,
    log,
    background,
    metrics,
    files,
    smtpUrl,
    webhookAllow,
    usersOfChannel,
  })
  onClose(async () => notify.close())
  const outbox = makeOutbox(notify)
  outbox.start()
  onClose(() => outbox.stop())

  const alarms: AlarmsDeps = { db, clock, bus, notify }
  const standing = watchStanding(alarms, background, log)
  onClose(() => standing.stop())
  const shared = { db, clock, bus, signal, log, background, metrics, products, latest }
  const runner = new RunningScenes({ ...shared, serverID, commands, notify, alarms: makeAlarmDoor(alarms, metrics) })
  await runner.start()
  onClose(() => runner.stop())

  const alone = config.databaseUrl === undefined
  const watch = new SceneWatch({ ...shared, devices, runner, node: line.node, serverID, alone })
  await watch.start()
  let stopping: Promise<void> | undefined
  const stopWatching = () => {
    stopping ??= watch.stop()
    return stopping
  }
  onClose(stopWatching)

  const newAlarm: ScenesDeps['newAlarm'] = (transaction, alarm) => insertAlarm(alarms, transaction, alarm)
  const mail: Rules['mail'] = (...mailing) => void mailPerson(notify, ...mailing)
  return { stopWatching, notify, mail, alarms, scenes: { db, clock, signal, products, runner, newAlarm } }
}
