import { pino } from 'pino'
import { expect, test } from 'vitest'
import { consolePolicy } from './security-headers.ts'
import { makeHttpServer } from './server.ts'

test.each([
  [false, undefined],
  [true, 'max-age=31536000; includeSubDomains'],
])('HSTS %s on plain http, which a proxy may serve as HTTPS, sends %s', async (hsts, wanted) => {
  const log = pino({ level: 'silent' })
  const http = await makeHttpServer({ log, trustProxy: false, corsOrigins: [], tls: undefined, hsts })
  const answer = await http.inject('/')
  expect(answer.headers['strict-transport-security']).toBe(wanted)
  await http.close()
})

test('of other origins only those of CORS_ORIGINS are allowed, by their own name', async () => {
  const log = pino({ level: 'silent' })
  const http = await makeHttpServer({ log, trustProxy: false, corsOrigins: ['https://ours.example'], tls: undefined })
  const allowed = async (origin: string) =>
    (await http.inject({ url: '/', headers: { origin } })).headers['access-control-allow-origin']
  expect(await allowed('https://ours.example')).toBe('https://ours.example')
  for (const origin of ['https://ours.example.evil.example', 'http://ours.example', 'null']) {
    expect([origin, await allowed(origin)]).toEqual([origin, undefined])
  }
  await http.close()
})

test('the console connects to its own host, and to the map only when there is a key', () => {
  const connect = (mapKey: boolean) => /connect-src ([^;]*)/.exec(consolePolicy('n', { https: false, mapKey }))?.[1]
  expect(connect(false)).toBe("'self'")
  expect(connect(true)).toMatch(/^'self' http:\/\/api\.map\.baidu\.com /)
})
