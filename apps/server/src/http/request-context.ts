/** What a handler knows about its caller. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import type { Language } from '@ithings/contract/text.ts'
import type { FastifyBaseLogger } from 'fastify'

/** Of a call by an API key: what it may not do although its owner may. */
export interface KeyLimits {
  id: number
  name: string
  /** The beginning of the key. */
  hint: string
  /** Paths; none: all. */
  apis: ReadonlySet<string>
  /** What a call may ask for; refuses what is not for this key. Absent: everything. */
  narrow?(endpoint: Endpoint, input: unknown): Promise<unknown>
  /** Is there anything that this key may ask of it? Absent: of everything. */
  reaches?(endpoint: Endpoint): boolean
}

export interface SignedInUser {
  userID: number
  userName: string
  role: number
  /** The session a token belongs to; renewal keeps it. */
  sid: string
  /** What he is answered in. */
  language: Language
  /** His company's provider vouches that he gave a second factor. */
  vouched?: boolean
  /** Absent: a person. */
  key?: KeyLimits
}

export interface RequestContext {
  requestID: string
  ip: string
  userAgent: string
  /** What the call asks to be answered in; undefined: it does not say. */
  language?: Language | undefined
  log: FastifyBaseLogger
}

export interface SignedInContext extends RequestContext {
  user: SignedInUser
}
