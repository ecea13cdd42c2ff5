/** The way in by a company's provider (operator-guide.md); apart from its settings, which the sign-in page need not bring. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { text } from '../wire.ts'
import { sessionToken, userInfo } from './users.ts'

const { query, act } = endpointsOf('企业登录')

/** What the sign-in page offers. */
export const listSignOnChoices = query('/api/v1/system/sign-on/choices', '可用的企业登录', {
  access: 'public',
  data: z.object({ list: z.array(z.object({ key: z.string(), name: z.string(), nameEn: z.string() })) }),
})

/** The browser keeps `flow` to itself and goes to `url`; what it comes back with is finished with the same `flow`. */
export const beginSignOn = act('/api/v1/system/sign-on/begin', '开始企业登录', {
  access: 'public',
  unlogged: true,
  body: z.object({ key: text(32, 1) }),
  data: z.object({ url: z.string(), flow: z.string(), redirectUri: z.string() }),
})

export const finishSignOn = act('/api/v1/system/sign-on/finish', '完成企业登录', {
  access: 'public',
  unlogged: true,
  body: z.object({
    key: text(32, 1),
    flow: z.string().max(4_096),
    /** What stands behind the question mark of the address that the provider sent the browser to. */
    query: z.string().max(8_192),
  }),
  data: z.object({ info: userInfo, token: sessionToken }),
})
