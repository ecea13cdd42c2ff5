import type { Endpoint } from '@ithings/contract/endpoint.ts'
import type { Common } from '#common-deps.ts'

/** What the operations on keys need; made once in app/. */
export interface ApiKeysDeps extends Common<'db' | 'clock' | 'signal'> {
  /** Writes down which keys were used on this server. */
  writeUsed(): Promise<void>
  allows(role: number, endpoint: Endpoint): Promise<boolean>
}
