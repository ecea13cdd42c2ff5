/** Figures of the large screen in words. Pure. */

import type { HomeRun } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { localZone, zoneOffset } from '@ithings/contract/zone-days.ts'

export const figure = (count: number): string => count.toLocaleString('en-US')

/** For the style sheet: figures side by side have one size, by the longest of them. */
export const digitsOf = (counts: readonly number[]): number => Math.max(...counts.map((count) => figure(count).length))

const tenThousand = 10_000
const hundredMillion = 100_000_000

/** For narrow places: 1,738 万 and 2.4 亿 once the full number would not fit. */
export function shortFigure(count: number): string {
  const part = (unit: number, word: string) => {
    const value = count / unit
    const digits = value < 10 ? 1 : 0
    const power = 10 ** digits
    return `${figure(Math.floor(value * power) / power)} ${word}`
  }
  if (count >= hundredMillion) return part(hundredMillion, t('亿'))
  return count >= 10 * tenThousand ? part(tenThousand, t('万')) : figure(count)
}

/** A rate: whole above ten, one digit below. */
export const rateText = (rate: number): string => figure(rate >= 10 ? Math.round(rate) : Math.round(rate * 10) / 10)

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
  const size = figure(Math.abs(change))
  const tone = better === undefined ? 'plain' : more === (better === 'more') ? 'good' : 'bad'
  return {
    arrow: more ? '↑' : '↓',
    text: size,
    tone,
    words: t('比昨日{more} {size}', { more: more ? t('多') : t('少'), size }),
  }
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** 3 天 4 小时, 38 分钟, 20 秒: two parts at most, so that the width stays. */
export function durationText(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds))
  const two = (big: number, bigWord: string, small: number, smallWord: string) =>
    small > 0 ? `${big} ${bigWord} ${small} ${smallWord}` : `${big} ${bigWord}`
  if (total >= day) return two(Math.floor(total / day), t('天'), Math.floor((total % day) / hour), t('小时'))
  if (total >= hour) return two(Math.floor(total / hour), t('小时'), Math.floor((total % hour) / minute), t('分钟'))
  return total >= minute ? t('{count} 分钟', { count: Math.floor(total / minute) }) : t('{count} 秒', { count: total })
}

type Left = Pick<HomeRun, 'paused' | 'secondsLeft' | 'away' | 'total'>

/** What a run waits for: its pace, or devices that are not there. */
export function runLeft({ paused, secondsLeft, away, total }: Left): string {
  if (paused) return t('已暂停')
  if (secondsLeft > 0) return t('剩 {durationText}', { durationText: durationText(secondsLeft) })
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
  zoneOffset(timeZone) === zoneOffset(here)
    ? t('今日')
    : t('今日（{zoneOffset}）', { zoneOffset: zoneOffset(timeZone) })
