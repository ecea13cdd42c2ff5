/** Telling people: handed to the outbox of notifications, which sends, tries again and keeps its own log. */
import { errors } from '@ithings/contract/errors.ts'
import type { ChannelLanguage } from '@ithings/contract/features/notify.ts'
import { type SceneWords, sceneContent } from '@ithings/contract/rules/scene-notice.ts'
import type { NotifyOutput } from '@ithings/contract/rules/scene-parts.ts'
import { keep, keeping, kept, languageOf } from '@ithings/contract/text.ts'
import { queueNotice } from '#features/notify/door.ts'
import { saidMoment } from '#http/said-moment.ts'
import { withSeen } from '../../engine/check-conditions.ts'
import type { OpenRun } from '../open-run.ts'
import { type ActionDeps, type ActionOutcome, done, noteFirst } from './action-deps.ts'

async function wordsOf({ db, products }: ActionDeps, run: OpenRun): Promise<SceneWords> {
  const { device } = run
  const known = device && (await products.get(device.productID))
  const row =
    device &&
    (await db.selectFrom('device').select('device_alias').where('device_id', '=', device.deviceID).executeTakeFirst())
  return {
    sceneName: run.sceneName,
    trigger: withSeen(run.triggerText, run.seen.value ?? ''),
    time: keep([saidMoment(run.firedAt)]),
    productName: known?.productName ?? '',
    deviceName: device?.deviceName ?? '',
    deviceAlias: row?.device_alias || (device?.deviceName ?? ''),
  }
}

/** A receiver that the scene names itself has no channel to choose a language by: it reads what the scene's last editor chose. */
async function inlineLanguage({ db }: ActionDeps, { sceneID }: OpenRun): Promise<ChannelLanguage> {
  const editor = await db
    .selectFrom('scene')
    .innerJoin('app_user', 'app_user.user_name', 'scene.updated_by')
    .select('app_user.language')
    .where('scene.id', '=', sceneID)
    .executeTakeFirst()
  return languageOf(editor?.language) ?? ''
}

export async function runNotify(
  deps: ActionDeps,
  run: OpenRun,
  step: number,
  output: NotifyOutput,
): Promise<ActionOutcome> {
  const words = await wordsOf(deps, run)
  const { deliveries, problems } = await queueNotice(deps.notify, {
    to: { ...output, ...((output.url || output.to) && { language: await inlineLanguage(deps, run) }) },
    title: output.title,
    content: output.content || keeping(() => sceneContent(words)),
    variables: words,
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
  noteFirst(deps, run)
  if (problems.length === 0 && deliveries > 0) return done(kept('已提交 {count} 条通知', { count: deliveries }))
  const msg = problems.length > 0 ? problems.join(kept('；')) : kept('没有可用的通知渠道')
  return { ok: false, code: errors.parameter.code, msg, devices: [] }
}
