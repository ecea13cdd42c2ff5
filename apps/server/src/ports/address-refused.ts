/** An address that the platform must not be led to: the rule is features/notify/address-guard.ts, others say it the same way. */
import { fill, type Phrase, phrase, say } from '@ithings/contract/text.ts'

export class AddressRefused extends Error {
  readonly words: Phrase

  constructor(words: Phrase) {
    super(say(words, fill))
    this.words = words
  }
}

export const addressRefused = (host: string): AddressRefused =>
  new AddressRefused(phrase('地址 {host} 属于内部网络，不允许访问（可由管理员在 WEBHOOK_ALLOW 中放行）', { host }))
