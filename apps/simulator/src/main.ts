/** npm run simulate: virtual devices from the platform's own list, or from a file. */
import { readFile } from 'node:fs/promises'
import contractTexts from '@ithings/contract/en.json' with { type: 'json' }
import moreContractTexts from '@ithings/contract/en-later.json' with { type: 'json' }
import { addTexts, toEnglish } from '@ithings/contract/english.ts'
import { terminalOf } from '@ithings/contract/terminal-language.ts'
import { fill, speakBy, t } from '@ithings/contract/text.ts'
import { type Orders, readCommandLine, usage } from './command-line.ts'
import texts from './en.json' with { type: 'json' }
import { readFleetFile } from './fleet-file.ts'
import { type Member, makePlatformApi } from './platform-api.ts'
import { type Fleet, simulateFleet } from './simulate-fleet.ts'

const language = terminalOf(process)
for (const one of [contractTexts, moreContractTexts, texts]) addTexts(one)
speakBy(language === 'zh' ? fill : toEnglish)

const statusEveryMs = 5_000

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function findMembers(orders: Orders): Promise<Member[]> {
  if (orders.file !== '') return readFleetFile(await readFile(orders.file, 'utf8')).slice(0, orders.count)
  const api = makePlatformApi(orders.http, orders.token, language)
  if (orders.token === '') {
    if (orders.password === '') throw new Error(t('请给出 --password 或 --token（--help 显示说明）'))
    await api.signIn(orders.account, orders.password)
  }
  return api.members({ productIDs: orders.productIDs, deviceNames: orders.deviceNames, limit: orders.count })
}

function start(members: Member[], { mqtt, options, rate }: Orders): Fleet {
  const { seed } = options
  return simulateFleet({
    connectsPerSecond: rate,
    members: members.map((member) => {
      const { productID, deviceName } = member.device
      // One seed for the run, other values for each device.
      const own = { ...options, language, ...(seed && { seed: `${seed}/${productID}/${deviceName}` }) }
      const { intervalMs, eventEveryMs, dialect, version, upgrade, remoteConfig } = options
      const spoken = { intervalMs, eventEveryMs, dialect, version, upgrade, remoteConfig, language }
      const children = member.children?.map((child) => ({ ...child, options: spoken }))
      return { url: mqtt, ...member, ...(children && { children }), options: own }
    }),
  })
}

function statusLine(fleet: Fleet, total: number): string {
  return t(
    '在线 {online}/{total}，连接 {connects} 次，发送 {sent}，确认 {acked}，成功 {accepted}，被拒 {refused}，命令 {commands}，升级 {upgrades}，配置 {configs}',
    { online: fleet.connected, total, ...fleet.counts() },
  )
}

/** Ends by the keyboard, by the system, or when the time is over. */
const theEnd = (seconds: number) =>
  new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    if (seconds > 0) setTimeout(resolve, seconds * 1000)
  })

async function main(): Promise<void> {
  const orders = readCommandLine(process.argv.slice(2))
  if (orders.help) return say(usage())
  const members = await findMembers(orders)
  if (members.length === 0) throw new Error(t('没有可以模拟的设备'))
  say(t('模拟 {count} 台设备，连接 {mqtt}，按 Ctrl+C 结束', { count: members.length, mqtt: orders.mqtt }))
  const fleet = start(members, orders)
  const status = setInterval(() => say(statusLine(fleet, members.length)), statusEveryMs)
  await theEnd(orders.seconds)
  clearInterval(status)
  await fleet.stop()
  say(statusLine(fleet, members.length))
}

try {
  await main()
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
