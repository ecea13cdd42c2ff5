/** watch: what a device reports, as it comes. The platform says that something changed, then the values are read again. */
import { setTimeout as pause } from 'node:timers/promises'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { deviceTopic, LiveClose, liveNotice, livePath, liveProtocol } from '@ithings/contract/features/live.ts'
import { t } from '@ithings/contract/text.ts'
import type { Command } from 'commander'
import { call, type Target } from './call.ts'
import { commonFlags } from './endpoint-command.ts'
import { ExitCode, Failure, usageFailure } from './failure.ts'
import type { Given } from './flags.ts'
import { type Place, say, tell } from './place.ts'
import { findTarget } from './profiles.ts'
import { harmless, pad } from './width.ts'

interface Device {
  productID: string
  deviceName: string
}
interface Line {
  timestamp: number
  dataID: string
  value: string
}

const pauses = { first: 1_000, longest: 30_000 }
const online = { 1: 'online', 2: 'offline' } as Readonly<Record<number, string>>

/** Hands out what is new since the last time it was asked. */
function makeReader(place: Place, target: Target, device: Device) {
  const seen = new Map<string, string>()
  let presence: number | undefined
  const isNew = ({ dataID, timestamp, value }: Line) => {
    const mark = `${timestamp} ${value}`
    if (seen.get(dataID) === mark) return false
    seen.set(dataID, mark)
    return true
  }
  return async (changes: readonly string[] | undefined): Promise<Line[]> => {
    const lines: Line[] = []
    if (!changes || changes.includes('presence')) {
      const { isOnline } = await call(place, target, readDevice, device)
      if (isOnline !== presence) lines.push({ timestamp: Date.now(), dataID: '$status', value: online[isOnline] ?? '' })
      presence = isOnline
    }
    if (!changes || changes.includes('values')) {
      const { list } = await call(place, target, listLatest, device)
      const reported = list.filter(({ timestamp }) => timestamp !== '0')
      const read = reported.map((one) => ({ ...one, timestamp: Number(one.timestamp) }))
      lines.push(...read.filter(isNew).toSorted((a, b) => a.timestamp - b.timestamp))
    }
    return lines
  }
}

function show(place: Place, { timestamp, dataID, value }: Line, json: unknown) {
  if (json) return say(place, JSON.stringify({ timestamp, dataID, value }))
  const time = new Date(timestamp).toTimeString().slice(0, 8)
  const shown = dataID === '$status' ? t(value === 'online' ? '上线' : '下线') : harmless(value)
  say(place, `${time}  ${pad(harmless(dataID), 20)}  ${shown}`)
}

/** One socket, until it ends. @param heard is told one notice after the other; true: enough */
function listen(
  { url, key }: Target,
  topic: string,
  signal: AbortSignal,
  heard: (changes: readonly string[] | undefined) => Promise<boolean>,
): Promise<'enough' | 'again'> {
  const address = new URL(livePath, url)
  address.protocol = address.protocol.replace('http', 'ws')
  const { promise, resolve, reject } = Promise.withResolvers<'enough' | 'again'>()
  const socket = new WebSocket(address, [liveProtocol, key])
  let turn = Promise.resolve()
  const end = () => resolve('enough')
  signal.addEventListener('abort', end, { once: true })
  socket.addEventListener('open', () => socket.send(JSON.stringify({ op: 'sub', topic })))
  socket.onmessage = ({ data }) => {
    const { data: notice } = liveNotice.safeParse(JSON.parse(String(data)))
    if (notice?.code)
      return reject(new Failure(t('{msg}（{code}）', { msg: notice.msg, code: notice.code }), ExitCode.denied))
    turn = turn.then(async () => void ((await heard(notice?.changes)) && end())).catch(reject)
  }
  socket.addEventListener('close', ({ code }) => {
    if (code === LiveClose.signedOut) reject(new Failure(t('密钥无效、已过期或已撤销'), ExitCode.denied))
    else resolve('again')
  })
  socket.addEventListener('error', () => resolve('again'))
  return promise.finally(() => {
    signal.removeEventListener('abort', end)
    socket.close()
  })
}

async function watch(place: Place, device: Device, given: Given): Promise<void> {
  const most = given.count === undefined ? Number.POSITIVE_INFINITY : Number(given.count)
  if (!(most >= 1)) throw usageFailure(t('{flag} 须为整数，收到 {text}', { flag: '--count', text: given.count }))
  const target = await findTarget(place, given.profile as string | undefined)
  const read = makeReader(place, target, device)
  let shown = 0
  let wait = pauses.first
  const heard = async (changes: readonly string[] | undefined) => {
    wait = pauses.first
    for (const line of await read(changes)) {
      if (shown < most) show(place, line, given.json)
      shown++
    }
    return shown >= most
  }
  // Before the socket: who may not read the device is told so in words.
  if (await heard(undefined)) return
  for (;;) {
    if ((await listen(target, deviceTopic(device), place.signal, heard)) === 'enough') return
    tell(place, t('连接中断，{count} 秒后再连', { count: wait / 1000 }))
    await pause(wait, undefined, { signal: place.signal }).catch(() => undefined)
    if (place.signal.aborted) return
    wait = Math.min(wait * 2, pauses.longest)
  }
}

export function addWatch(program: Command, place: Place): void {
  commonFlags(
    program
      .command('watch')
      .description(t('设备的值，随时显示，Ctrl+C 结束'))
      .argument('<productID>')
      .argument('<deviceName>')
      .option('--count <n>', t('显示这么多行后结束')),
  ).action((productID: string, deviceName: string, given: Given) => watch(place, { productID, deviceName }, given))
}
