import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { readProxyHeader } from './proxy-header.ts'
import { ended, productID, startTestBroker, type TestBroker, upTopic } from './testing/test-broker.ts'
import { makeTestCertificate } from './testing/test-certificate.ts'

const text = (line: string) => Buffer.from(`${line}\r\n`)
const binary = (command: number, family: number, body: Buffer) => {
  const fixed = Buffer.from('0d0a0d0a000d0a515549540a00000000', 'hex')
  fixed[12] = 0x20 | command
  fixed[13] = family
  fixed.writeUInt16BE(body.length, 14)
  return Buffer.concat([fixed, body])
}
const four = Buffer.from('cb00710a0a0000010fa0075b', 'hex')
const six = Buffer.concat([Buffer.from('20010db8000000000000000000000007', 'hex'), Buffer.alloc(20)])

describe('the header', () => {
  test.each([
    ['text, IPv4', text('PROXY TCP4 203.0.113.10 10.0.0.1 4000 1883'), '203.0.113.10'],
    ['text, IPv6', text('PROXY TCP6 2001:db8::7 ::1 4000 1883'), '2001:db8::7'],
    ['text, unknown', text('PROXY UNKNOWN'), undefined],
    ['binary, IPv4', binary(1, 0x11, four), '203.0.113.10'],
    ['binary, IPv6', binary(1, 0x21, six), '2001:db8:0:0:0:0:0:7'],
    ['binary with remarks', binary(1, 0x11, Buffer.concat([four, Buffer.alloc(200)])), '203.0.113.10'],
    ['binary, the balancer itself', binary(0, 0, Buffer.alloc(0)), undefined],
    ['binary, a socket file', binary(1, 0x31, Buffer.alloc(216)), undefined],
  ])('%s is read, whatever pieces it comes in', (_, bytes, address) => {
    for (let length = 0; length < bytes.length; length++)
      expect(readProxyHeader(bytes.subarray(0, length))).toEqual({ state: 'part' })
    const whole = { state: 'whole', length: bytes.length, address }
    expect(readProxyHeader(bytes)).toEqual(whole)
    expect(readProxyHeader(Buffer.concat([bytes, Buffer.from([0x10, 0])]))).toEqual(whole)
  })

  test.each([
    ['MQTT without one', Buffer.from([0x10, 0x0c])],
    ['TLS without one', Buffer.from([0x16, 3, 1])],
    ['a wrong address', text('PROXY TCP4 999.1.1.1 10.0.0.1 4000 1883')],
    ['another family than it says', text('PROXY TCP4 ::1 ::1 4000 1883')],
    ['a wrong port', text('PROXY TCP4 1.1.1.1 10.0.0.1 70000 1883')],
    ['missing words', text('PROXY TCP4 1.1.1.1')],
    ['a line without end', Buffer.from(`PROXY ${'x'.repeat(200)}`)],
    ['an unknown version', Buffer.from('0d0a0d0a000d0a515549540a31110000', 'hex')],
    ['an unknown command', binary(5, 0x11, four)],
    ['too short addresses', binary(1, 0x11, Buffer.alloc(8))],
    ['too many bytes', binary(1, 0x11, Buffer.alloc(4_000)).subarray(0, 16)],
  ])('%s is refused', (_, bytes) => {
    expect(readProxyHeader(bytes)).toMatchObject({ state: 'broken' })
  })
})

describe('on the ports', () => {
  let world: TestBroker
  const sockets: Socket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await world.stop()
  })
  const open = (port: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    return socket
  }
  const words = (...list: string[]) =>
    Buffer.concat(list.map((one) => Buffer.concat([Buffer.from([0, one.length]), Buffer.from(one)])))
  const packet = (type: number, body: Buffer) => Buffer.concat([Buffer.from([type, body.length]), body])
  /** CONNECT with a clean session, and a PUBLISH of QoS 1. */
  const hello = (deviceName: string) =>
    packet(0x10, Buffer.concat([words('MQTT'), Buffer.from([4, 0xc2, 0, 60]), words(productID + deviceName, 'a', 'b')]))
  const report = (deviceName: string) =>
    packet(0x32, Buffer.concat([words(upTopic(deviceName)), Buffer.from([0, 1]), Buffer.from('x')]))
  const trusting = { trusts: (address: string) => address === '127.0.0.1' }

  test('a device has its own address, and what came with the header is not lost', async () => {
    world = await startTestBroker({ proxy: trusting })
    open(world.port).write(Buffer.concat([binary(1, 0x11, four), hello('lamp'), report('lamp')]))
    await expect.poll(() => world.messages[0]?.session.ip).toBe('203.0.113.10')
    const slow = open(world.port)
    for (const byte of text('PROXY TCP6 2001:db8::7 ::1 4000 1883')) slow.write(Buffer.from([byte]))
    slow.write(hello('lamp2'))
    slow.write(report('lamp2'))
    await expect.poll(() => world.messages[1]?.session.ip).toBe('2001:db8::7')
    const check = open(world.port)
    check.write(Buffer.concat([binary(0, 0, Buffer.alloc(0)), hello('lamp3'), report('lamp3')]))
    await expect.poll(() => world.messages[2]?.session.ip).toBe('127.0.0.1')
  })

  test('TLS begins behind the header', async () => {
    world = await startTestBroker({ tls: makeTestCertificate(), proxy: trusting })
    const hurried = open(world.broker.address().tlsPort)
    await once(hurried, 'connect')
    hurried.write(binary(1, 0x21, six))
    const secure = connectTls({ socket: hurried, rejectUnauthorized: false }).on('error', () => {})
    await once(secure, 'secureConnect')
    secure.write(Buffer.concat([hello('lamp'), report('lamp')]))
    await expect.poll(() => world.messages[0]?.session.ip).toBe('2001:db8::7')
  })

  test('without a header, with a broken one, from a stranger or when it never comes, the connection ends', async () => {
    world = await startTestBroker({ proxy: { ...trusting, headerMs: 50 } })
    const bare = open(world.port)
    bare.resume().write(hello('lamp'))
    const silent = open(world.port).resume()
    await Promise.all([ended(bare), ended(silent)])
    await world.stop()
    world = await startTestBroker({ proxy: { trusts: () => false } })
    const stranger = open(world.port)
    stranger.resume().write(Buffer.concat([binary(1, 0x11, four), hello('lamp')]))
    await ended(stranger)
    expect([world.broker.connections, world.messages]).toEqual([0, []])
  })
})
