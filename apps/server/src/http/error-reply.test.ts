import { expect, test } from 'vitest'
import { toAnswer } from './error-reply.ts'

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
  ['anything else', failure({}), 500],
])('%s is answered with its own status', (_name, error, status) => {
  expect(toAnswer(error).status).toBe(status)
})
