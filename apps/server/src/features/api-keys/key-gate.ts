/**
 * Who calls by a key, and may it? Remembered like users (features/users/access-cache.ts): a notice of another server makes
 * us forget, and while notices cannot arrive the database is asked each time.
 */
import { minuteMs } from '@ithings/contract/durations.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { keyStart } from '@ithings/contract/features/api-keys.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { ApiKeyTable } from '#db/tables/api-keys.ts'
import type { AccessCache } from '#features/users/door.ts'
import { isWithin } from '#http/client-address.ts'
import type { KeyLimits, SignedInUser } from '#http/request-context.ts'
import type { Gate, Rate } from '#http/route.ts'
import type { ApiKeysDeps } from './api-keys-deps.ts'
import { hashOfKey, looksLikeKey } from './key-text.ts'
import { narrowInput, reaches } from './narrow-input.ts'

type GateDeps = Omit<ApiKeysDeps, 'writeUsed' | 'allows'>
type KeyRow = Selectable<ApiKeyTable>

const most = 10_000

const refused = (detail: ReturnType<typeof phrase>) => new AppError(errors.tokenInvalid, { msg: detail })

const limitsOf = (db: Db, row: KeyRow): KeyLimits => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  apis: new Set(row.apis),
  ...((row.product_id !== '' || row.group_id !== 0) && {
    narrow: (endpoint, input) => narrowInput(db, endpoint, input, row),
    reaches: (endpoint) => reaches(row, endpoint),
  }),
})

/** Calls of this minute, on this server. */
function makeRates(now: () => number) {
  let minute = 0
  let calls = new Map<number, number>()
  return ({ id, per_minute: limit }: KeyRow): Rate => {
    const current = Math.floor(now() / minuteMs)
    if (current !== minute) {
      minute = current
      calls = new Map()
    }
    const count = (calls.get(id) ?? 0) + 1
    calls.set(id, count)
    const seconds = Math.ceil(((current + 1) * minuteMs - now()) / 1000)
    return { limit, left: limit - count, seconds }
  }
}

export class KeyGate implements Gate {
  readonly #deps: GateDeps
  readonly #access: AccessCache
  readonly #known = new Map<string, KeyRow | undefined>()
  readonly #rate: (row: KeyRow) => Rate
  #used = new Map<number, { at: number; ip: string }>()
  /** Raised by every notice: what was read before it must not be remembered after it. */
  #generation = 0

  constructor(deps: GateDeps, access: AccessCache) {
    this.#deps = deps
    this.#access = access
    this.#rate = makeRates(() => deps.clock.now())
    const forget = () => {
      this.#generation++
      this.#known.clear()
    }
    deps.signal.on('access.key', forget)
    deps.signal.onGap(forget)
  }

  async #find(key: string): Promise<KeyRow | undefined> {
    if (!looksLikeKey(key)) return undefined
    const { db, signal } = this.#deps
    const hash = hashOfKey(key)
    const name = hash.toString('base64')
    if (signal.connected && this.#known.has(name)) return this.#known.get(name)
    const before = this.#generation
    const row = await db.selectFrom('api_key').selectAll().where('hash', '=', hash).executeTakeFirst()
    // Keys that do not exist are not remembered: strangers could fill the memory with them.
    if (row && signal.connected && before === this.#generation && this.#known.size < most) this.#known.set(name, row)
    return row
  }

  async #userOf(row: KeyRow): Promise<{ user: SignedInUser; factor: 'none' | 'missing' }> {
    const key = limitsOf(this.#deps.db, row)
    const sid = `key:${row.id}`
    if (row.user_id === null) {
      // No person has a negative number, so that nothing of a service account is taken for somebody's own.
      const user = { userID: -row.id, userName: row.name, role: row.role_id ?? 0, sid, language: 'zh' as const, key }
      return { user, factor: 'none' }
    }
    const { userName, role, language, factor } = await this.#access.person(row.user_id)
    return { user: { userID: row.user_id, userName, role, sid, language, key }, factor }
  }

  #valid(row: KeyRow | undefined): KeyRow {
    if (!row) throw refused(phrase('API 密钥无效'))
    if (row.revoked_at) throw refused(phrase('API 密钥已撤销'))
    if (row.expires_at && row.expires_at.getTime() <= this.#deps.clock.now()) throw refused(phrase('API 密钥已过期'))
    return row
  }

  /** Who asked for something that is done later, as he is now. @param keyID the key that he asked by; 0: none */
  async again(userID: number, keyID: number): Promise<SignedInUser> {
    const { db } = this.#deps
    if (keyID === 0) {
      const { userName, role, language, factor } = await this.#access.person(userID)
      if (factor === 'missing') throw new AppError(errors.secondFactorMissing)
      return { userID, userName, role, sid: '', language }
    }
    const row = await db.selectFrom('api_key').selectAll().where('id', '=', keyID).executeTakeFirst()
    const { user, factor } = await this.#userOf(this.#valid(row))
    if (factor === 'missing') throw new AppError(errors.secondFactorMissing)
    return user
  }

  async identify(credential: string | undefined, ip = ''): ReturnType<Gate['identify']> {
    if (!credential?.startsWith(keyStart)) return this.#access.identify(credential)
    const now = this.#deps.clock.now()
    const row = this.#valid(await this.#find(credential))
    if (row.addresses.length > 0 && !row.addresses.some((network) => isWithin(ip, network))) {
      throw refused(phrase('API 密钥不能从地址 {ip} 使用', { ip }))
    }
    const { user, factor } = await this.#userOf(row)
    if (this.#used.size < most) this.#used.set(row.id, { at: now, ip })
    const expiresAt = row.expires_at?.getTime()
    return { user, factor, rate: this.#rate(row), ...(expiresAt !== undefined && { expiresAt }) }
  }

  readonly allows: Gate['allows'] = (role, endpoint) => this.#access.allows(role, endpoint)

  /** Writes down which keys were used since the last time. */
  readonly writeUsed = async (): Promise<void> => {
    if (this.#used.size === 0) return
    const used = [...this.#used]
    this.#used = new Map()
    await sql`
      update api_key set used_at = greatest(used_at, to_timestamp(noted.at)), used_ip = noted.ip
      from unnest(
        ${used.map(([id]) => id)}::bigint[], ${used.map(([, { at }]) => at / 1000)}::float8[],
        ${used.map(([, { ip }]) => ip)}::text[]
      ) as noted (id, at, ip)
      where api_key.id = noted.id`.execute(this.#deps.db)
  }
}
