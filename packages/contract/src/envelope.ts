import * as z from 'zod'

/** spec 8: success is a response code of 200 in the body, any other code is a failure. */
export const successCode = 200

export interface Envelope {
  code: number
  msg: string
  data?: unknown
  /** Only on failures: the id under which the server logged the request. */
  requestID?: string
  /** Only on failures of one form field. */
  field?: string
}

export const failureEnvelope = z.object({
  code: z.int(),
  msg: z.string(),
  requestID: z.string().optional(),
  field: z.string().optional(),
})

export const ok = (data?: unknown): Envelope => ({
  code: successCode,
  msg: 'success',
  ...(data === undefined ? {} : { data }),
})
