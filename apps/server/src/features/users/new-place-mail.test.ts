/** A sign-in from a new place is told by mail too, against a real mail server. */
import { login, updateUser } from '@ithings/contract/features/users.ts'
import { expect, onTestFinished, test } from 'vitest'
import { openMailServer } from '#features/notify/testing/mail-server.ts'
import { makeUser, type Person } from '#testing/people.ts'
import { openWorld } from '#testing/world.ts'

async function openPlace(smtpUrl: string) {
  const world = await openWorld({ config: { smtpUrl } })
  onTestFinished(() => world.close())
  const signInFrom = async ({ userName, password }: Person, ip: string, headers: Record<string, string> = {}) => {
    const body = { account: userName, password, pwdType: 1, loginType: 'pwd' }
    expect((await world.call(login, body, { ip, headers })).code).toBe(200)
  }
  const makePerson = async (email: string) => {
    const person = await makeUser(world)
    await world.asAdmin(updateUser, { userID: person.userID, email })
    return person
  }
  return { world, signInFrom, makePerson }
}

/** The text of a mail, however it was encoded. */
function textOf(mail: { text: string } | undefined): string {
  const [head = '', body = ''] = mail?.text.split('\r\n\r\n') ?? []
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  // Quoted-printable: bytes as =E4, lines folded behind a =.
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

test('who has an address is told once for a new place, and not for a known one or the first', async () => {
  const server = await openMailServer()
  onTestFinished(() => server.close())
  const { signInFrom, makePerson } = await openPlace(`smtp://127.0.0.1:${server.port}`)
  const person = await makePerson('person@example.com')
  const silent = await makePerson('')
  for (const ip of ['203.0.113.7', '203.0.113.7', '198.51.100.9']) {
    await signInFrom(silent, ip)
    await signInFrom(person, ip)
  }
  await expect.poll(() => server.mails.length).toBe(1)
  const [mail] = server.mails
  expect(mail?.to).toEqual(['person@example.com'])
  expect(textOf(mail)).toContain(`你的账号 ${person.userName} 于`)
  expect(textOf(mail)).toMatch(/于 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d 在新的地点登录。/)
  expect(textOf(mail)).toContain('198.51.100.9')
  // Whatever else had been sent meanwhile would be counted here.
  await signInFrom(person, '192.0.2.33')
  await expect.poll(() => server.mails.length).toBe(2)
  expect(textOf(server.mails[1])).toContain('192.0.2.33')
})

test('who has chosen English is told in English', async () => {
  const server = await openMailServer()
  onTestFinished(() => server.close())
  const { world, signInFrom, makePerson } = await openPlace(`smtp://127.0.0.1:${server.port}`)
  const person = await makePerson('person@example.com')
  await world.asAdmin(updateUser, { userID: person.userID, language: 'en_US' })
  for (const ip of ['203.0.113.7', '198.51.100.9']) await signInFrom(person, ip)
  await expect.poll(() => server.mails.length).toBe(1)
  expect(textOf(server.mails[0])).toContain(`Your account ${person.userName} signed in from a new place`)
  expect(textOf(server.mails[0])).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC[+-]\d/)
  expect(textOf(server.mails[0])).not.toMatch(/\p{Script=Han}/u)
})

test('who has chosen no language is told in that of his browser', async () => {
  const server = await openMailServer()
  onTestFinished(() => server.close())
  const { world, signInFrom, makePerson } = await openPlace(`smtp://127.0.0.1:${server.port}`)
  const english = { 'accept-language': 'en-US,en;q=0.9' }
  const person = await makePerson('person@example.com')
  for (const ip of ['203.0.113.7', '198.51.100.9']) await signInFrom(person, ip, english)
  await expect.poll(() => server.mails.length).toBe(1)
  expect(textOf(server.mails[0])).toContain(`Your account ${person.userName} signed in from a new place`)
  await world.asAdmin(updateUser, { userID: person.userID, language: 'zh_CN' })
  await signInFrom(person, '192.0.2.33', english)
  await expect.poll(() => server.mails.length).toBe(2)
  expect(textOf(server.mails[1])).toContain(`你的账号 ${person.userName} 于`)
})

test('a mail server that is away, or an address that it refuses, does not hold up the sign-in', async () => {
  const away = await openMailServer()
  await away.close()
  const { signInFrom, makePerson } = await openPlace(`smtp://127.0.0.1:${away.port}`)
  const person = await makePerson('person@refused.test')
  for (const ip of ['203.0.113.7', '198.51.100.9']) await signInFrom(person, ip)
})
