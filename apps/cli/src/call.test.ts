import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { callPath } from './call.ts'
import { closedUrl, makePlace } from './testing/place.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  ends.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const ask = (url: string) => {
  const { place, said } = makePlace()
  return { said, answer: callPath(place, { url, key: 'itk_x' }, { path: '/api/v1/x' }, {}) }
}

test('a key that was used too much waits as long as it is told, and says so', async () => {
  let calls = 0
  const url = await answering((_request, response) => {
    calls++
    if (calls > 2) return response.end('{"code":200,"msg":"success","data":{"fine":true}}')
    response.writeHead(429, { 'retry-after': '0' })
    return response.end('{"code":900002,"msg":"请求过于频繁，请稍后再试"}')
  })
  const { answer, said } = ask(url)
  expect(await answer).toEqual({ fine: true })
  expect(said.err).toBe('请求过于频繁，0 秒后再试\n'.repeat(2))
})

test('after three tries it gives up with the sentence of the platform', async () => {
  const url = await answering((_request, response) => {
    response.writeHead(429, { 'retry-after': '0' })
    response.end('{"code":900002,"msg":"请求过于频繁，请稍后再试"}')
  })
  await expect(ask(url).answer).rejects.toMatchObject({ message: '请求过于频繁，请稍后再试（900002）', exitCode: 1 })
})

test('key and language are sent, and what came under data is handed back', async () => {
  const url = await answering(({ headers, method }, response) => {
    response.end(
      JSON.stringify({ code: 200, msg: 'success', data: [method, headers.authorization, headers['accept-language']] }),
    )
  })
  expect(await ask(url).answer).toEqual(['POST', 'Bearer itk_x', 'zh'])
})

test.each([
  ['a page of somebody else', 200, '<html>', {}, /的回答不是 iThings 平台的（HTTP 200）/, 1],
  ['a gateway without a platform', 502, 'Bad Gateway', {}, /（HTTP 502）/, 69],
  ['a redirection', 301, '', { location: 'https://elsewhere/' }, /转向 https:\/\/elsewhere\//, 1],
  ['a wrong key', 401, '{"code":100005,"msg":"API 密钥无效"}', {}, /^API 密钥无效（100005）$/, 77],
  ['a missing right', 403, '{"code":100012,"msg":"权限不足"}', {}, /^权限不足（100012）$/, 77],
  ['words that steer the terminal', 400, '{"code":100006,"msg":"a\\u001b[31mb"}', {}, /^a�\[31mb（100006）$/, 1],
])('%s is one sentence', async (_name, status, text, headers, message, exitCode) => {
  const url = await answering((_request, response) => {
    response.writeHead(status, headers as Record<string, string>)
    response.end(text)
  })
  await expect(ask(url).answer).rejects.toMatchObject({ message: expect.stringMatching(message), exitCode })
})

test('no platform, no such host and no TLS are told apart', async () => {
  const url = await answering(() => undefined)
  await expect(ask(await closedUrl()).answer).rejects.toMatchObject({
    message: expect.stringMatching(/没有程序在监听/),
    exitCode: 69,
  })
  await expect(ask('http://no-such-host.invalid').answer).rejects.toMatchObject({ exitCode: 69 })
  await expect(ask(url.replace('http:', 'https:')).answer).rejects.toMatchObject({
    message: expect.stringMatching(/不使用 TLS/),
    exitCode: 69,
  })
})
