/** Against a real SMTP server. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { channelSettings } from '@ithings/contract/features/notify.ts'
import { afterEach, expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import { type MailServer, openMailServer } from '../testing/mail-server.ts'
import { type Mailer, makeMailer } from './email.ts'
import type { Outgoing } from './sender.ts'

const open: Array<() => Promise<void> | void> = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function openServer(login?: { user: string; pass: string }): Promise<MailServer> {
  const server = await openMailServer(login)
  open.push(() => server.close())
  return server
}

function openMailer(url: string, timeoutMs = 60_000): Mailer {
  const mailer = makeMailer(url, timeoutMs)
  open.push(() => mailer.close())
  return mailer
}

const outgoing = (to: string[], more: Partial<Outgoing> = {}): Outgoing => ({
  id: '7',
  settings: channelSettings.parse({ to }),
  language: '',
  title: '温度过高',
  content: 'pump 1 is hot',
  payload: {},
  source: 'alarm',
  sourceName: 'pump house',
  productID: 'p1',
  deviceName: 'd1',
  createdTime: 1_700_000_000_000,
  ...more,
})

test('a mail reaches all recipients, with subject, text and source', async () => {
  const server = await openServer()
  const answer = await openMailer(`smtp://127.0.0.1:${server.port}?from=alarm@example.com`).send(
    outgoing(['a@example.com', 'b@example.com']),
  )
  expect(answer).toMatchObject({ ok: true, code: 250 })
  expect(server.mails).toHaveLength(1)
  const [mail] = server.mails
  expect(mail).toMatchObject({ from: 'alarm@example.com', to: ['a@example.com', 'b@example.com'] })
  expect(mail?.text).toContain(`Subject: =?UTF-8?B?${Buffer.from('温度过高').toString('base64')}?=`)
  expect(mail?.text).toContain('Message-ID: <ithings-7-1700000000000@127.0.0.1>')
  const [, body = ''] = mail?.text.split('\r\n\r\n') ?? []
  expect(/base64/i.test(mail?.text ?? '') ? Buffer.from(body, 'base64').toString() : body).toContain('pump 1 is hot')
})

test('a title with line breaks adds no header', async () => {
  const server = await openServer()
  await openMailer(`smtp://127.0.0.1:${server.port}`).send(
    outgoing(['a@example.com'], { title: 'hot\r\nBcc: thief@example.com' }),
  )
  expect(server.mails[0]?.to).toEqual(['a@example.com'])
  expect(server.mails[0]?.text).not.toMatch(/^Bcc:/m)
})

test('mails share connections', async () => {
  const server = await openServer()
  const mailer = openMailer(`smtp://127.0.0.1:${server.port}`)
  for (let count = 0; count < 5; count += 1) await mailer.send(outgoing(['a@example.com']))
  expect(server.mails).toHaveLength(5)
  expect(server.connections()).toBe(1)
})

test('the account of SMTP_URL signs in and is the sender; a wrong password is a failure that says so', async () => {
  const server = await openServer({ user: 'alarm@example.com', pass: 'p#w' })
  const address = `127.0.0.1:${server.port}`
  expect(await openMailer(`smtp://alarm%40example.com:p%23w@${address}`).send(outgoing(['a@b.com']))).toMatchObject({
    ok: true,
  })
  expect(server.mails[0]?.from).toBe('alarm@example.com')
  const refused = await openMailer(`smtp://alarm%40example.com:wrong@${address}`).send(outgoing(['a@b.com']))
  expect(refused).toMatchObject({ ok: false, code: 535, msg: expect.stringContaining('拒绝登录') })
  expect(refused.final).toBeUndefined()
  expect(server.mails).toHaveLength(1)
})

test('when the server refuses some recipients the others get it and the log can say who did not', async () => {
  const server = await openServer()
  const answer = await openMailer(`smtp://127.0.0.1:${server.port}`).send(
    outgoing(['a@example.com', 'gone@refused.test']),
  )
  expect(said(answer)).toMatchObject({ ok: true, warning: '部分收件人被拒绝：gone@refused.test' })
  expect(server.mails[0]?.to).toEqual(['a@example.com'])
})

test('when it refuses all of them for good there is no use in trying again, for now there is', async () => {
  const server = await openServer()
  const mailer = openMailer(`smtp://127.0.0.1:${server.port}`)
  expect(await mailer.send(outgoing(['gone@refused.test']))).toMatchObject({ ok: false, code: 550, final: true })
  const later = await mailer.send(outgoing(['busy@later.test']))
  expect(later).toMatchObject({ ok: false, code: 451 })
  expect(later.final).toBeUndefined()
})

test('without SMTP_URL a mail fails for good and says what is missing', async () => {
  const answer = await makeMailer(undefined, 1_000).send(outgoing(['a@example.com']))
  expect(answer).toMatchObject({ ok: false, final: true, msg: expect.stringContaining('SMTP_URL') })
})

test('a server that says nothing, and one that is not there, are failures within the time limit', async () => {
  const mute = createServer((socket) => socket.resume())
  mute.listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as { port: number }
  const slow = openMailer(`smtp://127.0.0.1:${port}`, 300)
  expect(await slow.send(outgoing(['a@example.com']))).toMatchObject({ ok: false, code: 0 })
  slow.close()
  mute.close()
  await once(mute, 'close')
  const gone = await openMailer(`smtp://127.0.0.1:${port}`).send(outgoing(['a@example.com']))
  expect(gone).toMatchObject({ ok: false, code: 0 })
  expect(gone.msg).toContain('邮件服务器')
})
