/** Who we are at the MQTT server that others run, and whether it is the right one. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, givenBroker, startMosquitto, withoutMosquitto } from '#testing/mosquitto.ts'
import { findProgram, programEnv } from '../../../../../scripts/debian-programs.mjs'
import { makeTestCertificate } from '../aedes/testing/test-certificate.ts'
import { UpstreamSession } from './session.ts'
import { readUpstreamUrl, type UpstreamAddress } from './upstream-address.ts'

describe.skipIf(withoutMosquitto || givenBroker)('a mosquitto that asks who we are', () => {
  const { cert, key } = makeTestCertificate()
  const closers: Array<() => Promise<void>> = []
  let folder: string
  let url: string
  let tlsUrl: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ithings-sign-in-'))
    const file = (name: string) => join(folder, name)
    await writeFile(file('passwords'), 'platform:a secret@\n')
    const tool = join(dirname(findProgram('mosquitto') ?? ''), '../bin/mosquitto_passwd')
    execFileSync(tool, ['-U', file('passwords')], { env: { ...process.env, ...programEnv('mosquitto') } })
    await writeFile(file('cert.pem'), cert)
    await writeFile(file('key.pem'), key)
    const tlsPort = await freePort()
    const started = await startMosquitto(
      (close) => void closers.push(close),
      [
        'allow_anonymous false',
        `password_file ${file('passwords')}`,
        `listener ${tlsPort} 127.0.0.1`,
        `certfile ${file('cert.pem')}`,
        `keyfile ${file('key.pem')}`,
      ],
    )
    url = started.url
    tlsUrl = `mqtts://localhost:${tlsPort}`
  })
  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
    await rm(folder, { recursive: true })
  })

  function open(text: string, more: Partial<UpstreamAddress> = {}): UpstreamSession {
    const address = readUpstreamUrl(text)
    if (!address) throw new Error(`${text} is no address`)
    const session = new UpstreamSession({
      address: { ...address, ...more },
      clientID: 'sign-in',
      filters: ['$thing/up/#'],
      take: async () => {},
      opened: () => {},
      log: pino({ level: 'silent' }),
    })
    closers.push(() => session.stop())
    return session
  }
  const who = { user: 'platform', password: 'a secret@' }

  test('the right password lets us in, a wrong one does not, and both are said', async () => {
    const wrong = open(url, { ...who, password: 'wrong' })
    await expect.poll(() => wrong.trouble).toMatch(/Not authorized|Bad username/)
    await wrong.stop()
    const right = open(url.replace('mqtt://', 'mqtt://platform:a%20secret%40@'))
    await expect.poll(() => right.trouble).toBe('')
    await right.stop()
  })

  test('over TLS only to one whose certificate is known', async () => {
    const unknown = open(tlsUrl, who)
    await expect.poll(() => unknown.trouble).toMatch(/self-signed certificate/)
    await unknown.stop()
    const known = open(tlsUrl, { ...who, ca: cert })
    await expect.poll(() => known.trouble).toBe('')
    await known.stop()
  })

  test('one of several addresses is enough', async () => {
    const nobody = await freePort()
    const session = open(`mqtt://127.0.0.1:${nobody},${url}`, who)
    await expect.poll(() => session.trouble).toBe('')
    await session.stop()
  })
})
