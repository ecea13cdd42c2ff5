/** How the fields of each target are asked for; what they take the contract says. */
import type { TargetType } from '@ithings/contract/features/forwarding/targets.ts'

export interface TargetFieldSpec {
  name: string
  label: string
  /** pem: a text of many lines; default: one line. */
  control?: 'mono' | 'secret' | 'number' | 'switch' | 'choice' | 'pem' | 'headers'
  help?: string
  example?: string
  options?: readonly { value: string | number; label: string }[]
  min?: number
  max?: number
  /** Places in it are filled in for each message. */
  template?: true
  /** Only where this field of the form has something. */
  onlyWith?: string
}

const place = (name: string): string => `\${${name}}`
/** What a template may name. */
export const templatePlaces = ['productID', 'deviceName', 'source', 'identifier'].map(place)

const ca: TargetFieldSpec = {
  name: 'ca',
  label: 'CA 证书',
  control: 'pem',
  help: 'PEM 格式；对方证书由公共机构签发时留空',
  example: '-----BEGIN CERTIFICATE-----',
}
const username: TargetFieldSpec = { name: 'username', label: '用户名' }
const password: TargetFieldSpec = { name: 'password', label: '密码', control: 'secret' }
const tls: TargetFieldSpec = { name: 'tls', label: '使用 TLS', control: 'switch' }

export const targetSpecs: Record<TargetType, readonly TargetFieldSpec[]> = {
  webhook: [
    {
      name: 'url',
      label: '地址',
      control: 'mono',
      help: '以 POST 发送；应答 2xx 表示收到，4xx（401、403、404、407、408、425、429 除外）进入死信，其它会重试。内部网络的地址须由管理员在 WEBHOOK_ALLOW 中放行。',
      example: 'https://example.com/ithings/data',
    },
    {
      name: 'secret',
      label: '签名密钥',
      control: 'secret',
      help: '可选。设置后每个请求都带签名，接收方可以确认来自本平台。',
    },
    { name: 'headers', label: '请求头', control: 'headers' },
    {
      name: 'batch',
      label: '每次请求的消息数',
      control: 'number',
      min: 1,
      max: 1_000,
      help: '1：每条消息一个请求；大于 1：请求体是 JSON 数组，最多这么多条',
    },
  ],
  mqtt: [
    { name: 'url', label: '地址', control: 'mono', example: 'mqtts://broker.example.com:8883' },
    {
      name: 'version',
      label: '协议版本',
      control: 'choice',
      options: [
        { value: '3.1.1', label: '3.1.1' },
        { value: '5', label: '5.0' },
      ],
    },
    {
      name: 'topic',
      label: 'MQTT 主题',
      control: 'mono',
      template: true,
      example: `ithings/${place('productID')}/${place('deviceName')}`,
    },
    {
      name: 'qos',
      label: 'QoS',
      control: 'choice',
      help: 'QoS 0 不等对方确认，连接中断时可能丢失',
      options: [
        { value: 1, label: '1' },
        { value: 0, label: '0' },
      ],
    },
    { name: 'retain', label: '保留消息', control: 'switch', help: '服务器为后来的订阅者保留每个主题的最后一条' },
    { name: 'clientID', label: '客户端 ID', control: 'mono', help: '留空则由平台生成' },
    username,
    password,
    ca,
  ],
  kafka: [
    {
      name: 'brokers',
      label: '服务器',
      control: 'mono',
      help: '主机:端口，多个以逗号分隔',
      example: 'kafka1.example.com:9092,kafka2.example.com:9092',
    },
    {
      name: 'topic',
      label: 'Kafka 主题',
      control: 'mono',
      template: true,
      example: 'ithings',
    },
    tls,
    { ...ca, onlyWith: 'tls' },
    {
      name: 'mechanism',
      label: '身份验证',
      control: 'choice',
      options: [
        { value: '', label: '不验证' },
        { value: 'plain', label: 'PLAIN' },
        { value: 'scram-sha-256', label: 'SCRAM-SHA-256' },
        { value: 'scram-sha-512', label: 'SCRAM-SHA-512' },
      ],
    },
    { ...username, onlyWith: 'mechanism' },
    { ...password, onlyWith: 'mechanism' },
  ],
  postgres: [
    { name: 'host', label: '主机', control: 'mono', example: 'db.example.com' },
    { name: 'port', label: '端口', control: 'number', min: 1, max: 65_535 },
    { name: 'database', label: '数据库', control: 'mono' },
    username,
    password,
    tls,
    { ...ca, onlyWith: 'tls' },
    { name: 'schema', label: '模式', control: 'mono' },
    { name: 'table', label: '表名', control: 'mono', example: 'ithings_messages' },
    {
      name: 'create',
      label: '自动建表',
      control: 'switch',
      help: '表不存在时由平台创建；装有 TimescaleDB 时建为超表',
    },
  ],
  influx: [
    { name: 'url', label: '地址', control: 'mono', example: 'https://influx.example.com:8086' },
    { name: 'org', label: '组织', help: 'InfluxDB 1.x 留空' },
    { name: 'bucket', label: '存储桶', control: 'mono', help: 'InfluxDB 1.x 填数据库名' },
    { name: 'token', label: '令牌', control: 'secret' },
    { name: 'measurement', label: '表（measurement）', control: 'mono', help: '留空则用产品 ID' },
  ],
  s3: [
    { name: 'endpoint', label: '地址', control: 'mono', example: 'https://s3.example.com' },
    { name: 'region', label: '区域', control: 'mono' },
    { name: 'bucket', label: '存储桶', control: 'mono' },
    { name: 'accessKey', label: '访问密钥 ID', control: 'mono' },
    { name: 'secretKey', label: '访问密钥', control: 'secret' },
    { name: 'prefix', label: '路径前缀', control: 'mono', help: '文件放在前缀下按日期和小时分的目录中' },
    {
      name: 'format',
      label: '文件格式',
      control: 'choice',
      options: [
        { value: 'ndjson', label: 'NDJSON' },
        { value: 'parquet', label: 'Parquet' },
      ],
    },
    {
      name: 'seconds',
      label: '写文件的间隔（秒）',
      control: 'number',
      min: 5,
      max: 3_600,
      help: '每隔这么久写一个文件；整点或文件较大时提前写',
    },
    ca,
  ],
  amqp: [
    { name: 'url', label: '地址', control: 'mono', example: 'amqps://rabbit.example.com:5671' },
    username,
    password,
    { name: 'exchange', label: '交换机', control: 'mono', help: '留空则按路由键直接进入同名队列' },
    { name: 'routingKey', label: '路由键', control: 'mono', template: true, example: `ithings.${place('source')}` },
    ca,
  ],
}
