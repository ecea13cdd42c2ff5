/** Everything the environment decides (configuration.md), checked once at start. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { phrase, t } from '@ithings/contract/text.ts'
import * as z from 'zod'
import type { BrokerLimits } from '#engines/aedes/limits.ts'
import { natsUrlForm, readNatsUrl } from '#engines/nats-signal/nats-address.ts'
import type { NatsAddress } from '#engines/nats-signal/nats-signal.ts'
import { readS3Place, type S3Place } from '#engines/s3-files/s3-place.ts'
import { isNetwork, isSmtpUrl } from '#features/notify/address-guard.ts'
import type { TrustProxy } from '#http/client-address.ts'
import { databaseHosts } from '#ports/database-hosts.ts'
import { keyForm, parseKey } from '#secret-key/key-file.ts'
import { inTerminal, spokenLanguage, TerminalError, wordsOf } from '#terminal.ts'
import { readUpstream, type UpstreamSettings, upstreamEnvironment } from './upstream-config.ts'

const empty = (value: unknown) => (value === '' ? undefined : value)
const optionalText = z.preprocess(empty, z.string().optional())
const port = (fallback: number) => z.preprocess(empty, z.coerce.number().int().min(0).max(65_535).default(fallback))
const atLeastOne = (fallback: number) =>
  z.preprocess(empty, z.coerce.number().int().min(1).max(10_000_000).default(fallback))
const onOff = (fallback: 'on' | 'off') =>
  z.preprocess(empty, z.enum(['on', 'off']).default(fallback)).transform((value) => value === 'on')

const commaList = z.preprocess(empty, z.string().default('')).transform((list) =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
const faultOfHosts = (url: string): string | undefined => {
  try {
    databaseHosts(url)
    return undefined
  } catch (error) {
    return inTerminal(wordsOf(error))
  }
}

const webAddress = z.preprocess(
  empty,
  z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
)

const environment = z.object({
  PORT: port(7777),
  MQTT_PORT: port(1883),
  MQTTS_PORT: port(8883),
  MQTT_PROXY_PROTOCOL: onOff('off'),
  MQTT_CONNECTIONS: atLeastOne(50_000),
  MQTT_CONNECT_RATE: atLeastOne(1_000),
  MQTT_DEVICE_RATE: atLeastOne(100),
  MQTT_GATEWAY_RATE: atLeastOne(5_000),
  MEMORY_DEVICES: atLeastOne(100_000),
  HOST: z.preprocess(empty, z.string().default('0.0.0.0')),
  DATA_DIR: z.preprocess(empty, z.string().default('./data')).transform((dir) => resolve(dir)),
  NATS_URL: z.preprocess(
    empty,
    z
      .string()
      .refine((text) => readNatsUrl(text) !== undefined, natsUrlForm)
      .transform(readNatsUrl)
      .optional(),
  ),
  NATS_CREDS_FILE: optionalText,
  ...upstreamEnvironment,
  DATABASE_URL: optionalText.superRefine((url, context) => {
    const fault = url && faultOfHosts(url)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  }),
  DATABASE_CONNECTIONS: z.preprocess(empty, z.coerce.number().int().min(5).max(500).default(20)),
  FILES_DIR: optionalText,
  FILES_URL: optionalText,
  S3_ENDPOINT: webAddress,
  S3_PUBLIC_ENDPOINT: webAddress,
  S3_REGION: z.preprocess(empty, z.string().default('us-east-1')),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  S3_CREDENTIALS_FILE: optionalText,
  SECRET_KEY: z.preprocess(
    empty,
    z
      .string()
      .refine((text) => parseKey(text) !== undefined, keyForm)
      .transform(parseKey)
      .optional(),
  ),
  SECRET_KEY_FILE: optionalText,
  ADMIN_PASSWORD: optionalText,
  CAPTCHA: onOff('on'),
  MAP_ACCESS_KEY: z.preprocess(empty, z.string().default('')),
  TLS_CERT: optionalText,
  TLS_KEY: optionalText,
  HSTS: onOff('off'),
  TRUST_PROXY: z.preprocess(empty, z.string().default('')),
  CORS_ORIGINS: commaList,
  PUBLIC_URL: webAddress,
  METRICS_TOKEN: optionalText,
  DISK_BUDGET: z.preprocess(empty, z.coerce.number().int().positive().optional()),
  EMQX_HOOK_SECRET: optionalText,
  SMTP_URL: z.preprocess(
    empty,
    z.string().refine(isSmtpUrl, '应写成 smtp://user:password@host:port 或 smtps://...').optional(),
  ),
  WEBHOOK_ALLOW: commaList.refine((list) => list.every(isNetwork), '应为 10.0.0.0/8 这样的网段，用逗号分隔'),
  OTA_BANDWIDTH: z.preprocess(empty, z.coerce.number().int().min(1024).optional()),
  PWA: onOff('off'),
  TOKEN_LIFE: z.preprocess(empty, z.coerce.number().int().min(2).max(2_592_000).default(3600)),
  DRAIN_SECONDS: z.preprocess(empty, z.coerce.number().int().min(0).max(3600).default(0)),
  SESSION_DAYS: z.preprocess(empty, z.coerce.number().int().min(0).max(3650).default(30)),
  LOG_LEVEL: z.preprocess(
    empty,
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
})

export interface Config {
  port: number
  mqttPort: number
  /** Used with TLS_CERT and TLS_KEY only. */
  mqttsPort: number
  /** Connections of devices begin with the header of a balancer that trustProxy believes. */
  mqttProxyProtocol: boolean
  /** Bursts follow from the rates. */
  mqttLimits: Pick<
    BrokerLimits,
    | 'connections'
    | 'connectRate'
    | 'connectBurst'
    | 'messageRate'
    | 'messageBurst'
    | 'gatewayMessageRate'
    | 'gatewayMessageBurst'
  >
  /** Devices that are kept in memory: newest values, what they sent lately, who they are. */
  memoryDevices: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  /** What carries the notices between servers; undefined: the database. */
  nats: NatsAddress | undefined
  /** A broker that others run, beside the one inside. */
  upstream: UpstreamSettings | undefined
  /** Of the pool; those with a purpose of their own come on top (connectionsOf). */
  databaseConnections: number
  /** Stored files; with `s3` only those on their way there. */
  filesDir: string
  s3: S3Place | undefined
  /** Seals secrets in the database; undefined: the one in secretKeyFile, else one in DATA_DIR that the first start makes. */
  secretKey: Buffer | undefined
  secretKeyFile: string | undefined
  adminPassword: string | undefined
  captcha: boolean
  mapAccessKey: string
  tls: { cert: Buffer; key: Buffer } | undefined
  /** Strict-Transport-Security for a year, with subdomains. */
  hsts: boolean
  trustProxy: TrustProxy
  corsOrigins: string[]
  /** Base of links that devices get; undefined: from HOST and PORT. */
  publicUrl: string | undefined
  metricsToken: string | undefined
  /** Bytes that the database may take; undefined: as much as there is. */
  diskBudget: number | undefined
  emqxHookSecret: string | undefined
  /** Sends mails; undefined: there is none. `?from=` names the sender. */
  smtpUrl: string | undefined
  /** Inner networks that notifications may go to. */
  webhookAllow: string[]
  /** Bytes a second of one download of firmware; undefined: as fast as it goes. */
  otaBandwidth: number | undefined
  pwa: boolean
  tokenLifeSeconds: number
  /** How long devices are sent to other servers before this one stops. */
  drainSeconds: number
  /** How long a session lives, however often its token is renewed; 0: without end. */
  sessionDays: number
  logLevel: string
}

/** Two lanes of the journal, the notices, locks, and the number among the servers have connections of their own. */
const beyondPool = 5
/** Connections of PostgreSQL that a server may have open at the same time. */
export const connectionsOf = ({ databaseConnections, upstream }: Config): number =>
  databaseConnections + beyondPool + (upstream ? 1 : 0)

export class ConfigError extends TerminalError {}

function readTls(cert: string | undefined, key: string | undefined): Config['tls'] {
  if (!cert && !key) return undefined
  if (!cert || !key) throw new ConfigError(phrase('TLS_CERT 和 TLS_KEY 必须同时设置，或都不设置'))
  try {
    return { cert: readFileSync(cert), key: readFileSync(key) }
  } catch (cause) {
    throw new ConfigError(phrase('无法读取 TLS_CERT 或 TLS_KEY：{why}', { why: wordsOf(cause) }))
  }
}

function readNats(address: NatsAddress | undefined, credsFile: string | undefined): Config['nats'] {
  if (!credsFile) return address
  if (!address) throw new ConfigError(phrase('设置了 NATS_CREDS_FILE 就要设置 NATS_URL：它说明凭据用于哪些服务器'))
  if (address.user || address.token)
    throw new ConfigError(phrase('NATS_URL 里有用户名，又设置了 NATS_CREDS_FILE：凭据只能取自其中一处'))
  try {
    return { ...address, credentials: readFileSync(credsFile) }
  } catch (cause) {
    throw new ConfigError(phrase('无法读取 {variable}：{why}', { variable: 'NATS_CREDS_FILE', why: wordsOf(cause) }))
  }
}

function readS3(e: z.infer<typeof environment>): S3Place | undefined {
  if (!e.FILES_URL) return undefined
  const { S3_ENDPOINT: endpoint, S3_PUBLIC_ENDPOINT: publicEndpoint, S3_REGION: region } = e
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = e
  const credentialsFile = e.S3_CREDENTIALS_FILE
  const where = { url: e.FILES_URL, endpoint, publicEndpoint, region }
  return readS3Place({ ...where, accessKeyId, secretAccessKey, credentialsFile })
}

/** What it says is wrong is a sentence for the operator. */
function readOrSay<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new ConfigError(wordsOf(cause))
  }
}

/** One proxy unless more are counted or named: what is further left in the header anybody may have written. */
function trustProxy(text: string): TrustProxy {
  if (text === '' || text === 'off' || text === 'false') return false
  if (text === 'on' || text === 'true') return 1
  return /^\d+$/.test(text) ? Number(text) : text
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = environment.safeParse(
    env,
    spokenLanguage() === 'zh' ? { error: z.locales.zhCN().localeError } : undefined,
  )
  if (!parsed.success) {
    const { issues } = parsed.error
    const lines = () => issues.map((issue) => `  ${issue.path.join('.')}: ${t(issue.message)}`).join('\n')
    throw new ConfigError(phrase('以下环境变量不正确：\n{lines}', { lines }))
  }
  const e = parsed.data
  if (e.MQTT_PROXY_PROTOCOL && !trustProxy(e.TRUST_PROXY))
    throw new ConfigError(phrase('MQTT_PROXY_PROTOCOL=on 时要设置 TRUST_PROXY：负载均衡的地址，如 10.0.0.5'))
  return {
    port: e.PORT,
    mqttPort: e.MQTT_PORT,
    mqttsPort: e.MQTTS_PORT,
    mqttProxyProtocol: e.MQTT_PROXY_PROTOCOL,
    mqttLimits: {
      connections: e.MQTT_CONNECTIONS,
      connectRate: e.MQTT_CONNECT_RATE,
      connectBurst: 2 * e.MQTT_CONNECT_RATE,
      messageRate: e.MQTT_DEVICE_RATE,
      messageBurst: 5 * e.MQTT_DEVICE_RATE,
      gatewayMessageRate: e.MQTT_GATEWAY_RATE,
      gatewayMessageBurst: 2 * e.MQTT_GATEWAY_RATE,
    },
    memoryDevices: e.MEMORY_DEVICES,
    host: e.HOST,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    nats: readNats(e.NATS_URL, e.NATS_CREDS_FILE),
    upstream: readOrSay(() => readUpstream(e)),
    databaseConnections: e.DATABASE_CONNECTIONS,
    filesDir: resolve(e.FILES_DIR ?? join(e.DATA_DIR, 'files')),
    s3: readOrSay(() => readS3(e)),
    secretKey: e.SECRET_KEY,
    secretKeyFile: e.SECRET_KEY_FILE && resolve(e.SECRET_KEY_FILE),
    adminPassword: e.ADMIN_PASSWORD,
    captcha: e.CAPTCHA,
    mapAccessKey: e.MAP_ACCESS_KEY,
    tls: readTls(e.TLS_CERT, e.TLS_KEY),
    hsts: e.HSTS,
    trustProxy: trustProxy(e.TRUST_PROXY),
    corsOrigins: e.CORS_ORIGINS,
    publicUrl: e.PUBLIC_URL,
    metricsToken: e.METRICS_TOKEN,
    diskBudget: e.DISK_BUDGET,
    emqxHookSecret: e.EMQX_HOOK_SECRET,
    smtpUrl: e.SMTP_URL,
    webhookAllow: e.WEBHOOK_ALLOW,
    otaBandwidth: e.OTA_BANDWIDTH,
    pwa: e.PWA,
    tokenLifeSeconds: e.TOKEN_LIFE,
    drainSeconds: e.DRAIN_SECONDS,
    sessionDays: e.SESSION_DAYS,
    logLevel: e.LOG_LEVEL,
  }
}
