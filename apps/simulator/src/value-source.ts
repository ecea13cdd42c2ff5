/** Values of any type of a thing model over time, always within its limits. */
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import { type Curve, makeNumberSource } from './curves.ts'
import { deviceWords } from './device-words.ts'
import { guessCurve, type Hint } from './guess-curve.ts'
import type { Random } from './random.ts'

/** Times must not go back; milliseconds. */
export type ValueSource = (time: number) => unknown

/** How long a switch or a state lasts on average. */
const switchEveryMs = 10 * 60_000
const arrayLength = 3
const freeDecimals = 2

function decimalsOf(step: number): number {
  const [digits = '', exponent = '0'] = String(step).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

/** On the step, within min and max. */
export function fitNumber(define: Define): (value: number) => number {
  const whole = define.type === DataType.int
  const min = Number(define.min ?? Number.NEGATIVE_INFINITY)
  const max = Number(define.max ?? Number.POSITIVE_INFINITY)
  const step = Number(define.step ?? 0) || (whole ? 1 : 0)
  const decimals = step > 0 ? decimalsOf(step) : freeDecimals
  return (value) => {
    const stepped = step > 0 ? Math.round(value / step) * step : value
    const fitted = Number(stepped.toFixed(Math.min(decimals, 20)))
    if (fitted >= min && fitted <= max) return fitted
    const inside =
      fitted > max ? Math.floor(max / (step || 1)) * (step || 1) : Math.ceil(min / (step || 1)) * (step || 1)
    // A range without a multiple of the step has nothing better than its border.
    return inside >= min && inside <= max
      ? Number(inside.toFixed(Math.min(decimals, 20)))
      : Math.min(Math.max(value, min), max)
  }
}

function states<T>(list: readonly [T, ...T[]], random: Random): ValueSource {
  let current = random.pick(list)
  let last: number | undefined
  return (time) => {
    const stays = Math.exp(-Math.max(0, time - (last ?? time)) / switchEveryMs)
    last = time
    // The first is the usual one.
    if (!random.chance(stays)) current = random.chance(0.3) ? list[0] : random.pick(list)
    return current
  }
}

const chinese = /\p{Script=Han}/u

function textFor({ identifier, name }: Hint, random: Random): ValueSource {
  const words = `${identifier} ${name}`
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random.next() * 16).toString(16)).join('')
  if (/version|版本/i.test(words)) return () => '1.0.0'
  if (/\bmac\b/i.test(words)) {
    const mac = Array.from({ length: 6 }, () => hex(2)).join(':')
    return () => mac
  }
  if (/\bip\b|ipaddr|IP地址/i.test(words)) {
    const address = `192.168.1.${Math.floor(random.between(2, 254))}`
    return () => address
  }
  if (/serial|\bnumber\b|\bsn\b|imei|iccid|序列|编号|卡号/i.test(words)) {
    const serial = `SN${hex(8).toUpperCase()}`
    return () => serial
  }
  return states(deviceWords(chinese.test(name) ? 'zh' : 'en').states, random)
}

const encoder = new TextEncoder()

/** Cut between characters, so that it has at most so many bytes. */
export function cutText(text: string, maxBytes: number): string {
  let cut = ''
  let bytes = 0
  for (const character of text) {
    bytes += encoder.encode(character).length
    if (bytes > maxBytes) break
    cut += character
  }
  return cut
}

function numbers(define: Define, hint: Hint, random: Random, curve?: Curve): ValueSource {
  const source = makeNumberSource(curve ?? guessCurve(define, hint, random), random)
  const fit = fitNumber(define)
  return (time) => fit(source(time))
}

export function makeValueSource(define: Define, hint: Hint, random: Random, curve?: Curve): ValueSource {
  switch (define.type) {
    case DataType.int:
    case DataType.float:
      return numbers(define, hint, random, curve)
    case DataType.bool: {
      if (curve?.kind === 'constant') return () => curve.value !== 0
      return states([random.chance(0.5), false, true], random)
    }
    case DataType.enum: {
      if (curve?.kind === 'constant') return () => curve.value
      const [first = 0, ...others] = Object.keys(define.mapping ?? {}).map(Number)
      return states([first, ...others], random)
    }
    case DataType.string: {
      const source = textFor(hint, random)
      const max = Number(define.max ?? 2048)
      return (time) => cutText(String(source(time)), max)
    }
    case DataType.timestamp:
      return (time) => Math.floor(time)
    case DataType.struct: {
      const members = (define.specs ?? []).map(
        ({ identifier, name, dataType }) =>
          [identifier, makeValueSource(dataType, { identifier, name }, random.fork(identifier))] as const,
      )
      return (time) => Object.fromEntries(members.map(([identifier, source]) => [identifier, source(time)]))
    }
    case DataType.array: {
      const element = define.arrayInfo
      if (!element) return () => []
      const elements = Array.from({ length: arrayLength }, (_, i) =>
        makeValueSource(element, hint, random.fork(`${i}`)),
      )
      return (time) => elements.map((source) => source(time))
    }
  }
}
