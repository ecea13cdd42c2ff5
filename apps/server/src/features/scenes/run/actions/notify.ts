/** Telling people: handed to the outbox of notifications, which sends, tries again and keeps its own log. */
import { errors } from '@ithings/contract/errors.ts'
import type { NotifyOutput } from '@ithings/contract/rules/scene-parts.ts'
import { type Notice, queueNotice } from '#features/notify/door.ts'
import type { OpenRun } from '../open-run.ts'
import { type ActionKit, type ActionOutcome, done, noteFirst } from './action-kit.ts'

const two = (value: number) => String(value).padStart(2, '0')

/** In the zone of the server, like schedules. */
function timeText(at: number): string {
  const time = new Date(at)
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}

async function variablesOf({ db, products }: ActionKit, run: OpenRun): Promise<Notice['variables']> {
  const { device } = run
  const known = device && (await products.get(device.productID))
  const row =
    device &&
    (await db.selectFrom('device').select('device_alias').where('device_id', '=', device.deviceID).executeTakeFirst())
  return {
    sceneName: run.sceneName,
    trigger: run.triggerText,
    time: timeText(run.firedAt),
    productName: known?.productName ?? '',
    deviceName: device?.deviceName ?? '',
    deviceAlias: row?.device_alias || (device?.deviceName ?? ''),
  }
}

/** When the scene says nothing itself. */
const usualContent = (run: OpenRun) => `场景「${run.sceneName}」于 ${timeText(run.firedAt)} 执行：${run.triggerText}`

export async function runNotify(
  kit: ActionKit,
  run: OpenRun,
  step: number,
  output: NotifyOutput,
): Promise<ActionOutcome> {
  const { deliveries, problems } = await queueNotice(kit.notify, {
    to: output,
    title: output.title,
    content: output.content || usualContent(run),
    variables: await variablesOf(kit, run),
    payload: {
      sceneID: run.sceneID,
      runID: String(run.runID),
      firedAt: run.firedAt,
      trigger: run.triggerText,
      seen: run.seen,
    },
    source: 'scene',
    sourceName: run.sceneName,
    ...(run.device && { productID: run.device.productID, deviceName: run.device.deviceName }),
    // The step may be tried again after a crash: people hear of it once.
    onceKey: `scene:${run.runID}:${step}`,
  })
  noteFirst(kit, run)
  if (problems.length === 0 && deliveries > 0) return done(`已提交 ${deliveries} 条通知`)
  return { ok: false, code: errors.parameter.code, msg: problems.join('；') || '没有可用的通知渠道', devices: [] }
}
