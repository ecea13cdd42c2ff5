/** Figures of the large screen in words. Pure. */

import type { HomeRun } from '@ithings/contract/features/home.ts'
import { type Language, t } from '@ithings/contract/text.ts'
import { localZone, zoneOffset } from '@ithings/contract/zone-days.ts'
import { numberText } from '#kit/number-text.ts'
import { readLanguage } from '#language/language.ts'

/** For the style sheet: figures side by side have one size, by the longest of them. */
export const digitsOf = (counts: readonly number[]): number =>
  Math.max(...counts.map((count) => numberText(count).length))

const longestFull = 99_999

/** Languages count in different powers of ten: not a text to translate. */
const powers: Record<Language, readonly (readonly [size: number, word: string])[]> = {
  zh: [
    [100_000_000, ' 亿'], // not a text
    [10_000, ' 万'], // not a text
  ],
  en: [
    [1_000_000_000, 'B'],
    [1_000_000, 'M'],
    [1_000, 'K'],
  ],
}

/** For narrow places: 1,738 万 and 2.4 亿, 17M and 240M once the full number would not fit. */
export function shortFigure(count: number, language = readLanguage()): string {
  const power = powers[language].find(([size]) => count >= size)
  if (count <= longestFull || !power) return numberText(count)
  const [size, word] = power
  const value = count / size
  const digits = 10 ** (value < 10 ? 1 : 0)
  return `${numberText(Math.floor(value * digits) / digits)}${word}`
}

/** A rate: whole above ten, one digit below. */
export const rateText = (rate: number): string => numberText(rate >= 10 ? Math.round(rate) : Math.round(rate * 10) / 10)

/** Of nothing, nothing is a share: an empty platform shows no NaN. One of a million online is not 0.0 %. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '—'
  const share = (part / whole) * 100
  if (part > 0 && share < 0.1) return '<0.1%'
  if (part < whole && share > 99.9) return '>99.9%'
  return `${share.toFixed(1)}%`
}

export interface ChangeView {
  arrow: '↑' | '↓' | ''
  text: string
  tone: 'good' | 'bad' | 'plain'
  /** For those who hear it. */
  words: string
}

/** @param better which direction is good news; none: just a number */
export function changeView(change: number | undefined, better?: 'more' | 'less'): ChangeView {
  if (change === undefined) return { arrow: '', text: '—', tone: 'plain', words: t('还没有昨日数据') }
  if (change === 0) return { arrow: '', text: t('持平'), tone: 'plain', words: t('与昨日持平') }
  const more = change > 0
  const size = numberText(Math.abs(change))
  const tone = better === undefined ? 'plain' : more === (better === 'more') ? 'good' : 'bad'
  return {
    arrow: more ? '↑' : '↓',
    text: size,
    tone,
    words: more ? t('比昨日多 {size}', { size }) : t('比昨日少 {size}', { size }),
  }
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** 3 天 4 小时, 38 分钟, 20 秒: two parts at most, so that the width stays. */
export function durationText(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds))
  const days = Math.floor(total / day)
  const hours = Math.floor((total % day) / hour)
  const minutes = Math.floor((total % hour) / minute)
  if (days > 0) return hours > 0 ? t('{days} 天 {hours} 小时', { days, hours }) : t('{days} 天', { days })
  if (hours > 0)
    return minutes > 0 ? t('{hours} 小时 {minutes} 分钟', { hours, minutes }) : t('{hours} 小时', { hours })
  return minutes > 0 ? t('{minutes} 分钟', { minutes }) : t('{seconds} 秒', { seconds: total })
}

type Left = Pick<HomeRun, 'paused' | 'secondsLeft' | 'away' | 'total'>

/** What a run waits for: its pace, or devices that are not there. */
export function runLeft({ paused, secondsLeft, away, total }: Left): string {
  if (paused) return t('已暂停')
  if (secondsLeft > 0) return t('剩 {duration}', { duration: durationText(secondsLeft) })
  return away > 0 ? t('{count, number} 台离线，等待中', { count: away }) : t('共 {total, number}', { total })
}

export const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)

export interface Peak {
  value: number
  at: number
}

/** A peak is kept for the day that the curves show. */
export const peakOf = (before: Peak, value: number, at: number): Peak =>
  value >= before.value || at - before.at >= day * 1000 ? { value, at } : before

/** The axis of a chart: a round top above the highest value, and how far apart the lines are. */
export function niceTop(highest: number, lines = 2): number {
  if (highest <= 0) return lines
  const rough = highest / lines
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10].find((one) => one * power >= rough) ?? 10
  const top = step * power * lines
  // Halves of a device do not exist.
  return highest >= lines ? Math.ceil(top / lines) * lines : top
}

/** Where a line that hardly moves far from zero begins: its wave would be flat otherwise. */
export function niceRange(lowest: number, highest: number): [number, number] {
  const span = highest - lowest
  if (highest <= 0 || lowest < highest * 0.5) return [0, niceTop(highest)]
  const step = 10 ** Math.ceil(Math.log10(Math.max(span, highest * 0.02, 1)))
  const bottom = Math.max(0, Math.floor((lowest - span * 0.2) / (step / 2)) * (step / 2))
  return [bottom, bottom + niceTop(highest - bottom)]
}

/** 今日, and whose day that is for who lives in another zone. */
export const todayWord = (timeZone: string, here = localZone()): string =>
  zoneOffset(timeZone) === zoneOffset(here) ? t('今日') : t('今日（{offset}）', { offset: zoneOffset(timeZone) })
