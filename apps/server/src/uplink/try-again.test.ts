import { AppError, errors } from '@ithings/contract/errors.ts'
import { expect, test } from 'vitest'
import { DatabaseAway } from '#ports/database-away.ts'
import type { ScriptOutcome } from '#ports/script-runner.ts'
import { decode } from './decode.ts'
import type { CorridorContext, Passage } from './passage.ts'
import { isPassing, TryAgain } from './refuse.ts'
import type { Identified } from './uplink-message.ts'

const error = (fields: object, message = 'x') => Object.assign(new Error(message), fields)

test.each([
  ['a script engine that stays busy', new TryAgain('busy'), true],
  ['a refused connection', error({ code: 'ECONNREFUSED' }), true],
  ['a broken pipe, which has five letters like an SQL state', error({ code: 'EPIPE' }), true],
  ['a connection that ended', error({}, 'Connection terminated unexpectedly'), true],
  ['a database that shuts down', error({ severity: 'FATAL', code: '57P01' }), true],
  ['a database that is a standby by now', error({ severity: 'ERROR', code: '25006' }), true],
  ['a database that moves', new DatabaseAway('another host takes the writes now'), true],
  ['a host that has no route', error({ code: 'EHOSTUNREACH' }), true],
  ['a lock that was not given', error({ severity: 'ERROR', code: '55P03' }), true],
  ['a deadlock', error({ severity: 'ERROR', code: '40P01' }), true],
  ['bad data', error({ severity: 'ERROR', code: '22021' }), false],
  ['a broken rule', error({ severity: 'ERROR', code: '23505' }), false],
  ['a refusal of ours', new AppError(errors.parameter), false],
  ['a fault of ours', new TypeError('undefined is not a function'), false],
  ['something thrown that is no error', 'text', false],
])('%s', (_, thrown, passing) => {
  expect(isPassing(thrown)).toBe(passing)
})

const known = {
  topic: { head: 'thing', way: 'up', type: 'property', custom: true, productID: 'p', deviceName: 'd' },
  product: { functions: new Set(['thingPropertyUp']), script: '', dialect: 0 },
  packet: { payload: Buffer.alloc(1) },
} as unknown as Identified
const passage = () => ({ known }) as Passage
const busy: ScriptOutcome = { ok: false, reason: 'busy', error: '请稍后再试' } as ScriptOutcome

/** The engine, as far as it is asked here. */
function engine(answers: ScriptOutcome[]): CorridorContext {
  const scripts = { run: async () => (answers.length > 1 ? answers.shift() : answers[0]) }
  return { scripts } as unknown as CorridorContext
}

test('a busy script engine is asked again until it has time', async () => {
  const done = { ok: true, value: { method: 'report' } } as ScriptOutcome
  const message = passage()
  await decode(message, engine([busy, busy, done]))
  expect(message.up).toMatchObject({ method: 'report' })
})

test('a script engine that stays busy gives the message back', async () => {
  await expect(decode(passage(), engine([busy]))).rejects.toBeInstanceOf(TryAgain)
})
