import { expect, test } from 'vitest'
import {
  parseTimeChoice,
  resolveTime,
  TimePreset,
  timeChoiceText,
  timePresetLabels,
  timePresets,
} from './time-choice.ts'

const now = new Date(2026, 5, 15, 12, 30, 0).getTime()
const at = (...parts: [number, number, number]) => String(new Date(...parts).getTime())

test('spec 3: the five time range presets and their texts', () => {
  expect(timePresets.map((preset) => `${preset} ${timePresetLabels[preset]}`)).toEqual([
    '0 30分钟',
    '1 1小时',
    '2 今天',
    '3 昨天',
    '4 近7天',
  ])
})

test('presets end now except yesterday, which ends at its last millisecond', () => {
  expect(resolveTime({ preset: TimePreset.halfHour }, now)).toEqual({
    timeStart: String(now - 1_800_000),
    timeEnd: '0',
  })
  expect(resolveTime({ preset: TimePreset.hour }, now)).toEqual({ timeStart: String(now - 3_600_000), timeEnd: '0' })
  expect(resolveTime({ preset: TimePreset.today }, now)).toEqual({ timeStart: at(2026, 5, 15), timeEnd: '0' })
  expect(resolveTime({ preset: TimePreset.week }, now).timeEnd).toBe('0')
  expect(resolveTime({ preset: TimePreset.yesterday }, now)).toEqual({
    timeStart: at(2026, 5, 14),
    timeEnd: String(Number(at(2026, 5, 15)) - 1),
  })
})

test('a preset moves with the clock, a picked range does not', () => {
  const preset = { preset: TimePreset.hour }
  expect(resolveTime(preset, now + 5000)).not.toEqual(resolveTime(preset, now))
  const range = { timeStart: '1700000000000', timeEnd: '1700000100000' }
  expect(resolveTime(range, now + 5000)).toEqual(range)
})

test('a choice survives the URL and nonsense does not', () => {
  for (const choice of [{ preset: TimePreset.week }, { timeStart: '1', timeEnd: '0' }]) {
    expect(parseTimeChoice(timeChoiceText(choice))).toEqual(choice)
  }
  for (const text of ['', '5', 'a~b', '1~', '~']) expect(parseTimeChoice(text)).toBeUndefined()
})
