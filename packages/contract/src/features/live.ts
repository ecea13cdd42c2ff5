/** Live notices over one WebSocket (api.md "实时通知"): the server says what changed, screens ask again. */
import * as z from 'zod'

export const livePath = '/api/v1/live'
/** First entry of Sec-WebSocket-Protocol; the token is the second, because browsers cannot send headers there. */
export const liveProtocol = 'ithings-live'
/** At most two notices a second and topic. */
export const liveNoticeGapMs = 500
export const maxLiveTopics = 100
/** WebSocket close codes: the token is missing, bad, expired or revoked; the server has no room now. */
export const LiveClose = { signedOut: 4401, full: 1013, unruly: 1008, leaving: 1001 } as const

export const liveRequest = z.object({ op: z.enum(['sub', 'unsub']), topic: z.string().min(1).max(128) })
export type LiveRequest = z.output<typeof liveRequest>

/** What changed on a device since the last notice. */
export const liveChanges = ['values', 'presence', 'log', 'command', 'shadow', 'info'] as const
export type LiveChange = (typeof liveChanges)[number]

export const liveNotice = z.looseObject({
  topic: z.string(),
  /** Milliseconds. */
  at: z.number(),
  changes: z.array(z.string()).optional(),
  /** A subscription that was refused: the catalogue code. */
  code: z.number().optional(),
  msg: z.string().optional(),
})
export type LiveNotice = z.output<typeof liveNotice>

export const deviceTopic = (device: { productID: string; deviceName: string }): string =>
  `device/${device.productID}/${device.deviceName}`

export const jobTopic = (jobID: string): string => `job/${jobID}`
