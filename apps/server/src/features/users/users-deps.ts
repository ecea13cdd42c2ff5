import type { Language } from '@ithings/contract/text.ts'
import type { Common } from '#common-deps.ts'
import type { AccessCache } from './access-cache.ts'
import type { Tokens } from './token.ts'

/** Where passkeys belong: browsers bind them to the name of the host. */
export interface PasskeyPlace {
  /** Name of the host, without port. */
  rpID: string
  origin: string
}

/** What the operations on users need; made once in app/. */
export interface UsersDeps extends Common<'db' | 'clock' | 'signal'> {
  tokens: Tokens
  access: AccessCache
  captchaRequired: boolean
  /** Undefined: the platform has no name that browsers bind passkeys to. */
  passkeyPlace(): PasskeyPlace | undefined
  /** Returns at once; does nothing without an address or a mail server. @param language undefined: Chinese */
  mail(to: string, title: string, content: string, language: Language | undefined): void
}
