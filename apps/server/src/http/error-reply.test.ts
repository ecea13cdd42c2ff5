import { pino } from 'pino'
import { expect, test } from 'vitest'
import { DatabaseAway } from '#ports/database-away.ts'
import { toAnswer } from './error-reply.ts'
import { makeHttpServer } from './server.ts'

const failure = (fields: object) => Object.assign(new Error('x'), fields)

test.each([
  ['a path outside of the files', failure({ code: 'FST_STATIC_FORBIDDEN_PATH', statusCode: 403 }), 404],
  ['a folder', failure({ statusCode: 404 }), 404],
  ['an encoding that nobody knows', failure({ code: 'FST_CP_ERR_INVALID_CONTENT_ENCODING', statusCode: 415 }), 415],
  ['a body that is cut off', failure({ message: 'aborted', code: 'ECONNRESET' }), 400],
  ['an id that no column holds', failure({ code: '22003' }), 400],
  ['a time beyond what is a date', failure({ code: '22007' }), 400],
  ['a date that no column holds', failure({ code: '22008' }), 400],
  ['a database that is away', failure({ code: 'ECONNREFUSED' }), 503],
  ['a connection to it that ended', failure({ code: 'ECONNRESET', message: 'read ECONNRESET' }), 503],
  ['a line to it on which nobody answers', failure({ code: 'ETIMEDOUT' }), 503],
  ['a database that is a standby by now', failure({ code: '25006' }), 503],
  ['a database that moves', new DatabaseAway('another host takes the writes now'), 503],
  ['anything else', failure({}), 500],
])('%s is answered with its own status', (_name, error, status) => {
  expect(toAnswer(error).status).toBe(status)
})

test('an error that nobody foresaw is logged whole and told in general words', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  const http = await makeHttpServer({ log, trustProxy: false, corsOrigins: [], tls: undefined })
  http.get('/', async () => {
    throw new Error('select secret from app_user')
  })
  const answer = await http.inject('/')
  expect([answer.statusCode, answer.json()]).toEqual([
    500,
    { code: 100007, msg: expect.any(String), requestID: expect.any(String) },
  ])
  expect(answer.body).not.toMatch(/select|app_user|at .*\.ts/)
  expect(JSON.parse(lines.join(''))).toMatchObject({ err: { message: 'select secret from app_user' } })
  await http.close()
})
