/** Where forwarded messages go: one form for each kind of target. */
import * as z from 'zod'
import { int, text } from '../../wire.ts'

export const targetTypes = ['webhook', 'mqtt', 'kafka', 'postgres', 'influx', 's3', 'amqp'] as const
export type TargetType = (typeof targetTypes)[number]
export const targetTypeLabels: Record<TargetType, string> = {
  webhook: 'HTTP 推送（webhook）',
  mqtt: 'MQTT 服务器',
  kafka: 'Kafka',
  postgres: 'PostgreSQL / TimescaleDB',
  influx: 'InfluxDB',
  s3: 'S3 文件',
  amqp: 'AMQP（RabbitMQ）',
}

/** Stands for a secret that is stored; sent back, it means that one. */
export const secretMask = '******'
/** Fields that are never told again. */
export const secretFields = ['password', 'secret', 'secretKey', 'token'] as const

const address = (protocol: RegExp, error: string) => z.url({ protocol, error }).max(2_048)
const httpUrl = address(/^https?$/, '须为 http 或 https 地址')
/** `${productID}`, `${deviceName}`, `${source}` and `${identifier}` are filled in. */
const template = (max: number) => text(max, 1)
const secret = text(1_024).default('')
/** Of a table and its schema: written into statements. */
const tableName = text(63, 1).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, '只能由字母、数字和下划线组成，且不以数字开头')

const webhook = z.object({
  type: z.literal('webhook'),
  url: httpUrl,
  /** Signs the body (HMAC-SHA256) as webhooks of notices do. */
  secret,
  headers: z
    .array(z.object({ key: text(64, 1), value: text(1_024) }))
    .max(20)
    .default([]),
  /** Messages in one request: 1 sends each alone, more send a JSON array. */
  batch: int(1, 1_000).default(1),
})

const mqtt = z.object({
  type: z.literal('mqtt'),
  url: address(/^(mqtts?|wss?)$/, '须为 mqtt、mqtts、ws 或 wss 地址'),
  version: z.enum(['3.1.1', '5']).default('3.1.1'),
  clientID: text(64).default(''),
  username: text(256).default(''),
  password: secret,
  topic: template(512),
  qos: z.union([z.literal(0), z.literal(1)]).default(1),
  retain: z.boolean().default(false),
  /** PEM of whoever signed the server's certificate; '' means those that the system knows. */
  ca: text(16_384).default(''),
})

const kafka = z.object({
  type: z.literal('kafka'),
  /** host:port, separated by commas. */
  brokers: text(1_024, 1).regex(/^[^\s,:]+:\d+(\s*,\s*[^\s,:]+:\d+)*$/, '须为以逗号分隔的 主机:端口'),
  topic: template(249),
  tls: z.boolean().default(false),
  ca: text(16_384).default(''),
  mechanism: z.enum(['', 'plain', 'scram-sha-256', 'scram-sha-512']).default(''),
  username: text(256).default(''),
  password: secret,
})

const postgres = z.object({
  type: z.literal('postgres'),
  host: text(255, 1),
  port: int(1, 65_535).default(5_432),
  database: text(63, 1),
  username: text(63, 1),
  password: secret,
  tls: z.boolean().default(false),
  ca: text(16_384).default(''),
  schema: tableName.default('public'),
  table: tableName,
  /** Makes the table (and its hypertable, where TimescaleDB is there) when it is missing. */
  create: z.boolean().default(true),
})

const influx = z.object({
  type: z.literal('influx'),
  url: httpUrl,
  org: text(128).default(''),
  bucket: text(128, 1),
  token: secret,
  /** '' is the product's id. */
  measurement: text(128).default(''),
})

const s3 = z.object({
  type: z.literal('s3'),
  endpoint: httpUrl,
  region: text(64).default('us-east-1'),
  bucket: text(63, 3),
  accessKey: text(128, 1),
  secretKey: secret,
  prefix: text(256).default('ithings/'),
  format: z.enum(['ndjson', 'parquet']).default('ndjson'),
  /** A file is written after so many seconds, at the end of an hour, or when it is large. */
  seconds: int(5, 3_600).default(300),
  ca: text(16_384).default(''),
})

const amqp = z.object({
  type: z.literal('amqp'),
  url: address(/^amqps?$/, '须为 amqp 或 amqps 地址'),
  username: text(256).default(''),
  password: secret,
  exchange: text(255).default(''),
  /** Of the message; with the exchange '' it is the name of the queue. */
  routingKey: template(255),
  ca: text(16_384).default(''),
})

export const targetSettings = z.discriminatedUnion('type', [webhook, mqtt, kafka, postgres, influx, s3, amqp])
export type TargetSettings = z.output<typeof targetSettings>
export type SettingsOf<T extends TargetType> = Extract<TargetSettings, { type: T }>
