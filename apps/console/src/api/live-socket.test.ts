import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import { liveUrl } from './live.ts'
import { type LivePauses, makeLiveSocket } from './live-socket.ts'

const ends: Array<() => void> = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

interface Visit {
  ws: ServerSocket
  protocols: string
  said: string[]
  closed: boolean
}

/** A server that agrees to every topic and keeps what it was told. */
async function setUp(
  pauses: Partial<LivePauses> = {},
  refuse: (token: string) => number | undefined = () => undefined,
) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  ends.push(() => {
    for (const ws of server.clients) ws.terminate()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const visits: Visit[] = []
  server.on('connection', (ws, request: IncomingMessage) => {
    const protocols = String(request.headers['sec-websocket-protocol'])
    const visit: Visit = { ws, protocols, said: [], closed: false }
    visits.push(visit)
    ws.on('close', () => {
      visit.closed = true
    })
    const code = refuse(protocols.split(',').at(-1) ?? '')
    if (code) return ws.close(code)
    ws.on('message', (data) => {
      const { op, topic } = JSON.parse(String(data))
      visit.said.push(`${op} ${topic}`)
      if (op === 'sub') ws.send(JSON.stringify({ topic, at: 1 }))
    })
  })
  const page = { visible: true, listeners: new Set<() => void>(), token: 't1' }
  const live = makeLiveSocket({
    url: () => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: () => page.token,
    visible: () => page.visible,
    onVisible: (listener) => {
      page.listeners.add(listener)
      return () => page.listeners.delete(listener)
    },
    pauses: { first: 20, longest: 40, linger: 20, hidden: 20, ...pauses },
  })
  const see = (visible: boolean) => {
    page.visible = visible
    for (const listener of page.listeners) listener()
  }
  const heard: unknown[] = []
  const watch = (topic: string) => {
    const end = live.watch(topic, (changes) => heard.push([topic, changes]))
    ends.push(end)
    return end
  }
  return { live, visits, page, see, watch, heard }
}

test('nothing is opened before somebody watches; then one socket with the token serves all topics', async () => {
  const { live, visits, watch, heard } = await setUp()
  expect(visits).toHaveLength(0)
  watch('device/p/a')
  watch('device/p/b')
  await expect.poll(live.connected).toBe(true)
  await expect.poll(() => visits[0]?.said).toEqual(['sub device/p/a', 'sub device/p/b'])
  expect(visits).toHaveLength(1)
  expect(visits[0]?.protocols).toMatch(/^ithings-live, ?t1$/)
  expect(heard).toContainEqual(['device/p/a', undefined])
})

test('it opens ahead for who will watch soon, who then says so at once; without anybody it closes again', async () => {
  const { live, visits, watch } = await setUp({ linger: 60_000 })
  live.expect()
  await expect.poll(() => visits[0]?.ws.readyState).toBe(WebSocket.OPEN)
  watch('device/p/a')
  await expect.poll(() => visits[0]?.said).toEqual(['sub device/p/a'])
  expect(visits).toHaveLength(1)

  const alone = await setUp()
  alone.live.expect()
  await expect.poll(() => alone.visits[0]?.closed).toBe(true)
})

test('a notice reaches the listeners of its topic only', async () => {
  const { live, visits, watch, heard } = await setUp()
  watch('device/p/a')
  watch('device/p/b')
  await expect.poll(() => heard.length).toBe(2)
  visits[0]?.ws.send('not json')
  visits[0]?.ws.send(JSON.stringify({ topic: 'device/p/a', at: 1, code: 100012, msg: '权限不足' }))
  visits[0]?.ws.send(JSON.stringify({ topic: 'device/p/b', at: 1, changes: ['values'] }))
  await expect.poll(() => heard.at(-1)).toEqual(['device/p/b', ['values']])
  expect(heard).toHaveLength(3)
  expect(live.connected()).toBe(true)
})

test('two parts of a screen share a topic; it ends with the last of them', async () => {
  const { visits, watch } = await setUp({ linger: 60_000 })
  const first = watch('device/p/a')
  const second = watch('device/p/a')
  await expect.poll(() => visits[0]?.said).toEqual(['sub device/p/a'])
  first()
  first()
  watch('device/p/b')
  await expect.poll(() => visits[0]?.said.at(-1)).toBe('sub device/p/b')
  second()
  await expect.poll(() => visits[0]?.said.slice(2)).toEqual(['unsub device/p/a'])
})

test('the socket closes a while after its last topic', async () => {
  const { live, visits, watch } = await setUp()
  const end = watch('device/p/a')
  await expect.poll(live.connected).toBe(true)
  end()
  await expect.poll(() => visits[0]?.closed).toBe(true)
  expect(live.connected()).toBe(false)
})

test('after a break it comes back with the token of the moment and watches everything again', async () => {
  const { live, visits, page, watch, heard } = await setUp()
  const states: boolean[] = []
  live.onState(() => states.push(live.connected()))
  watch('device/p/a')
  await expect.poll(live.connected).toBe(true)
  page.token = 't2'
  visits[0]?.ws.terminate()
  await expect.poll(() => visits[1]?.said).toEqual(['sub device/p/a'])
  expect(visits[1]?.protocols).toMatch(/t2$/)
  await expect
    .poll(() => heard)
    .toEqual([
      ['device/p/a', undefined],
      ['device/p/a', undefined],
    ])
  expect(states).toEqual([true, false, true])
})

test('a refused token (4401) is not sent again; the renewed one is', async () => {
  const { live, visits, page, watch } = await setUp({}, (token) => (token.includes('old') ? 4401 : undefined))
  page.token = 'old'
  watch('device/p/a')
  await expect.poll(() => visits[0]?.closed).toBe(true)
  page.token = 'old2'
  await expect.poll(() => visits.length).toBe(2)
  page.token = 'good'
  await expect.poll(live.connected).toBe(true)
  expect(visits.map(({ protocols }) => protocols.split(/, ?/)[1])).toEqual(['old', 'old2', 'good'])
})

test('a full server is asked again and again, and never taken for connected', async () => {
  const { live, visits, watch } = await setUp({}, () => 1013)
  const states: boolean[] = []
  live.onState(() => states.push(live.connected()))
  watch('device/p/a')
  await expect.poll(() => visits.length).toBeGreaterThanOrEqual(3)
  expect(states).toEqual([])
})

test('without a token nothing is opened', async () => {
  const { visits, page, watch } = await setUp()
  page.token = ''
  watch('device/p/a')
  page.token = 't9'
  await expect.poll(() => visits.length).toBe(1)
  expect(visits[0]?.protocols).toMatch(/t9$/)
})

test('a hidden page lets go of the socket, a seen one takes it up again', async () => {
  const { live, visits, see, watch } = await setUp()
  watch('device/p/a')
  await expect.poll(live.connected).toBe(true)
  see(false)
  await expect.poll(() => visits[0]?.closed).toBe(true)
  watch('device/p/b')
  see(true)
  await expect.poll(() => visits[1]?.said).toEqual(['sub device/p/a', 'sub device/p/b'])
})

test('a page that was hidden for a moment only keeps its socket', async () => {
  const { live, visits, see, watch } = await setUp({ hidden: 60_000 })
  watch('device/p/a')
  await expect.poll(live.connected).toBe(true)
  see(false)
  see(true)
  watch('device/p/b')
  await expect.poll(() => visits[0]?.said).toEqual(['sub device/p/a', 'sub device/p/b'])
  expect(visits).toHaveLength(1)
})

test('the address follows the page, or the fixed host of the platform', () => {
  expect(liveUrl('', 'https://iot.example/front/iThingsCore/home?x=1#y')).toBe('wss://iot.example/api/v1/live')
  expect(liveUrl('http://other:7777', 'https://iot.example/')).toBe('ws://other:7777/api/v1/live')
})
