/** The large screen (spec 2 /home; screens.md 2). Figures come from counters, never from scans. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { filterText, int, number } from '../wire.ts'

const { query } = endpointsOf('大屏')
const statusCounts = z.object({ total: z.int(), online: z.int(), offline: z.int(), inactive: z.int() })
export type StatusCounts = z.output<typeof statusCounts>

/** What the figures are about. A role sees of the screen what it may list elsewhere; the rest is empty and named as hidden. */
export const homeParts = ['device', 'product', 'scene', 'alarm', 'ota', 'task', 'config'] as const
export type HomePart = (typeof homeParts)[number]

const openAlarm = z.object({
  id: z.int(),
  alarmName: z.string(),
  level: z.int(),
  productID: z.string(),
  deviceName: z.string(),
  deviceAlias: z.string(),
  /** The value that raised it, with its unit, for people; '': none. */
  value: z.string(),
  /** Milliseconds. */
  lastAlarm: z.number(),
})
export type HomeAlarm = z.output<typeof openAlarm>

const running = z.object({
  kind: z.enum(['ota', 'task', 'config']),
  /** taskID; of a configuration: the run. */
  id: z.string(),
  taskUid: z.string(),
  productID: z.string(),
  name: z.string(),
  total: z.int(),
  success: z.int(),
  failed: z.int(),
  sent: z.int(),
  /** Of an upgrade in stages: the stage at work and how many there are; 0: none. */
  stage: z.int(),
  stages: z.int(),
  perMinute: z.int(),
  paused: z.boolean(),
  /** Devices that are not there. */
  away: z.int(),
  /** Seconds until the last of those that can be sent to now is; 0: not known, or there are none. */
  secondsLeft: z.number(),
})
export type HomeRun = z.output<typeof running>

/**
 * Everything but trends, map and attention in one call: one screen call <= 100 ms with 1,000,000 devices
 * (goals.md "Large screen").
 */
export const readHomeSummary = query('/api/v1/things/home/summary', '大屏概况', {
  data: z.object({
    /** Milliseconds: of these figures. */
    at: z.number(),
    /** IANA name of the zone whose days are counted, a setting. */
    timeZone: z.string(),
    products: z.int(),
    cities: z.int(),
    scenes: z.int(),
    totals: statusCounts,
    /** Against the same time yesterday; null: not known yet. */
    change: statusCounts.nullable(),
    byType: z.object({ device: z.int(), gateway: z.int(), subset: z.int() }),
    /** Most devices first. */
    byProduct: z.array(z.object({ productID: z.string(), productName: z.string(), total: z.int() })).max(20),
    messages: z.object({ perSecond: z.number(), today: z.number() }),
    alarms: z.object({
      /** Unhandled, levels 1 to 5. */
      open: z.array(z.int()).length(5),
      today: z.int(),
      handledToday: z.int(),
      /** Seven days of that zone, oldest first, occurrences by level; start and end (not in it) in ms. */
      days: z
        .array(z.object({ day: z.string(), start: z.number(), end: z.number(), levels: z.array(z.int()).length(5) }))
        .length(7),
      latest: z.array(openAlarm).max(10),
      top: z
        .array(
          z.object({
            productID: z.string(),
            deviceName: z.string(),
            deviceAlias: z.string(),
            count: z.int(),
            level: z.int(),
          }),
        )
        .max(10),
    }),
    running: z.object({ ota: z.int(), task: z.int(), config: z.int(), list: z.array(running).max(6) }),
    /** Left out for the caller's role. */
    hidden: z.array(z.enum(homeParts)),
  }),
})
export type HomeSummary = z.output<typeof readHomeSummary.data>

export const trendKinds = ['online', 'message', 'alarm'] as const
export type TrendKind = (typeof trendKinds)[number]
/** online: devices; message: a second; alarm: occurrences. */
export const readHomeTrend = query('/api/v1/things/home/trend', '大屏趋势', {
  body: z.object({ kind: z.enum(trendKinds), hours: int(1, 168).default(24) }),
  data: z.object({
    stepMs: z.int(),
    /** Milliseconds, beginning of the step; value and that of a day before; null: not measured. */
    points: z.array(z.object({ at: z.number(), value: z.number().nullable(), before: z.number().nullable() })),
    highest: z.number(),
    lowest: z.number(),
  }),
})

export const readHomeMap = query('/api/v1/things/home/map', '大屏地图', {
  body: z.object({
    /** West, south, east, north, in degrees. BD09 as all positions (http-api.md 1), those of the clusters too. */
    box: z.tuple([number(-180, 180), number(-90, 90), number(-180, 180), number(-90, 90)]),
    zoom: int(0, 18),
    productID: filterText(64),
    /** Only clusters with unhandled alarms. */
    alarmed: z.boolean().optional(),
  }),
  data: z.object({
    clusters: z
      .array(
        z.object({
          longitude: z.number(),
          latitude: z.number(),
          ...statusCounts.shape,
          /** Worst unhandled alarm in it, 1 to 5; 0: none. */
          level: z.int(),
          /** The cities in it, most devices first; name '': not known. */
          places: z.array(z.object({ name: z.string(), online: z.int(), offline: z.int(), inactive: z.int() })),
          /** Of a cluster of one. */
          productID: z.string(),
          deviceName: z.string(),
          deviceAlias: z.string(),
        }),
      )
      .max(2_000),
    /** Cities with the highest share of offline devices, at least ten devices each; where the devices of each lie. */
    worst: z
      .array(
        z.object({
          name: z.string(),
          longitude: z.number(),
          latitude: z.number(),
          total: z.int(),
          offline: z.int(),
        }),
      )
      .max(5),
    /** Devices without a position. */
    unplaced: z.int(),
  }),
})

export type HomeMap = z.output<typeof readHomeMap.data>
export type HomeCluster = HomeMap['clusters'][number]

export const attentionKinds = ['offline', 'upgrade', 'silent', 'config'] as const
export type AttentionKind = (typeof attentionKinds)[number]
export const attentionLabels: Record<AttentionKind, string> = {
  offline: '长期离线',
  upgrade: '升级失败',
  silent: '在线静默',
  config: '配置未送达',
}
/** Of upgrades and configurations so many are looked at one by one; of more the counters of the runs tell. */
export const attentionReach = 2_000
export const readHomeAttention = query('/api/v1/things/home/attention', '大屏需要关注', {
  body: z.object({
    kind: z.enum(attentionKinds).optional(),
    limit: int(1, 200).default(20),
    /** Of `limit` devices each, newest first; only with a kind. */
    page: int(1, 100_000).default(1),
  }),
  data: z.object({
    counts: z.record(z.enum(attentionKinds), z.int()),
    /** Left out for the caller's role. */
    hidden: z.array(z.enum(attentionKinds)),
    list: z.array(
      z.object({
        kind: z.enum(attentionKinds),
        productID: z.string(),
        deviceName: z.string(),
        deviceAlias: z.string(),
        /** Milliseconds: since when. */
        since: z.number(),
        /** Why, for people; '': the time says it. */
        text: z.string(),
        taskUid: z.string(),
      }),
    ),
  }),
})

export type HomeAttention = z.output<typeof readHomeAttention.data>
export type AttentionRow = HomeAttention['list'][number]

/** Each is true by what really happened; the card goes when all are, or when somebody put it away. */
export const readFirstSteps = query('/api/v1/things/home/first-steps', '入门步骤', {
  data: z.object({
    product: z.boolean(),
    model: z.boolean(),
    device: z.boolean(),
    connected: z.boolean(),
    value: z.boolean(),
    /** Where the next step goes on; '': not there yet. */
    productID: z.string(),
    deviceName: z.string(),
    demo: z.boolean(),
  }),
})

/** Live notices. */
export const homeTopic = 'home'
