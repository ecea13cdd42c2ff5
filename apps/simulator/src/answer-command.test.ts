import { Dialect } from '@ithings/contract/device/messages.ts'
import texts from '@ithings/contract/en.json' with { type: 'json' }
import moreTexts from '@ithings/contract/en-later.json' with { type: 'json' }
import { addTexts } from '@ithings/contract/english.ts'
import type { Language } from '@ithings/contract/text.ts'
import { expect, test } from 'vitest'
import { answerCommand, type Command } from './answer-command.ts'
import { compileModel } from './compiled-model.ts'
import { makeRandom } from './random.ts'
import { lampModel } from './testing/platform.ts'
import { makeThingValues } from './thing-values.ts'

addTexts(texts)
addTexts(moreTexts)

const model = lampModel()
const writable = model.properties.find(({ mode, define }) => mode === 'rw' && define.type === 'bool')?.identifier ?? ''
const readable = model.properties.find(({ mode }) => mode === 'r')?.identifier ?? ''

function refusals(language?: Language) {
  const compiled = compileModel(model)
  const values = makeThingValues(compiled, makeRandom('lamp'), undefined)
  const parts = { compiled, values, dialect: Dialect.snake, language, now: () => 1_800_000_000_000 }
  const answer = (command: Command, rest: object, broken = false) =>
    String(answerCommand(command, { method: command, clientToken: '1', ...rest }, parts, broken).msg)
  return [
    answer('control', { params: { nothing: 1 } }),
    answer('control', { params: { [readable]: 1 } }),
    answer('control', { params: { [writable]: 'neither' } }),
    answer('action', { actionID: 'nothing' }),
    answer('control', {}, true),
  ]
}

test('a device of an English product refuses in English, any other one in Chinese', () => {
  const han = /\p{Script=Han}/u
  expect(refusals()).toEqual(refusals('zh'))
  for (const text of refusals()) expect(text).toMatch(han)
  for (const text of refusals('en')) expect(text).not.toMatch(han)
  expect(refusals('en')[0]).toBe('There is no property nothing')
})
