/** The text of a key: made here, told once, and known afterwards by its hash only. */
import { createHash, randomBytes } from 'node:crypto'
import { keyHintLength, keyStart } from '@ithings/contract/features/api-keys.ts'

const keyBytes = 32

export const makeKeyText = (): string => `${keyStart}${randomBytes(keyBytes).toString('base64url')}`

export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest()

export const hintOfKey = (key: string): string => key.slice(0, keyHintLength)

/** What cannot be a key is refused without a look into the database. */
export const looksLikeKey = (text: string): boolean => new RegExp(`^${keyStart}[\\w-]{43}$`).test(text)
