/** What one row says, or why it cannot be understood; pure. */
import { describeIssue } from '@ithings/contract/describe-issue.ts'
import { toEnglish } from '@ithings/contract/english.ts'
import { type ImportRow, importColumns } from '@ithings/contract/features/devices/bulk.ts'
import { createDeviceBody, LogLevel, logLevelContext, logLevelLabels } from '@ithings/contract/features/devices/info.ts'
import { fill, keep, kept, t } from '@ithings/contract/text.ts'
import type { Tag } from '@ithings/contract/wire.ts'

export interface NewDevice {
  row: ImportRow
  productID: string
  deviceName: string
  deviceAlias: string
  /** '': one is made. */
  secret: string
  logLevel: number
  tags: Tag[]
  longitude: number
  latitude: number
  address: string
}

class Unreadable extends Error {}

const labels = new Map<string, string>(importColumns.map(([name, title]) => [name, title.replace('*', '')]))
const levelWords = Object.values(LogLevel).map((level) => kept(logLevelLabels[level], logLevelContext(level)))
/** As a template in either language has it. */
const levelOf = (text: string): LogLevel | undefined =>
  Object.values(LogLevel).find((level) =>
    [fill, toEnglish].some(
      (by) => by(logLevelLabels[level], logLevelContext(level)).toLowerCase() === text.toLowerCase(),
    ),
  )

function readLevel(text: string): LogLevel {
  if (text === '') return LogLevel.off
  const level = levelOf(text)
  if (!level) throw new Unreadable(kept('日志级别 {text} 只能是 {levels}', { text, levels: levelWords }))
  return level
}

function readTags(text: string): Tag[] {
  return text
    .split(/[;；]/)
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const [, key, value] = /^([^:：]*)[:：](.*)$/s.exec(pair) ?? []
      if (key === undefined || value === undefined) {
        throw new Unreadable(kept('设备标签 {pair} 不是 键:值，多个标签用 ; 分隔', { pair: pair.trim() }))
      }
      return { key, value }
    })
}

function readPosition(text: string): { longitude: string; latitude: string } | undefined {
  if (text === '') return undefined
  const [longitude, latitude, ...rest] = text.split(/[,，]/).map((part) => part.trim())
  if (!longitude || !latitude || rest.length > 0) throw new Unreadable(kept('设备位置 {text} 不是 经度,纬度', { text }))
  return { longitude, latitude }
}

/** A key as short as this could be guessed; a longer one than this helps nobody. */
const secretBytes = { min: 10, max: 64 }

function checkSecret(text: string): void {
  if (text === '') return
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text || bytes.length < secretBytes.min || bytes.length > secretBytes.max) {
    throw new Unreadable(kept('设备密钥须为 {min} 到 {max} 字节的 Base64', secretBytes))
  }
}

function read(row: ImportRow, products: Map<string, string>): NewDevice {
  // http-api.md 4.2: the sample rows of the public template.
  if (Object.values(row).some((value) => String(value).includes('ithingsdemo'))) {
    throw new Unreadable(kept('示例数据不能导入'))
  }
  if (row.productName === '') throw new Unreadable(kept('产品名称不能为空'))
  const productID = products.get(row.productName)
  if (!productID) throw new Unreadable(kept('产品 {name} 不存在', { name: row.productName }))
  checkSecret(row.secret)
  const position = readPosition(row.position)
  const parsed = createDeviceBody.safeParse({
    productID,
    deviceName: row.deviceName,
    deviceAlias: row.deviceAlias,
    tags: readTags(row.tags),
    address: row.address,
    position,
  })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    if (!issue) throw new Unreadable(kept('格式不正确'))
    const label = labels.get(String(issue.path[0]))
    throw new Unreadable(keep([() => describeIssue(issue, label && t(label))]))
  }
  return {
    row,
    productID,
    deviceName: parsed.data.deviceName,
    deviceAlias: parsed.data.deviceAlias ?? '',
    secret: row.secret,
    logLevel: readLevel(row.logLevel),
    tags: parsed.data.tags ?? [],
    longitude: parsed.data.position?.longitude ?? 0,
    latitude: parsed.data.position?.latitude ?? 0,
    address: parsed.data.address ?? '',
  }
}

/** `products`: id by name or id. */
export function checkRow(row: ImportRow, products: Map<string, string>): NewDevice | { error: string } {
  try {
    return read(row, products)
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause
    return { error: cause.message }
  }
}
