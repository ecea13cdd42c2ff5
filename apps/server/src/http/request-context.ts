/** What a handler knows about its caller. */
import type { Language } from '@ithings/contract/text.ts'
import type { FastifyBaseLogger } from 'fastify'

export interface SignedInUser {
  userID: number
  userName: string
  role: number
  /** The session a token belongs to; renewal keeps it. */
  sid: string
  /** What he is answered in. */
  language: Language
}

export interface RequestContext {
  requestID: string
  ip: string
  userAgent: string
  log: FastifyBaseLogger
}

export interface SignedInContext extends RequestContext {
  user: SignedInUser
}
