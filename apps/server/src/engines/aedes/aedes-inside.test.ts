import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { guardParser, inside, makeQuietAedes } from './aedes-inside.ts'

test('aedes still has the inner parts that we use', async () => {
  const aedes = makeQuietAedes({})
  await aedes.listen()
  const client = aedes.handle(new PassThrough())
  expect(inside(client)).toMatchObject({ clean: true, subscriptions: {}, will: null, _disconnected: false })
  expect(aedes.counter).toBe(0)
  client.close()
  await new Promise<void>((resolve) => aedes.close(resolve))
})

test('an exception of the parser is told, not thrown', async () => {
  const aedes = makeQuietAedes({})
  await aedes.listen()
  const client = aedes.handle(new PassThrough())
  inside(client)._parser.parse = () => {
    throw new Error('cannot be parsed')
  }
  const told: string[] = []
  guardParser(client, ({ message }) => told.push(message))
  expect(inside(client)._parser.parse(Buffer.from([1]))).toBe(0)
  expect(told).toEqual(['cannot be parsed'])
  client.close()
  await new Promise<void>((resolve) => aedes.close(resolve))
})
