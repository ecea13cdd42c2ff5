/** Reports over the whole app: figures, files, receivers with a real mail server and webhook, history. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ZipBuffer } from 'node:zlib'
import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { createChannel, DeliveryState, deleteChannel } from '@ithings/contract/features/notify.ts'
import {
  createReport,
  deleteReport,
  listReportRuns,
  listReports,
  previewReport,
  ReportSchedule,
  ReportState,
  ReportTarget,
  ReportTrigger,
  readReport,
  reportLimits,
  runReport,
  updateReport,
} from '@ithings/contract/features/reports.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import { type HistoryRoom, openHistoryRoom, productID } from '#features/history/testing/history-room.ts'
import { type MailServer, openMailServer } from '#features/notify/testing/mail-server.ts'
import { openReceiver, type Receiver } from '#features/notify/testing/receiver.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { readXlsx, xlsxValues } from '#testing/read-table.ts'
import type { World } from '#testing/world.ts'
import { readAvailability } from './content/availability.ts'
import { findReportDevices } from './content/find-devices.ts'
import { dropOldReports } from './housekeeping.ts'

let room: HistoryRoom
let world: World
let mails: MailServer
let receiver: Receiver
/** Yesterday, UTC. */
let from: number
let filesDir: string
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'ithings-reports-'))
  mails = await openMailServer()
  receiver = await openReceiver()
  const smtpUrl = `smtp://127.0.0.1:${mails.port}`
  const webhookAllow = ['127.0.0.0/8']
  room = await openHistoryRoom({ config: { smtpUrl, webhookAllow, filesDir, publicUrl: 'https://iot.example' } })
  world = room.world
  from = Math.floor(world.clock.now() / dayMs) * dayMs - dayMs
  await room.reset(from)
  for (const hour of [1, 2, 3]) {
    await room.report('lamp1', { temp: hour * 10, name: `n${hour}` }, from + hour * hourMs)
    await room.report('lamp2', { temp: hour }, from + hour * hourMs)
  }
  await room.report('lamp1', { temp: 99 }, from - hourMs)
  await addAlarm()
  await world.db
    .updateTable('device_presence_start')
    .set({ at: from - 10 * dayMs })
    .execute()
})
beforeEach(async () => {
  await world.db.deleteFrom('device_presence').execute()
  mails.mails.length = 0
  receiver.received.length = 0
})
afterAll(async () => {
  await room.close()
  await mails.close()
  await receiver.close()
  await rm(filesDir, { recursive: true })
})

async function addAlarm() {
  const alarm = { name: '超温', level: 4 }
  const { id } = await world.db.insertInto('alarm').values(alarm).returning('id').executeTakeFirstOrThrow()
  const about = { product_id: productID, device_name: 'lamp1', scene_id: 1, scene_name: '泵房', level: 4 }
  const times = { first_alarm: from + hourMs, last_alarm: from + 3 * hourMs, created_at: from + hourMs }
  const record = await world.db
    .insertInto('alarm_record')
    .values({ ...about, ...times, alarm_id: id, trigger_type: 1, deal_state: 2, count: 3, total_count: 3 })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The last is of the next day.
  for (const [run, at] of [from + hourMs, from + 2 * hourMs, from + dayMs].entries()) {
    const log = { ...about, alarm_record_id: record.id, run_id: run + 1, created_at: at }
    await world.db.insertInto('alarm_log').values(log).execute()
  }
}

const body = (more: Partial<BodyInput<typeof createReport>> = {}): BodyInput<typeof createReport> => ({
  name: uniqueText('日报'),
  schedule: ReportSchedule.daily,
  timeZone: 'UTC',
  target: ReportTarget.product,
  productID,
  dataIDs: ['temp'],
  funcs: ['avg', 'min', 'max', 'count'],
  ...more,
})
const create = async (more = {}) => (await world.asAdmin(createReport, body(more))).id
const period = () => ({ timeStart: from, timeEnd: from + dayMs })
const runs = async (id: number) => (await world.asAdmin(listReportRuns, { id })).list

async function finished(id: number) {
  await expect.poll(async () => (await runs(id))[0]?.state).toBe(JobStatus.done)
  const [run] = await runs(id)
  if (!run) throw new Error('no run')
  return run
}
async function download(uri: string): Promise<Buffer> {
  const response = await world.app.http.inject({ method: 'GET', url: uri })
  expect(response.statusCode).toBe(200)
  return response.rawPayload
}
const channel = async (type: 'email' | 'webhook' | 'dingtalk', more: object = {}) =>
  (
    await world.asAdmin(createChannel, {
      name: uniqueText('渠道'),
      type,
      settings: type === 'email' ? { to: ['boss@example.com'] } : { url: `${receiver.url}/hook` },
      ...more,
    })
  ).id

test('a report is made, listed, changed and deleted with its history', async () => {
  const id = await create({ name: '泵房日报', time: '07:30' })
  const read = await world.asAdmin(readReport, { id })
  expect(read).toMatchObject({
    name: '泵房日报',
    productName: '历史',
    createdBy: 'administrator',
    lastState: 0,
    rev: 1,
  })
  expect(new Date(read.nextTime).toISOString()).toMatch(/T07:30:00\.000Z$/)
  const [listed] = (await world.asAdmin(listReports, { name: '泵房' })).list
  expect(listed).toMatchObject({ id, format: 'xlsx', deviceCount: 0 })
  await world.asAdmin(updateReport, { id, rev: 1, isEnable: ReportState.off })
  expect(await world.asAdmin(readReport, { id })).toMatchObject({ nextTime: 0, time: '07:30', rev: 2 })
  expect((await world.call(updateReport, { id, rev: 1, name: 'x' }, { token: world.admin })).code).not.toBe(200)
  expect((await world.asAdmin(listReports, { isEnable: ReportState.off })).list.map((one) => one.id)).toContain(id)
  await world.asAdmin(runReport, { id, ...period() })
  const { fileUri } = await finished(id)
  await world.asAdmin(deleteReport, { id })
  expect((await world.app.http.inject({ method: 'GET', url: fileUri })).statusCode).toBe(400)
  expect((await world.call(listReportRuns, { id }, { token: world.admin })).code).not.toBe(200)
})

test.each([
  ['without content', { dataIDs: [], alarms: false, availability: false }, '为空时须包含告警或可用率'],
  ['an unknown property', { dataIDs: ['nothing'] }, '查不到物模型:nothing'],
  ['a property without history', { dataIDs: ['secretly'] }, '不保存历史'],
  ['a text that has no mean', { dataIDs: ['name'], funcs: ['avg'] }, '只能统计首个值'],
  ['an unknown product', { productID: 'nobody' }, '产品 nobody 不存在'],
  ['unknown devices', { target: ReportTarget.devices, deviceNames: ['lamp1', 'ghost'] }, 'ghost'],
  ['an unknown group', { target: ReportTarget.group, groupID: 4711 }, '分组 4711 不存在'],
  ['a cron that cannot be', { schedule: ReportSchedule.cron, cron: '61 * * * * *' }, '无效 Cron 表达式'],
  ['a zone that is none', { timeZone: 'Nowhere/Land' }, 'timeZone'],
  ['an unknown channel', { channelIDs: [4711] }, '通知渠道 4711 不存在'],
])('refused with a sentence: %s', async (_, more, sentence) => {
  const answer = await world.call(createReport, body(more as object), { token: world.admin })
  expect(answer.code).not.toBe(200)
  expect(answer.msg).toContain(sentence)
})

test('only mail and webhook can take a report; a channel in use is not deleted; names are unique', async () => {
  const robot = await channel('dingtalk')
  const refused = await world.call(createReport, body({ channelIDs: [robot] }), { token: world.admin })
  expect(refused.msg).toContain('报表只能发送到邮件和 Webhook 渠道')
  const used = await channel('email')
  await create({ name: '用渠道', channelIDs: [used] })
  const answer = await world.call(deleteChannel, { id: used }, { token: world.admin })
  expect(answer.msg).toContain('报表「用渠道」')
  expect((await world.call(createReport, body({ name: '用渠道' }), { token: world.admin })).msg).toContain(
    '报表名称重复',
  )
})

const empty = (count: number) => Array.from({ length: count }, () => undefined)

/** lamp1 was there all day but for the hours 6 to 9 and 22 to 23; lamp2 came at noon for the first time. */
async function addPresence() {
  await world.db
    .updateTable('device')
    .set({ first_login: new Date(from - dayMs) })
    .where('device_name', '=', 'lamp1')
    .execute()
  await world.db
    .updateTable('device')
    .set({ first_login: new Date(from + 12 * hourMs) })
    .where('device_name', '=', 'lamp2')
    .execute()
  const [lamp1, lamp2] = [room.deviceID('lamp1'), room.deviceID('lamp2')]
  const rows: [number, number, boolean][] = [
    [lamp1, -24, true],
    [lamp1, 6, false],
    [lamp1, 9, true],
    [lamp1, 22, false],
    [lamp1, 23, true],
    [lamp1, 30, false],
    [lamp2, 12, true],
    [lamp2, 18, false],
  ]
  await world.db
    .insertInto('device_presence')
    .values(rows.map(([device_id, hour, online]) => ({ device_id, at: from + hour * hourMs, online })))
    .execute()
}

test('a workbook has a sheet for the figures and one for each table, with what happened in the period only', async () => {
  await addPresence()
  const id = await create({ dataIDs: ['temp', 'name'], funcs: ['avg', 'max', 'last'] })
  await world.asAdmin(runReport, { id, ...period() })
  const run = await finished(id)
  expect(run).toMatchObject({ trigger: ReportTrigger.hand, from, to: from + dayMs, told: [], problems: [] })
  const day = new Date(from).toISOString().slice(0, 10)
  expect(run.fileName).toMatch(new RegExp(`^日报.*-${day.replaceAll('-', '')}\\.xlsx$`))
  const sheets = readXlsx(await download(run.fileUri))
  expect(sheets.map(({ name }) => name)).toEqual(['概要', '可用率', '各级别告警', '告警明细', '属性统计'])
  const sheet = (number: number) => xlsxValues(sheets[number - 1] ?? { name: '', frozen: false, rows: [] })
  // 20 of 24 hours, and 6 of the 12 since its first sign-in: 26 of 36.
  expect(sheet(1)).toEqual(
    expect.arrayContaining([
      ['设备数', '4'],
      ['平均在线比例', '72.22%'],
      ['离线次数', '3'],
    ]),
  )
  expect(sheet(2)).toEqual([
    ['设备', '产品', '在线比例', '在线时长', '离线次数', '最长离线', '统计起点'],
    ['lamp1', '历史', '83.33%', '20:00:00', 2, '03:00:00', `${day} 00:00`],
    ['lamp10', '历史', '无数据', ...empty(4)],
    ['lamp2', '历史', '50.00%', '06:00:00', 1, '06:00:00', `${day} 12:00`],
    ['lamp3', '历史', '无数据', ...empty(4)],
  ])
  expect(sheet(3)).toContainEqual([alarmLevelLabels[4], 1, 2])
  expect(sheet(4)[1]?.slice(1, 6)).toEqual(['超温', 'lamp1', `${day} 01:00`, `${day} 02:00`, 2])
  expect(sheet(5).slice(1)).toEqual([
    ['lamp1', 'temp (℃)', `${day} 00:00`, '20', '30', '30'],
    ['lamp2', 'temp (℃)', `${day} 00:00`, '2', '3', '3'],
    ['lamp1', 'name', `${day} 00:00`, ...empty(2), 'n3'],
  ])
})

test('CSV is one file for one table and an archive for several; PDF and English are as they are asked for', async () => {
  const one = await create({ format: 'csv', alarms: false, availability: false })
  await world.asAdmin(runReport, { id: one, ...period() })
  const csv = await finished(one)
  expect(csv.fileName).toMatch(/\.csv$/)
  expect((await download(csv.fileUri)).toString()).toContain('lamp1,temp (℃)')
  const several = await create({ format: 'csv', language: 'en' })
  await world.asAdmin(runReport, { id: several, ...period() })
  const files = new ZipBuffer(await download((await finished(several)).fileUri))
  expect([...files.keys()]).toEqual([
    '1-Availability.csv',
    '2-Alarms by severity.csv',
    '3-Alarm list.csv',
    '4-Properties.csv',
  ])
  expect(files.get('4-Properties.csv').contentSync().toString()).toContain('Device,Property,Time,Average')
  const pdf = await create({ format: 'pdf', dataIDs: ['temp'], interval: 1 })
  await world.asAdmin(runReport, { id: pdf, ...period() })
  const content = await download((await finished(pdf)).fileUri)
  expect(content.subarray(0, 5).toString()).toBe('%PDF-')
  // The font is in it, and only what is used of it.
  expect(content.length).toBeLessThan(200_000)
  expect(content.toString('latin1')).toContain('NotoSansSC')
})

test('a mail carries the file, a webhook a link and the figures; the history says who was told', async () => {
  const channelIDs = [await channel('email'), await channel('webhook', { language: 'en' })]
  const id = await create({ name: '给老板', channelIDs, format: 'csv', alarms: false, availability: false })
  await world.asAdmin(runReport, { id, ...period(), tell: true })
  await finished(id)
  const states = async () => (await runs(id))[0]?.told.map((one) => one.state)
  await expect.poll(states).toEqual([DeliveryState.sent, DeliveryState.sent])
  expect((await runs(id))[0]?.told[0]).toMatchObject({ type: 'email', target: 'boss@example.com', error: '' })
  const [mail] = mails.mails
  expect(mail?.to).toEqual(['boss@example.com'])
  expect(mail?.text).toMatch(/Content-Disposition: attachment/)
  const attached = /Content-Disposition: attachment.*?\r\n\r\n(.*?)\r\n--/s.exec(mail?.text ?? '')?.[1] ?? ''
  expect(Buffer.from(attached, 'base64').toString()).toContain('lamp1,temp (℃)')
  const told = JSON.parse(receiver.received[0]?.body ?? '{}')
  expect(told).toMatchObject({
    source: 'report',
    reportName: '给老板',
    periodStart: from,
    periodEnd: from + dayMs,
    summary: [{ label: 'Devices', value: '4' }],
  })
  expect(told.title).toContain('Report “给老板”')
  const link = new URL(told.fileUri)
  expect(link.origin).toBe('https://iot.example')
  expect((await download(link.pathname + link.search)).toString()).toContain('lamp2,temp (℃)')
})

test('run by hand tells nobody unless it is asked to; a channel that is off is named as a problem', async () => {
  const off = await channel('email', { status: 2 })
  const id = await create({ channelIDs: [off] })
  await world.asAdmin(runReport, { id, ...period() })
  expect(await finished(id)).toMatchObject({ told: [], problems: [] })
  await world.asAdmin(runReport, { id, ...period(), tell: true })
  await expect.poll(async () => (await runs(id))[0]?.problems[0]).toContain('已禁用')
  expect((await runs(id))[0]?.told).toEqual([])
})

test('a run that cannot be made says why in the history', async () => {
  const id = await create({ target: ReportTarget.tags, tags: [{ key: 'site', value: 'nowhere' }], dataIDs: [] })
  await world.asAdmin(runReport, { id, ...period() })
  await expect.poll(async () => (await runs(id))[0]?.state).toBe(JobStatus.failed)
  expect((await runs(id))[0]?.error).toContain('没有符合筛选条件的设备')
  const failed = await world.asAdmin(listReportRuns, { id, state: JobStatus.failed })
  expect(failed.total).toBe(1)
  expect((await world.asAdmin(listReportRuns, { id, state: JobStatus.done })).total).toBe(0)
  for (const [more, sentence] of [
    [{ timeStart: from, timeEnd: from }, '结束时间须在开始时间之后'],
    [{ timeStart: world.clock.now() + hourMs, timeEnd: world.clock.now() + 2 * hourMs }, '不能在将来'],
    [{ timeStart: 0, timeEnd: from }, '一次最多统计 400 天'],
  ] as const) {
    expect((await world.call(runReport, { id, ...more }, { token: world.admin })).msg).toContain(sentence)
  }
})

test('who waits for a report is told that it could not be made, in the language of the channel; the history says so', async () => {
  const channelIDs = [await channel('email'), await channel('webhook', { language: 'en' })]
  const nowhere = { target: ReportTarget.tags, tags: [{ key: 'site', value: 'nowhere' }], dataIDs: [] }
  const id = await create({ name: '缺设备', channelIDs, ...nowhere })
  await world.asAdmin(runReport, { id, ...period(), tell: true })
  const states = async () => (await runs(id))[0]?.told.map((one) => one.state)
  await expect.poll(states).toEqual([DeliveryState.sent, DeliveryState.sent])
  expect((await runs(id))[0]).toMatchObject({ state: JobStatus.failed, fileUri: '' })
  expect(mails.mails[0]?.text).not.toMatch(/Content-Disposition: attachment/)
  const told = JSON.parse(receiver.received[0]?.body ?? '{}')
  expect(told).toMatchObject({
    source: 'report',
    reportID: id,
    periodStart: from,
    error: expect.stringContaining('No device'),
  })
  expect(told.title).toBe('Report “缺设备” could not be generated')
  expect(told.content).not.toMatch(/统计时段|原因/)
  // Nobody asked for this one to be sent.
  await world.asAdmin(runReport, { id, ...period() })
  await expect.poll(async () => (await runs(id)).map((run) => run.state)).toEqual([JobStatus.failed, JobStatus.failed])
  expect((await runs(id))[0]?.told).toEqual([])
})

test('a preview of an unsaved form has the same figures, and a few rows', async () => {
  await addPresence()
  const { total } = await world.asAdmin(listReports, {})
  const preview = await world.asAdmin(previewReport, { ...body({ interval: 1 }), ...period() })
  expect(preview).toMatchObject({ from, to: from + dayMs, timeZone: 'UTC', devices: 4, shown: 4 })
  expect(preview.facts).toContainEqual({ label: '平均在线比例', value: '72.22%' })
  expect(preview.tables.map(({ title }) => title)).toEqual(['可用率', '各级别告警', '告警明细', '属性统计'])
  expect(preview.tables[3]).toMatchObject({
    total: 6,
    heads: ['设备', '属性', '时间', '平均值', '最小值', '最大值', '条数'],
  })
  expect((await world.asAdmin(listReports, {})).total).toBe(total)
})

test('the platform writes down when a device comes and goes', async () => {
  const began = Date.now()
  const lamp = await connectDevice(world, { productID, deviceName: 'lamp3' })
  const changes = () =>
    world.db
      .selectFrom('device_presence')
      .selectAll()
      .where('device_id', '=', room.deviceID('lamp3'))
      .orderBy('at')
      .execute()
  await expect.poll(async () => (await changes()).map((one) => one.online)).toEqual([true])
  await lamp.end()
  await expect.poll(async () => (await changes()).map((one) => one.online)).toEqual([true, false])
  const [came, went] = await changes()
  expect(came?.at).toBeGreaterThanOrEqual(began)
  expect(went?.at).toBeGreaterThanOrEqual(came?.at ?? 0)
  const choice = { target: ReportTarget.devices, productID, groupID: 0, tags: [], deviceNames: ['lamp3'] } as const
  const { devices } = await findReportDevices(world.db, { ...choice, tags: [], deviceNames: ['lamp3'] })
  const later = (went?.at ?? 0) + 1_000
  const found = await readAvailability(world.db, devices, { from: began - dayMs, to: later + dayMs }, later)
  expect(found.get(room.deviceID('lamp3'))).toMatchObject({
    since: came?.at,
    base: later - (came?.at ?? 0),
    online: (went?.at ?? 0) - (came?.at ?? 0),
    outages: 1,
    longest: 1_000,
  })
})

test('the history of a report is bounded, and so are the changes of devices', async () => {
  const id = await create({ alarms: true, availability: false, dataIDs: [] })
  await world.asAdmin(runReport, { id, ...period() })
  const first = await finished(id)
  const more = Array.from({ length: reportLimits.runs }, () => ({
    report_id: id,
    job_id: '',
    trigger: 1,
    period_from: from,
    period_to: from + dayMs,
    tell: false,
    user_name: '',
    created_at: from,
    finished_at: from,
  }))
  await world.db.insertInto('report_run').values(more).execute()
  const device_id = room.deviceID('lamp1')
  const old = [500, 490, 480].map((days, at) => ({ device_id, at: from - days * dayMs, online: at % 2 === 0 }))
  await world.db.insertInto('device_presence').values(old).execute()
  await dropOldReports({ db: world.db, clock: world.clock, files: makeDiskFiles(filesDir) })
  expect((await world.asAdmin(listReportRuns, { id, page: { page: 1, size: 200 } })).total).toBe(reportLimits.runs)
  expect((await world.app.http.inject({ method: 'GET', url: first.fileUri })).statusCode).toBe(400)
  const left = await world.db.selectFrom('device_presence').select('at').where('device_id', '=', device_id).execute()
  expect(left).toEqual([{ at: from - 480 * dayMs }])
})
