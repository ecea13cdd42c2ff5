/** What the command understands. */
import { parseArgs } from 'node:util'
import { Dialect } from '@ithings/contract/device/messages.ts'
import { t } from '@ithings/contract/text.ts'
import type { Faults, SimulateOptions, UpgradeOptions } from './options.ts'

/** Options of the command: its name, the word for its value, what it does. */
const described: ReadonlyArray<readonly [option: string, value: string, text: string]> = [
  ['--http', '<url>', '平台地址，默认 http://127.0.0.1:7777'],
  ['--mqtt', '<url>', 'MQTT 地址，默认 mqtt://127.0.0.1:1883（也可 mqtts://、ws://…/mqtt）'],
  ['--account', '<名称>', '账号，默认 administrator'],
  ['--password', '<密码>', '密码；平台要求验证码时改用 --token'],
  ['--token', '<令牌>', '已登录的令牌'],
  ['--product', '<id>', '只模拟这些产品的设备（可重复）'],
  ['--device', '<名称>', '只模拟这些设备（可重复）'],
  ['--count', '<n>', '最多 N 台，默认 100'],
  ['--file', '<文件>', '从 JSON 文件读取设备，不访问平台接口'],
  ['--interval', '<秒>', '上报间隔，默认 10'],
  ['--events', '<秒>', '平均多久一个事件，默认 300，0 为不发'],
  ['--seed', '<文本>', '相同的种子得到相同的数据'],
  ['--dialect', '<写法>', 'snake（默认）或 camel'],
  ['--version', '<版本>', '上线时上报的固件版本（主模块）'],
  ['--module', '<名称=版本>', '其他模块的版本，如 wifi=1.0.0（可重复）'],
  ['--upgrade-step', '<秒>', '升级时两次上报进度的间隔，默认 1'],
  ['--upgrade-download', '', '升级时真的下载文件（分段）并校验；不给时只报进度'],
  ['--upgrade-fail', '<比例>', '升级失败的比例 0 到 1；2.0.0=0.3 只对该目标版本（可重复）'],
  ['--upgrade-restart', '<秒>', '升级后离线这么久，再以新版本上线；默认不离线'],
  ['--upgrade-leave', '<秒>', '上报新版本这么久后离线（观察期不通过）'],
  ['--upgrade-back', '<秒>', '那样离线这么久后以旧版本上线；默认不再上线'],
  ['--no-config', '', '上线时不获取远程配置，也不接收下发'],
  ['--command-fail', '<比例>', '指令回复失败的比例 0 到 1'],
  ['--command-silent', '<比例>', '指令不回复的比例 0 到 1'],
  ['--rate', '<n>', '每秒连接数，默认 200'],
  ['--faults', '<列表>', '故障，逗号分隔：{faults}'],
  ['--seconds', '<n>', '运行 N 秒后结束，默认一直运行'],
  ['--help', '', '显示本说明'],
]

/** Chinese characters are two columns wide. */
const widthOf = (text: string) => text.replaceAll(/\p{Script=Han}/gu, '  ').length

/** In the language of the terminal. */
export function usage(): string {
  const faults = Object.keys(faultWords).join(t('、'))
  const rows = described.map(([option, value, text]) => [`${option} ${t(value)}`.trim(), t(text, { faults })] as const)
  const widest = Math.max(...rows.map(([option]) => widthOf(option)))
  const lines = rows.map(([option, text]) => `  ${option}${' '.repeat(widest + 2 - widthOf(option))}${text}`)
  return [
    t('模拟设备：按产品的物模型运行虚拟设备'),
    '',
    t('用法：{command} [选项]', { command: 'npm run simulate --' }),
    ...lines,
    '',
  ].join('\n')
}

/** Each by one word: rare enough to leave most of the data whole. */
const faultWords: Record<string, Faults> = {
  drop: { dropEveryMs: 60_000 },
  flap: { flap: { upMs: 30_000, downMs: 15_000 } },
  badJson: { badJson: 0.1 },
  wrongType: { wrongType: 0.1 },
  outOfRange: { outOfRange: 0.1 },
  duplicate: { duplicate: 0.2 },
  skew: { clockSkewMs: 20 * 60_000 },
  slow: { reply: 'slow' },
  silent: { reply: 'none' },
  error: { reply: 'error' },
  upgrade: { upgradeFailsAt: 60 },
}

export interface Orders {
  help: boolean
  http: string
  mqtt: string
  account: string
  password: string
  token: string
  file: string
  productIDs: string[]
  deviceNames: string[]
  count: number
  rate: number
  /** 0: without end. */
  seconds: number
  options: SimulateOptions
}

function numberOf(text: string, name: string, least: number): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value < least)
    throw new Error(t('--{name} 须为不小于 {least} 的数字，收到 {text}', { name, least, text }))
  return value
}

function shareOf(text: string, name: string): number {
  const share = numberOf(text, name, 0)
  if (share > 1) throw new Error(t('--{name} 须为 0 到 1 的数字，收到 {text}', { name, text }))
  return share
}

/** name=value texts; those without a name are left out. */
const pairsOf = (list: readonly string[]): Array<[string, string]> =>
  list
    .filter((one) => one.includes('='))
    .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])

function modulesOf(list: readonly string[]): Record<string, string> {
  const bad = list.find((one) => !/^[^=]+=.+$/.test(one))
  if (bad !== undefined) throw new Error(t('--module 须为 名称=版本，收到 {text}', { text: bad }))
  return Object.fromEntries(pairsOf(list))
}

interface UpgradeWords {
  http: string
  'upgrade-step': string
  'upgrade-download': boolean
  'upgrade-fail': string[]
  'upgrade-restart': string
  'upgrade-leave'?: string
  'upgrade-back'?: string
}
function upgradeOf(words: UpgradeWords): UpgradeOptions {
  const fail = words['upgrade-fail']
  const general = fail.filter((one) => !one.includes('=')).at(-1)
  const leave = words['upgrade-leave']
  const back = words['upgrade-back']
  return {
    stepMs: numberOf(words['upgrade-step'], 'upgrade-step', 0) * 1000,
    download: words['upgrade-download'],
    http: words.http,
    failShare: general === undefined ? 0 : shareOf(general, 'upgrade-fail'),
    failShareOf: Object.fromEntries(pairsOf(fail).map(([version, share]) => [version, shareOf(share, 'upgrade-fail')])),
    restartMs: numberOf(words['upgrade-restart'], 'upgrade-restart', 0) * 1000,
    ...(leave !== undefined && { leaveAfterMs: numberOf(leave, 'upgrade-leave', 0) * 1000 }),
    ...(back !== undefined && { awayMs: numberOf(back, 'upgrade-back', 0) * 1000, rollBack: true }),
  }
}

function faultsOf(list: string): Faults {
  const words = list.split(',').filter((word) => word !== '')
  const unknown = words.find((word) => !(word in faultWords))
  if (unknown) throw new Error(t('--faults 不认识 {text}', { text: unknown }))
  return Object.assign({}, ...words.map((word) => faultWords[word]))
}

function dialectOf(text: string): Dialect {
  if (text !== 'snake' && text !== 'camel') throw new Error(t('--dialect 须为 snake 或 camel，收到 {text}', { text }))
  return Dialect[text]
}

export function readCommandLine(args: string[]): Orders {
  const { values } = parseArgs({
    args,
    options: {
      http: { type: 'string', default: 'http://127.0.0.1:7777' },
      mqtt: { type: 'string', default: 'mqtt://127.0.0.1:1883' },
      account: { type: 'string', default: 'administrator' },
      password: { type: 'string', default: '' },
      token: { type: 'string', default: '' },
      product: { type: 'string', multiple: true, default: [] },
      device: { type: 'string', multiple: true, default: [] },
      count: { type: 'string', default: '100' },
      file: { type: 'string', default: '' },
      interval: { type: 'string', default: '10' },
      events: { type: 'string', default: '300' },
      seed: { type: 'string', default: '' },
      dialect: { type: 'string', default: 'snake' },
      version: { type: 'string' },
      module: { type: 'string', multiple: true, default: [] },
      'upgrade-step': { type: 'string', default: '1' },
      'upgrade-download': { type: 'boolean', default: false },
      'upgrade-fail': { type: 'string', multiple: true, default: [] },
      'upgrade-restart': { type: 'string', default: '0' },
      'upgrade-leave': { type: 'string' },
      'upgrade-back': { type: 'string' },
      'no-config': { type: 'boolean', default: false },
      'command-fail': { type: 'string', default: '0' },
      'command-silent': { type: 'string', default: '0' },
      rate: { type: 'string', default: '200' },
      faults: { type: 'string', default: '' },
      seconds: { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    help: values.help,
    http: values.http,
    mqtt: values.mqtt,
    account: values.account,
    password: values.password,
    token: values.token,
    file: values.file,
    productIDs: values.product,
    deviceNames: values.device,
    count: numberOf(values.count, 'count', 1),
    rate: numberOf(values.rate, 'rate', 1),
    seconds: numberOf(values.seconds, 'seconds', 0),
    options: {
      intervalMs: numberOf(values.interval, 'interval', 0.01) * 1000,
      eventEveryMs: numberOf(values.events, 'events', 0) * 1000,
      dialect: dialectOf(values.dialect),
      faults: {
        ...faultsOf(values.faults),
        failedReplies: shareOf(values['command-fail'], 'command-fail'),
        silentReplies: shareOf(values['command-silent'], 'command-silent'),
      },
      modules: modulesOf(values.module),
      upgrade: upgradeOf(values),
      remoteConfig: !values['no-config'],
      ...(values.seed && { seed: values.seed }),
      ...(values.version && { version: values.version }),
    },
  }
}
