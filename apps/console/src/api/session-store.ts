/** The stored session: which keys hold it and when they change (decisions.md 2 "Storage keys", "Token renewal"). */
import { guardedStore, type TextStore } from './text-store.ts'

export const sessionKeys = {
  token: 'iThings-token',
  userID: 'iThings-UID',
  /** spec 7: a token stored under this key overrides the session token. */
  alternate: 'iThingsSetToken',
  guid: 'iThings-guid',
} as const
/** spec 7: what a renewed token comes in. */
export const renewalHeader = 'iThings-set-token'

export interface SessionStore {
  /** The token to send; empty when signed out. */
  token: () => string
  userID: () => string
  /** spec 2: both stored values are needed. */
  complete: () => boolean
  /** The client id: a UUID made once per browser. */
  guid: () => string
  signIn: (token: string, userID: string) => void
  /** spec 7: called after each response with its token header, null when there is none. */
  renew: (token: string | null) => void
  clear: () => void
}

/** crypto.randomUUID exists on secure pages only; the console must work over plain http too. */
function makeUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, i) => {
    const value = i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte
    return value.toString(16).padStart(2, '0')
  }).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export function makeSessionStore(store: TextStore): SessionStore {
  const token = () => store.get(sessionKeys.alternate) || store.get(sessionKeys.token)
  const userID = () => store.get(sessionKeys.userID)
  return {
    token,
    userID,
    complete: () => token() !== '' && userID() !== '',
    guid: () => {
      const known = store.get(sessionKeys.guid)
      if (known) return known
      const made = makeUuid()
      store.set(sessionKeys.guid, made)
      return made
    },
    signIn: (newToken, newUserID) => {
      store.set(sessionKeys.token, newToken)
      store.set(sessionKeys.userID, newUserID)
      store.remove(sessionKeys.alternate)
    },
    renew: (renewed) => {
      if (renewed) {
        store.set(sessionKeys.token, renewed)
        store.set(sessionKeys.alternate, renewed)
      } else if (store.get(sessionKeys.alternate)) {
        store.set(sessionKeys.alternate, '')
      }
    },
    clear: () => {
      store.remove(sessionKeys.token)
      store.remove(sessionKeys.alternate)
      store.remove(sessionKeys.userID)
    },
  }
}

export const session = makeSessionStore(guardedStore(() => localStorage))

/** What another tab did to the session, read from its `storage` event. */
export type ForeignChange = 'signed-out' | 'other-user' | 'none'

export function foreignChange(event: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>): ForeignChange {
  // A null key means that the whole storage was cleared.
  if (event.key === null) return 'signed-out'
  if (event.key === sessionKeys.userID && event.newValue && event.oldValue && event.newValue !== event.oldValue)
    return 'other-user'
  const watched: string[] = [sessionKeys.token, sessionKeys.userID]
  return watched.includes(event.key) && !event.newValue ? 'signed-out' : 'none'
}
