/** The demo fleet: loaded into an empty platform, removed without a trace. */
import * as z from 'zod'
import { BusinessType, endpoint } from '../endpoint.ts'

const group = '演示数据'
export const demoStates = ['none', 'loading', 'loaded', 'removing'] as const
export type DemoState = (typeof demoStates)[number]

export const readDemo = endpoint({
  path: '/api/v1/system/demo/read',
  access: 'role',
  name: '演示数据状态',
  group,
  businessType: BusinessType.query,
  body: z.object({}),
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
export const loadDemo = endpoint({
  path: '/api/v1/system/demo/load',
  access: 'role',
  name: '加载演示数据',
  group,
  businessType: BusinessType.add,
  body: z.object({}),
  data: z.object({ jobID: z.string() }),
})
export const removeDemo = endpoint({
  path: '/api/v1/system/demo/remove',
  access: 'role',
  name: '移除演示数据',
  group,
  businessType: BusinessType.delete,
  body: z.object({}),
  data: z.object({ jobID: z.string() }),
})
