/** Queries as Prometheus answers them, for chart tools (docs/en/api.md "Grafana"). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'

const { query } = endpointsOf('设备消息')

/** Seconds, a moment by RFC 3339 or a duration: forms and addresses have texts only. */
const text = z.union([z.string(), z.number()]).optional()

/** What Prometheus answers when it refuses; the type is for programs, the words are for people. */
export const promFailure = z.object({ status: z.literal('error'), errorType: z.string(), error: z.string() })

/** The right to this one is the right to all of /api/v1/prom. */
export const promQuery = query('/api/v1/prom/query', 'Prometheus 查询', {
  body: z.object({ query: z.string(), time: text, timeout: text, lookback_delta: text, limit: text }),
  data: z.object({
    status: z.literal('success'),
    data: z.object({ resultType: z.enum(['scalar', 'string', 'vector', 'matrix']), result: z.array(z.unknown()) }),
    warnings: z.array(z.string()).optional(),
  }),
  asPrometheus: true,
})
