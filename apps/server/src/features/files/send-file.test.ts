import { Readable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeHttpServer } from '#http/server.ts'
import { sendFile } from './send-file.ts'

test('a name, whatever is in it, is one encoded value of one header, and the type follows the stored file', async () => {
  const http = await makeHttpServer({
    log: pino({ level: 'silent' }),
    trustProxy: false,
    corsOrigins: [],
    tls: undefined,
  })
  const name = '设备 "1";\r\nset-cookie: a=b; filename=x.html'
  http.get('/', (request, reply) =>
    sendFile(request, reply, {
      path: 'job/1/a.csv',
      size: 1,
      modifiedAt: 0,
      name,
      whole: true,
      read: () => Readable.from(['x']),
      bandwidth: undefined,
    }),
  )
  const { headers } = await http.inject('/')
  const [, value = ''] = /^attachment; filename\*=UTF-8''([\w.%~!*'()-]+)$/.exec(
    String(headers['content-disposition']),
  ) ?? ['', '']
  expect(decodeURIComponent(value)).toBe(name)
  expect(headers['set-cookie']).toBeUndefined()
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  await http.close()
})
