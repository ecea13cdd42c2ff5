import { execFileSync } from 'node:child_process'
import { clientIDOf } from '@ithings/contract/device/credentials.ts'
import { expect, test } from 'vitest'
import { connectionSamples, userNameForm } from './connection-card-code.ts'

const at = {
  host: 'iot.example',
  port: 1883,
  productID: '254pwnKQsvK',
  deviceName: 'test5',
  payload: '{"method":"report","params":{"note":"it\'s on"}}',
}
// device-protocol.md 11, login sha256.
const secret = 'AAECAwQFBgcICQoLDA0ODxAREhM='
const userName = '254pwnKQsvKtest5;12010126;ABCDE;1700000000'
const password = '3c225c0a16eda6be250ec33f72603ca70aa76187e0356599cbb2c61b28cae0ee;hmacsha256'

const codeOf = (key: string) => connectionSamples(at).find((sample) => sample.key === key)?.code ?? ''

test('device-protocol.md 2: client id and user name', () => {
  expect(clientIDOf(at)).toBe('254pwnKQsvKtest5')
  expect(userNameForm(clientIDOf(at))).toBe('254pwnKQsvKtest5;12010126;{connid};{expiry}')
})

test('device-protocol.md 11: the Node program makes the password of the test vector', () => {
  const upToPassword = codeOf('node').split('const client =')[0] ?? ''
  const program = upToPassword
    .replace("import mqtt from 'mqtt'", '')
    .replace('设备密钥', secret)
    .replace(/const username = .*/, `const username = '${userName}'`)
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', `${program}\nconsole.log(password)`])
  expect(out.toString().trim()).toBe(password)
})

test('every program names host, port, client id and topic of this device', () => {
  for (const { code } of connectionSamples(at)) {
    for (const part of ['iot.example', '1883', '254pwnKQsvKtest5', '$thing/up/property/254pwnKQsvK/test5']) {
      expect(code).toContain(part)
    }
  }
})

test('a payload with quotes stays one argument of the shell', () => {
  const argument = /-m (.*)/.exec(codeOf('mosquitto'))?.[1] ?? ''
  expect(execFileSync('sh', ['-c', `printf %s ${argument}`]).toString()).toBe(at.payload)
})
