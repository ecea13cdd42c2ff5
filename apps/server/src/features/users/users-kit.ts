import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { Signal } from '#ports/signal.ts'
import type { AccessBook } from './access-book.ts'
import type { Tokens } from './token.ts'

/** What the operations on users need; made once in app/. */
export interface UsersKit {
  db: Db
  clock: Clock
  signal: Signal
  tokens: Tokens
  access: AccessBook
  captchaRequired: boolean
  /** Returns at once; does nothing without an address or a mail server. */
  mail(to: string, title: string, content: string): void
}
