/** Configuration the console starts with (http-api.md 2.8) and the platform settings of an administrator. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { int, text } from '../wire.ts'
import { isZone } from '../zone-days.ts'

const { query, modify } = endpointsOf('系统设置')

export const readConfig = query('/api/v1/system/common/config', '获取前端配置', {
  access: 'public',
  data: z.object({
    map: z.object({ mode: z.string(), accessKey: z.string() }),
    oss: z.object({ host: z.string() }),
    /** Ours: shown on the login page and in the header. */
    title: z.string(),
    logo: z.string(),
    version: z.string(),
    captcha: z.boolean(),
    /** Ours: the only origin at which passkeys work; '': there is none, because the platform has no name or no HTTPS. */
    passkeyOrigin: z.string(),
    pwa: z.boolean(),
    /** Where devices connect on this host; tlsPort 0: not open. A proxy in front may have other ports. */
    mqtt: z.object({ port: z.int(), tlsPort: z.int() }),
    /** IANA name of the server's zone: schedules and times of day are meant in it. */
    timeZone: z.string(),
  }),
})

/** A small picture as data URI, so that the login page needs no second request. */
const logo = z.union([
  z.literal(''),
  z
    .string()
    .regex(/^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]+$/, '必须是 PNG、JPEG、WebP 或 SVG 图片')
    .max(200_000),
])

export const settings = z.object({
  title: z.string(),
  logo: z.string(),
  loginLogDays: z.int(),
  operationLogDays: z.int(),
  /** IANA name of the zone whose days totals are counted by; '': the server's. */
  timeZone: z.string(),
  rev: z.int(),
})
export type Settings = z.output<typeof settings>

export const readSettings = query('/api/v1/system/setting/read', '查看系统设置', { data: settings })

export const updateSettingsBody = z.object({
  title: text(32, 1).optional(),
  logo: logo.optional(),
  loginLogDays: int(1, 3650).optional(),
  operationLogDays: int(1, 3650).optional(),
  timeZone: text(64)
    .refine((zone) => zone === '' || isZone(zone), '没有这个时区')
    .optional(),
  rev: int(0).optional(),
})
export const updateSettings = modify('/api/v1/system/setting/update', '修改系统设置', { body: updateSettingsBody })
