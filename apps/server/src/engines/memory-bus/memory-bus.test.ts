import { expect, test } from 'vitest'
import type { EventMap, EventName } from '#ports/event-bus.ts'
import { makeMemoryBus } from './memory-bus.ts'

const device = { productID: 'P0000000001', deviceName: 'lamp', deviceID: 7 }
const done: EventMap['command.done'] = { device, clientToken: 'a1', code: 200 }

function makeBus() {
  const failures: Array<{ error: unknown; name: EventName }> = []
  return { bus: makeMemoryBus((error, name) => void failures.push({ error, name })), failures }
}

test('everybody who listens to an event hears it, others do not', () => {
  const { bus } = makeBus()
  const heard: string[] = []
  bus.on('command.done', (event) => heard.push(`first ${event.clientToken}`))
  bus.on('command.done', (event) => heard.push(`second ${event.clientToken}`))
  bus.on('shadow.changed', () => heard.push('shadow'))
  bus.emit('command.done', done)
  expect(heard).toEqual(['first a1', 'second a1'])
})

test('a subscription ends on its own, also while an event is being told', () => {
  const { bus } = makeBus()
  const heard: string[] = []
  const listener = () => void heard.push('same')
  const end = bus.on('command.done', listener)
  bus.on('command.done', listener)
  const endSelf = bus.on('command.done', () => {
    heard.push('once')
    endSelf()
  })
  bus.on('command.done', () => void heard.push('last'))
  end()
  bus.emit('command.done', done)
  bus.emit('command.done', done)
  expect(heard).toEqual(['same', 'once', 'last', 'same', 'last'])
})

test('a listener that throws or rejects is reported, and neither the teller nor the others notice', async () => {
  const { bus, failures } = makeBus()
  const heard: string[] = []
  bus.on('command.done', () => {
    throw new Error('thrown')
  })
  const rejects: () => unknown = () => Promise.reject(new Error('rejected'))
  bus.on('command.done', rejects)
  bus.on('command.done', (event) => heard.push(event.clientToken))
  bus.emit('command.done', done)
  expect(heard).toEqual(['a1'])
  await expect.poll(() => failures.length).toBe(2)
  expect(failures.map(({ error }) => (error as Error).message)).toEqual(['thrown', 'rejected'])
  expect(failures.every(({ name }) => name === 'command.done')).toBe(true)
})
