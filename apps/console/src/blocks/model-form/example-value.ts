/** Values to begin with: a believable one for samples of messages, and the one a new row of a form starts from. */
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define, type Param } from '@ithings/contract/thing-model/define.ts'
import { compileDefine, defaultValue } from '@ithings/contract/thing-model/values.ts'

const secondsOf = (now: number): number => Math.floor(now / 1000)

const decimalsOf = (step: number): number => {
  const [digits = '', exponent = '0'] = String(step).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

/** Somewhere in the middle of the range, on the grid of the step. */
function exampleNumber(define: Define): number {
  const min = Number(define.min ?? 0)
  const max = Number(define.max ?? 100)
  const step = Number(define.step ?? 0) || (define.type === DataType.int ? 1 : 0.1)
  const onGrid = (multiple: number) => Number((multiple * step).toFixed(Math.min(decimalsOf(step), 20)))
  const candidates = [
    onGrid(Math.round((min + max) / 2 / step)),
    onGrid(Math.ceil(min / step)),
    onGrid(Math.floor(max / step)),
    min,
  ]
  const fits = compileDefine(define, 'command')
  return candidates.find((value) => value !== 0 && fits(value, '').ok) ?? candidates.find((v) => fits(v, '').ok) ?? min
}

const encoder = new TextEncoder()

function exampleText(max: number): string {
  const text = [t('正常运行'), 'normal', 'ok', 'A'].find((one) => encoder.encode(one).length <= max)
  return text ?? ''
}

/** Accepted by the definition in every use (report and command). */
export function exampleValue(define: Define, now: number): unknown {
  switch (define.type) {
    case DataType.bool:
      return true
    case DataType.int:
    case DataType.float:
      return exampleNumber(define)
    case DataType.string:
      return exampleText(Number(define.max ?? 2048))
    case DataType.timestamp:
      return secondsOf(now)
    case DataType.enum: {
      const keys = Object.keys(define.mapping ?? {})
        .map(Number)
        .toSorted((one, other) => one - other)
      return keys[1] ?? keys[0] ?? 0
    }
    case DataType.struct:
      return Object.fromEntries((define.specs ?? []).map((spec) => [spec.identifier, exampleValue(spec.dataType, now)]))
    case DataType.array:
      return define.arrayInfo ? [exampleValue(define.arrayInfo, now)] : []
  }
}

export const exampleParams = (params: readonly Param[], now: number): Record<string, unknown> =>
  Object.fromEntries(params.map((param) => [param.identifier, exampleValue(param.define, now)]))

/** What a new element or member starts from: the platform's default, but no date of 1970. */
export const startValue = (define: Define, now: number): unknown =>
  define.type === DataType.timestamp ? secondsOf(now) : defaultValue(define)
