/** The program itself as a process of its own, with a pump station product and as many devices as a row needs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clientIDOf, passwordOf, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { login } from '@ithings/contract/features/users.ts'
import type pg from 'pg'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const password = 'Bench-2026'
const secret = Buffer.alloc(20, 7).toString('base64')

const tsl = JSON.stringify({
  properties: [
    { identifier: 'level', name: '液位', mode: 'r', define: { type: 'float', min: '0', max: '6', unit: 'm' } },
    { identifier: 'flow', name: '流量', mode: 'r', define: { type: 'float', min: '0', max: '1000', unit: 'm³/h' } },
    { identifier: 'pump_on', name: '水泵', mode: 'rw', define: { type: 'bool', mapping: { 0: '停', 1: '开' } } },
  ],
})

export interface BenchPlatform {
  child: ChildProcess
  origin: string
  mqttPort: number
}

/** @param env DATA_DIR, and DATABASE_URL unless it brings its own database */
export async function startPlatform(env: Record<string, string>): Promise<BenchPlatform> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(process.execPath, [join(root, 'apps/server/src/main.ts')], {
    env: {
      ...inherited,
      LC_ALL: 'C',
      HOST: '127.0.0.1',
      PORT: '0',
      MQTT_PORT: '0',
      CAPTCHA: 'off',
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  const ready = /ready:\s+(\S+)\/front[\s\S]*mqtt:\/\/\S+:(\d+)/
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-10_000)
      if (ready.test(printed)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the platform ended with ${code}: ${printed}`)))
  })
  const [, origin = '', port = ''] = ready.exec(printed) ?? []
  return { child, origin, mqttPort: Number(port) }
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

export type Post = (path: string, body: unknown) => Promise<Record<string, unknown>>

/** Signed in as administrator. */
export async function openSession(origin: string): Promise<{ post: Post; token: string }> {
  let token = ''
  const post: Post = async (path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'iThings-token': token },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { code: number; msg: string; data: Record<string, unknown> }
    if (answer.code !== 200) throw new Error(`${path}: ${answer.msg}`)
    return answer.data
  }
  const signedIn = await post(login.path, { account: 'administrator', password, pwdType: 1, loginType: 'pwd' })
  token = (signedIn.token as { accessToken: string }).accessToken
  return { post, token }
}

export const signIn = async (origin: string): Promise<Post> => (await openSession(origin)).post

/** A product and devices d0, d1, ... that all have one secret. */
export async function makeStations(post: Post, database: pg.Client, devices: number): Promise<string> {
  const { productID } = await post(createProduct.path, { productName: '泵站' })
  await post(importTsl.path, { productID, tsl })
  await database.query(
    `insert into device (product_id, device_name, secret)
     select $1, 'd' || i, $2 from generate_series(0, $3::int - 1) as i`,
    [productID, secret, devices],
  )
  return productID as string
}

export interface StationClient {
  clientID: string
  userName: string
  password: string
  topic: string
}

export const stationClient = (productID: string, number: number): StationClient => {
  const deviceName = `d${number}`
  const clientID = clientIDOf({ productID, deviceName })
  const userName = userNameOf(clientID, 'BENCH', Math.floor(Date.now() / 1000) + 86_400)
  const signed = passwordOf(userName, secret, SignMethod.sha256)
  return { clientID, userName, password: signed, topic: `$thing/up/property/${productID}/${deviceName}` }
}
