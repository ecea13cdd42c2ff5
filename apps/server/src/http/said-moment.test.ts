import { keep, kept, sayKept } from '@ithings/contract/text.ts'
import { expect, test } from 'vitest'
import { translatorOf } from './answer-language.ts'
import { saidMoment, saidMomentWithSlashes } from './said-moment.ts'

const [chinese, english] = [translatorOf(''), translatorOf('en')]
const moment = new Date('2027-01-30T08:05:09').getTime()
const zoned = /2027-01-30 08:05:09 UTC[+-]\d+(:\d\d)?/

test('English names the zone; Chinese is as it always was', () => {
  expect(sayKept(keep([saidMoment(moment)]), chinese)).toBe('2027-01-30 08:05:09')
  expect(sayKept(keep([saidMoment(moment)]), english)).toMatch(new RegExp(`^${zoned.source}$`))
})

test('a moment within a sentence that is kept is said with it, and not as Chinese writes it', () => {
  const reason = kept('{time} 的执行已错过：服务当时未运行', { time: saidMomentWithSlashes(moment) })
  expect(sayKept(reason, chinese)).toBe('2027/1/30 08:05:09 的执行已错过：服务当时未运行')
  expect(sayKept(reason, english)).toMatch(zoned)
  expect(sayKept(reason, english)).not.toMatch(/\p{Script=Han}|\//u)
})
