/** Packages, a finished upgrade and one that is under way, remote configuration, a task on a schedule. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { dayMs, minuteMs } from '@ithings/contract/durations.ts'
import { createFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { stageBounds } from '@ithings/contract/features/ota/stages.ts'
import { OtaStatus, OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import { createOtaTask, otaTaskBody, otaTopic } from '@ithings/contract/features/ota/task.ts'
import { createConfig } from '@ithings/contract/features/remote-config.ts'
import { createTask } from '@ithings/contract/features/tasks.ts'
import type { Db } from '#db/schema.ts'
import type { Loading } from '../demo-deps.ts'
import { makeChance } from '../fleet/chance.ts'
import { oldPumpVersion } from '../fleet/devices.ts'
import { smartMeter } from '../fleet/smart-meter.ts'
import { waterPump } from '../fleet/water-pump.ts'
import type { MadeDevice } from './devices.ts'

const { productID } = waterPump
const imageBytes = 256 * 1024
const stages = [
  { percent: 10, successPercent: 90, failPercent: 30 },
  { percent: 50, successPercent: 90, failPercent: 30 },
  { percent: 100, successPercent: 90, failPercent: 30 },
]

/** As an upload leaves it; the package takes it from there (features/files). */
async function addFirmware({ deps, user, t }: Loading, version: string, desc: string): Promise<number> {
  const name = `pump-${version}.bin`
  const filePath = `productManage/ota/${randomUUID()}/${name}`
  const chance = makeChance(name)
  const image = Buffer.from(Array.from({ length: imageBytes }, () => Math.floor(chance.next() * 256)))
  await deps.files.write(`temp/${filePath}`, Readable.from([image]), imageBytes)
  const { firmwareID } = await deps.ask(
    createFirmware,
    { name: t('水泵站主控固件'), productID, version, desc, files: [{ filePath, name }] },
    user,
  )
  return firmwareID
}

function toRunDevice({ deviceID, planned: { deviceName } }: MadeDevice, nr: number, begun: number, fault: string) {
  const failed = fault !== ''
  const sent = Math.round(begun + nr * 2.4 * minuteMs)
  return {
    device_id: deviceID,
    product_id: productID,
    device_name: deviceName,
    position: nr + 1,
    state: failed ? 4 : 3,
    status: failed ? OtaStatus.failed : OtaStatus.success,
    code: failed ? 100016 : 200,
    msg: fault,
    attempts: 1,
    detail: JSON.stringify({ from: oldPumpVersion }),
    sent_at: sent,
    done_at: sent + 4 * minuteMs,
    updated_at: sent + 4 * minuteMs,
  }
}

/** Five days ago all pumps but two went from 1.9 to 2.0. */
async function addFinished(loading: Loading, db: Db, firmwareID: number, pumps: MadeDevice[]): Promise<void> {
  const { user, now, t } = loading
  const { deviceList: _, ...plan } = otaTaskBody.parse({
    firmwareID,
    type: 1,
    upgradeType: 1,
    stages,
    maximumPerMinute: 10,
    note: t('恒压算法升级'),
  })
  const begun = now - 5 * dayMs
  const finished = begun + 95 * minuteMs
  const taskUid = `demo${begun.toString(36)}`
  const failedAt = new Set(pumps.flatMap(({ planned }, nr) => (planned.version === oldPumpVersion ? [nr] : [])))
  const bounds = stageBounds(stages, pumps.length)
  const counts = bounds.map((end, i) => {
    const from = bounds[i - 1] ?? 0
    const failed = [...failedAt].filter((nr) => nr >= from && nr < end).length
    return { [OtaStatus.success]: end - from - failed, [OtaStatus.failed]: failed }
  })
  const { task_id: taskID } = await db
    .insertInto('ota_task')
    .values({
      task_uid: taskUid,
      firmware_id: firmwareID,
      product_id: productID,
      run_id: null,
      status: OtaTaskStatus.done,
      plan: JSON.stringify(plan),
      stage: stages.length - 1,
      stage_times: JSON.stringify([begun, begun + 20 * minuteMs, begun + 50 * minuteMs]),
      counts: JSON.stringify(counts),
      user_name: user.userName,
      created_at: begun,
      finished_at: finished,
    })
    .returning('task_id')
    .executeTakeFirstOrThrow()
  const { run_id: runID } = await db
    .insertInto('rollout')
    .values({
      kind: 'ota',
      owner_id: taskID,
      product_id: productID,
      topic: otaTopic(taskUid),
      state: 3,
      per_minute: 10,
      limit_to: pumps.length,
      total: pumps.length,
      success: pumps.length - failedAt.size,
      failed: failedAt.size,
      user_name: user.userName,
      start_at: begun,
      started_at: begun,
      finished_at: finished,
      created_at: begun,
    })
    .returning('run_id')
    .executeTakeFirstOrThrow()
  await db.updateTable('ota_task').set({ run_id: runID }).where('task_id', '=', taskID).execute()
  const rows = pumps.map((pump, nr) => toRunDevice(pump, nr, begun, failedAt.has(nr) ? t('下载固件超时') : ''))
  await db
    .insertInto('rollout_device')
    .values(rows.map((row) => ({ ...row, run_id: runID })))
    .execute()
}

const pumpConfig = (period: number, high: number) =>
  JSON.stringify({ report: { periodSeconds: period }, limits: { motorTempHigh: high, vibrationHigh: 7.1 } }, null, 2)

export async function makeOperations(loading: Loading, devices: MadeDevice[]): Promise<void> {
  const { deps, user, t } = loading
  const { ask } = deps
  const pumps = devices.filter(({ planned }) => planned.product === waterPump && planned.state !== 'new')
  const before = await addFirmware(loading, '2.0.0', t('恒压算法优化，降低能耗'))
  await deps.db.transaction().execute((db) => addFinished(loading, db, before, pumps))
  const firmwareID = await addFirmware(loading, '2.1.0', t('新增振动频谱，修复断网重连'))
  // Slow on purpose: whoever looks at it sees it at work.
  await ask(
    createOtaTask,
    { firmwareID, type: 1, upgradeType: 1, stages, maximumPerMinute: 1, note: t('分阶段灰度升级') },
    user,
  )
  await ask(createConfig, { productID, content: pumpConfig(60, 85), note: t('初始配置') }, user)
  await ask(createConfig, { productID, content: pumpConfig(30, 80), note: t('缩短上报周期，收紧温度上限') }, user)
  await ask(
    createConfig,
    { productID: smartMeter.productID, content: JSON.stringify({ freeze: { hour: 0 }, tariff: t('工商业') }, null, 2) },
    user,
  )
  await ask(
    createTask,
    {
      taskName: t('电表上报周期校准'),
      desc: t('每天凌晨三点统一上报周期'),
      taskType: 1,
      productID: smartMeter.productID,
      targetType: 2,
      data: '{"reportPeriod":60}',
      scheduleType: 3,
      cron: '0 0 3 * * *',
      rate: 60,
    },
    user,
  )
}
