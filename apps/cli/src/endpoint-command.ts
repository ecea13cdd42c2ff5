/** One endpoint as a command: its flags, its question before something is deleted, its pages and its files. */
import { createWriteStream, openAsBlob } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { BusinessType, type Endpoint } from '@ithings/contract/endpoint.ts'
import { JobStatus, readJob } from '@ithings/contract/features/jobs.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { SortDirection } from '@ithings/contract/paging.ts'
import { t } from '@ithings/contract/text.ts'
import type { Command } from 'commander'
import { call, callPath, type Target } from './call.ts'
import { ExitCode, Failure, unreachable, usageFailure } from './failure.ts'
import { bodyOf, type Flag, flagsOf, type Given, isPaged, several } from './flags.ts'
import { show } from './output.ts'
import { type Place, tell } from './place.ts'
import { findTarget } from './profiles.ts'

const rowsPerCall = 1_000
const jobPollMs = 1_000
/** No job of the platform takes longer. */
const longestJobMs = 24 * 3_600_000

export const removes = ({ businessType, path }: Endpoint): boolean =>
  businessType === BusinessType.delete || /[/-]delete(-|$)/.test(path)
const beginsJob = ({ data }: Endpoint): boolean => Object.hasOwn((data as { shape?: object }).shape ?? {}, 'jobID')

/** Every command has them, whatever it calls. */
export const commonFlags = (command: Command): Command =>
  command
    .optionsGroup(t('通用选项：'))
    .option('--json', t('以 JSON 输出'))
    .option('--yaml', t('以 YAML 输出'))
    .option(`--profile <${t('名称')}>`, t('用哪个登录，默认最近一次'))
    .option('--lang <zh|en>', t('语言，默认按终端'))

const taken = new Set([
  'json',
  'yaml',
  'profile',
  'lang',
  'body',
  'columns',
  'all',
  'yes',
  'file',
  'out',
  'wait',
  'help',
])

function pageOf(given: Given): Record<string, unknown> | undefined {
  const number = (name: 'page' | 'size') => {
    const text = given[name]
    if (text === undefined) return undefined
    const value = Number(text)
    if (Number.isSafeInteger(value) && value >= 1) return value
    throw usageFailure(t('{flag} 须为整数，收到 {text}', { flag: `--${name}`, text }))
  }
  const [page, size] = [number('page'), number('size')]
  const orders = (given.sort as string[] | undefined)?.map((one) => {
    const [field, direction = 'asc'] = one.split(':')
    if (direction !== 'asc' && direction !== 'desc')
      throw usageFailure(t('--sort 须如 createdTime:desc，收到 {text}', { text: one }))
    return { field, sort: SortDirection[direction] }
  })
  if (page === undefined && size === undefined && orders === undefined) return undefined
  return { ...(page && { page }), ...(size && { size }), ...(orders && { orders }) }
}

/** Page after page, until nothing more comes. */
async function callAll(place: Place, target: Target, endpoint: Endpoint, body: Record<string, unknown>) {
  const list: unknown[] = []
  for (let page = 1; ; page++) {
    const asked = { ...body, page: { ...(body.page as object), page, size: rowsPerCall } }
    const data = await callPath(place, target, endpoint, asked)
    if (!isRecord(data) || !Array.isArray(data.list)) return data
    list.push(...data.list)
    const total = typeof data.total === 'number' ? data.total : 0
    if (data.list.length < rowsPerCall || list.length >= total) return { ...data, list, total: list.length }
  }
}

async function formOf(body: Record<string, unknown>, file: string): Promise<FormData> {
  const form = new FormData()
  // The fields come first: the platform decides by them how much it takes.
  for (const [name, value] of Object.entries(body))
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  const blob = await openAsBlob(file).catch(() => {
    throw usageFailure(t('无法读取文件 {file}', { file }))
  })
  form.append('file', blob, basename(file))
  return form
}

/** Until the job has ended; its file goes to `out`. */
async function waitForJob(place: Place, target: Target, jobID: string) {
  const until = performance.now() + longestJobMs
  for (;;) {
    const job = await call(place, target, readJob, { jobID })
    if (job.status === JobStatus.done) return job
    if (job.status === JobStatus.failed || job.status === JobStatus.cancelled)
      throw new Failure(t('任务没有完成：{error}', { error: job.error || t('已取消') }))
    if (performance.now() > until) throw new Failure(t('任务没有及时完成'))
    await pause(jobPollMs, undefined, { signal: place.signal }).catch(() => {
      throw new Failure('', ExitCode.interrupted)
    })
  }
}

async function download({ url }: Target, uri: string, file: string): Promise<void> {
  const part = `${file}.part`
  try {
    const response = await fetch(new URL(uri, url))
    if (!response.ok || !response.body)
      throw new Failure(t('无法下载文件（HTTP {status}）', { status: response.status }))
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof Failure) throw error
    if (error instanceof TypeError) throw unreachable(url, error)
    throw usageFailure(t('无法写入文件 {file}（{code}）', { file, code: (error as NodeJS.ErrnoException).code }))
  }
}

export async function confirm(place: Place, question: string, yes: unknown): Promise<void> {
  if (yes) return
  if (!place.interactive) throw usageFailure(t('没有人可以确认，请加 --yes'))
  const answer = await place.ask(t('{question} [y/N] ', { question }))
  if (!/^(y|yes|是)$/i.test(answer.trim())) throw new Failure(t('已取消，什么也没有改变'))
}

async function run(place: Place, endpoint: Endpoint, given: Given, body: Record<string, unknown>): Promise<void> {
  const target = await findTarget(place, given.profile as string | undefined)
  if (removes(endpoint)) {
    const named = Object.values(body).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
    await confirm(place, t('{name}：{named}？', { name: t(endpoint.name), named: named.join(' ') }), given.yes)
  }
  const page = isPaged(endpoint) ? pageOf(given) : undefined
  const asked = page ? { ...body, page } : body
  const sent = endpoint.multipart ? await formOf(asked, given.file as string) : asked
  const data =
    given.all && isPaged(endpoint)
      ? await callAll(place, target, endpoint, asked)
      : await callPath(place, target, endpoint, sent)
  const jobID = beginsJob(endpoint) && isRecord(data) ? String(data.jobID) : ''
  if (jobID === '' || !(given.wait || given.out)) return show(place, data, given)
  const job = await waitForJob(place, target, jobID)
  if (!given.out) return show(place, job, given)
  if (!job.fileUri) throw new Failure(t('这个任务没有文件'))
  await download(target, job.fileUri, given.out as string)
  tell(place, t('已写入 {file}', { file: given.out }))
}

export function addEndpoint(command: Command, endpoint: Endpoint, place: Place): Flag[] {
  const paged = isPaged(endpoint)
  const flags = flagsOf(endpoint, paged ? new Set([...taken, 'page', 'size', 'sort']) : taken)
  for (const { option } of flags) command.addOption(option)
  if (endpoint.multipart) command.requiredOption(`--file <${t('文件')}>`, t('要上传的文件'))
  if (flags.length > 0) command.option(`--body <JSON|@${t('文件')}|->`, t('整个请求体；单个选项优先'))
  if (paged)
    command
      .option('--page <n>', t('第几页'))
      .option('--size <n>', t('每页多少行'))
      .addOption(several(`--sort <${t('字段')}:desc...>`, t('按哪些字段排序')))
      .option('--all', t('全部各页'))
  if (beginsJob(endpoint))
    command
      .option('--wait', t('等到后台任务结束'))
      .option(`-o, --out <${t('文件')}>`, t('等到后台任务结束，写入它的文件'))
  if (removes(endpoint)) command.option('--yes', t('不再询问'))
  commonFlags(command).option(`--columns <a,b>`, t('表格显示哪些列'))
  command.action(async (given: Given) => run(place, endpoint, given, await bodyOf(place, flags, given)))
  return flags
}
