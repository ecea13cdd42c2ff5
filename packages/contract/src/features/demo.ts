/** The demo fleet: loaded into an empty platform, removed without a trace. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'

const { query, add, remove } = endpointsOf('演示数据')
export const demoStates = ['none', 'loading', 'loaded', 'removing'] as const
export type DemoState = (typeof demoStates)[number]

export const readDemo = query('/api/v1/system/demo/read', '演示数据状态', {
  data: z.object({
    state: z.enum(demoStates),
    /** Whether it may be loaded: nobody's own products are there. */
    empty: z.boolean(),
    products: z.int(),
    devices: z.int(),
    /** Of the job at work; '': none. */
    jobID: z.string(),
  }),
})
/** Refused (100006) when the platform has products of its own. */
export const loadDemo = add('/api/v1/system/demo/load', '加载演示数据', { data: z.object({ jobID: z.string() }) })
export const removeDemo = remove('/api/v1/system/demo/remove', '移除演示数据', {
  data: z.object({ jobID: z.string() }),
})
