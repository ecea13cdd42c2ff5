/**
 * Brings a definition into its stored form (thing-model.md 2): foreign keys dropped, numbers clamped.
 * What cannot be mended is reported; the same code serves the server, the import check and the console's forms.
 */
import { t } from '#text.ts'
import { DataType, type Define, type RawDefine, type RawSpec, type Spec } from './define.ts'
import {
  identifierPattern,
  maxDepth,
  maxMapping,
  maxMappingLabel,
  maxName,
  maxNumber,
  maxSpecs,
  maxStringLength,
  maxUnit,
} from './limits.ts'
import { at, type Report } from './model-issue.ts'

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)
/** Plain decimal text; Number() alone would also read 0x10 and blanks. */
const decimal = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/
const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''
const textLength = (text: string): number => [...text].length

/** What is left empty is undefined; what cannot be read is reported, and undefined too. */
function readNumber(text: string | undefined, whole: boolean, issue: { path: string; label: string }, report: Report) {
  if (isBlank(text)) return undefined
  const value = decimal.test(text ?? '') ? Number(text) : Number.NaN
  if (whole ? Number.isInteger(value) : Number.isFinite(value)) return clamp(value, -maxNumber, maxNumber)
  report({
    path: issue.path,
    text: whole
      ? t('{label}必须是整数，收到 {text}', { label: issue.label, text })
      : t('{label}必须是数字，收到 {text}', { label: issue.label, text }),
  })
  return undefined
}

export function checkIdentifier(identifier: string, path: string, report: Report): void {
  if (!identifierPattern.test(identifier)) {
    report({
      path: at(path, 'identifier'),
      text: t('标识符 {identifier} 须以字母或下划线开头，只含字母、数字、下划线，最长 128 位', {
        identifier: identifier || t('（空）'),
      }),
    })
  }
}

export function checkName(name: string, path: string, report: Report): void {
  const length = textLength(name.trim())
  if (length === 0) report({ path: at(path, 'name'), text: t('名称不能为空') })
  if (length > maxName)
    report({ path: at(path, 'name'), text: t('名称最长 {max} 个字符，收到 {length} 个', { max: maxName, length }) })
}

export function checkUnique(places: Array<{ identifier: string; path: string }>, report: Report): void {
  const seen = new Set<string>()
  for (const { identifier, path } of places) {
    if (seen.has(identifier)) report({ path, text: t('标识符 {identifier} 重复', { identifier }) })
    seen.add(identifier)
  }
}

function normaliseNumber(raw: RawDefine, path: string, report: Report): Define {
  const whole = raw.type === DataType.int
  const read = (key: 'min' | 'max' | 'start' | 'step', label: string) =>
    readNumber(raw[key], whole, { path: at(path, key), label }, report)
  const min = read('min', t('最小值')) ?? -maxNumber
  const max = read('max', t('最大值')) ?? maxNumber
  // Compared as numbers, not as the texts that they are (thing-model.md 2).
  if (max < min)
    report({ path: at(path, 'max'), text: t('最大值 {max} 小于最小值 {min}', { max: raw.max, min: raw.min }) })
  const start = clamp(read('start', t('初始值')) ?? 0, Math.min(min, max), Math.max(min, max))
  const step = normaliseStep(read('step', t('步长')), whole, max)
  const unit = (raw.unit ?? '').trim()
  if (textLength(unit) > maxUnit) report({ path: at(path, 'unit'), text: t('单位最长 {max} 个字符', { max: maxUnit }) })
  return {
    type: raw.type,
    min: String(min),
    max: String(max),
    start: String(start),
    ...(step === undefined ? {} : { step: String(step) }),
    ...(unit === '' ? {} : { unit }),
  }
}

/** thing-model.md 2: above max → max, int below 1 → 1, float not above 0 → 1. A float without a step takes every value. */
function normaliseStep(given: number | undefined, whole: boolean, max: number): number | undefined {
  if (given === undefined && !whole) return undefined
  const step = given !== undefined && given > 0 ? given : 1
  return max > 0 ? Math.min(step, max) : step
}

function normaliseString(raw: RawDefine, path: string, report: Report): Define {
  const issue = { path: at(path, 'max'), label: t('最大长度') }
  const max = readNumber(raw.max, true, issue, report) ?? maxStringLength
  if (max < 1) report({ path: issue.path, text: t('最大长度至少为 1，收到 {max}', { max: raw.max }) })
  return { type: raw.type, max: String(clamp(max, 1, maxStringLength)) }
}

function checkLabels(mapping: Record<string, string>, path: string, report: Report): void {
  for (const [key, label] of Object.entries(mapping)) {
    const length = textLength(label.trim())
    if (length === 0) report({ path: at(path, `mapping.${key}`), text: t('取值 {key} 的说明不能为空', { key }) })
    if (length > maxMappingLabel) {
      report({
        path: at(path, `mapping.${key}`),
        text: t('取值 {key} 的说明最长 {max} 个字符，收到 {length} 个', { key, max: maxMappingLabel, length }),
      })
    }
  }
}

const byNumber = (one: string, other: string): number => Number(one) - Number(other)

/** One spelling a number: "01" and "1" would be two keys for one value. */
const enumKey = /^(0|-?[1-9]\d{0,9})$/

function normaliseMapping(raw: RawDefine, path: string, report: Report): Define {
  const mapping = raw.mapping ?? {}
  const keys = Object.keys(mapping)
  if (raw.type === DataType.bool) {
    if (keys.length !== 2 || !('0' in mapping) || !('1' in mapping)) {
      report({ path: at(path, 'mapping'), text: t('布尔型须给出 0 和 1 两个取值的说明') })
    }
  } else {
    if (keys.length === 0) report({ path: at(path, 'mapping'), text: t('枚举型至少要有一个取值') })
    if (keys.length > maxMapping)
      report({ path: at(path, 'mapping'), text: t('枚举型最多 {max} 个取值', { max: maxMapping }) })
    for (const key of keys.filter((text) => !enumKey.test(text))) {
      report({ path: at(path, `mapping.${key}`), text: t('枚举取值必须是整数，收到 {key}', { key }) })
    }
  }
  checkLabels(mapping, path, report)
  return {
    type: raw.type,
    mapping: Object.fromEntries(keys.toSorted(byNumber).map((key) => [key, (mapping[key] ?? '').trim()])),
  }
}

function normaliseSpecs(raw: RawSpec[], path: string, depth: number, report: Report): Spec[] {
  if (raw.length === 0) report({ path: at(path, 'specs'), text: t('结构体至少要有一个成员') })
  if (raw.length > maxSpecs)
    report({
      path: at(path, 'specs'),
      text: t('结构体最多 {max} 个成员，收到 {count} 个', { max: maxSpecs, count: raw.length }),
    })
  checkUnique(
    raw.map(({ identifier }) => ({ identifier, path: at(path, `specs.${identifier}`) })),
    report,
  )
  return raw.map((spec) => {
    const own = at(path, `specs.${spec.identifier}`)
    checkIdentifier(spec.identifier, own, report)
    checkName(spec.name, own, report)
    return {
      identifier: spec.identifier,
      name: spec.name.trim(),
      dataType: normaliseDefine(spec.dataType, at(own, 'dataType'), report, depth + 1),
    }
  })
}

export function normaliseDefine(raw: RawDefine, path: string, report: Report, depth = 1): Define {
  if (depth > maxDepth) {
    report({ path, text: t('嵌套不能超过 {max} 层', { max: maxDepth }) })
    return { type: raw.type }
  }
  switch (raw.type) {
    case DataType.int:
    case DataType.float:
      return normaliseNumber(raw, path, report)
    case DataType.string:
      return normaliseString(raw, path, report)
    case DataType.bool:
    case DataType.enum:
      return normaliseMapping(raw, path, report)
    case DataType.timestamp:
      return { type: raw.type }
    case DataType.struct:
      return { type: raw.type, specs: normaliseSpecs(raw.specs ?? [], path, depth, report) }
    case DataType.array: {
      if (!raw.arrayInfo) {
        report({ path: at(path, 'arrayInfo'), text: t('数组须给出元素类型') })
        return { type: raw.type }
      }
      return { type: raw.type, arrayInfo: normaliseDefine(raw.arrayInfo, at(path, 'arrayInfo'), report, depth + 1) }
    }
  }
}
