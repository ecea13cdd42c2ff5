/**
 * Who is calling and what may they call: answered from memory, kept true by signals between servers.
 * The cache is the only place that decides; a permission costs no query once it is warm.
 */

import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { HttpMethod } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import { type Language, languageOf, phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { Signal } from '#ports/signal.ts'
import { makeSeenSessions, type SeenSessions } from './seen-sessions.ts'
import type { TokenClaims, Tokens } from './token.ts'
import { hasSecondFactor } from './user-wire.ts'

/** So long a code of the second factor or a passkey counts for dangerous acts. */
const freshMs = 15 * 60_000

/** Entries of each memory; the oldest goes first. */
const memoryLimit = 10_000

interface UserState {
  userName: string
  role: number
  isAllData: number
  status: number
  version: number
  /** Undefined: none was chosen. */
  language: Language | undefined
  secondFactor: boolean
  /** The role demands a second factor. */
  demanded: boolean
}

function remember<K, V>(memory: Map<K, V>, key: K, value: V): V {
  if (memory.size >= memoryLimit) {
    const oldest = memory.keys().next()
    if (!oldest.done) memory.delete(oldest.value)
  }
  memory.set(key, value)
  return value
}

const apiKey = (route: string, method: number): string => `${method} ${route}`

export interface AccessCacheDeps {
  db: Db
  clock: Clock
  signal: Signal
  tokens: Tokens
}

export class AccessCache implements Gate {
  readonly #deps: AccessCacheDeps
  readonly #claims = new Map<string, TokenClaims>()
  readonly #users = new Map<number, UserState | undefined>()
  readonly #roles = new Map<number, ReadonlySet<string>>()
  readonly #revoked = new Map<string, number>()
  readonly #seen: SeenSessions
  /** Raised by every notice: what was read before it must not be remembered after it. */
  #generation = 0
  /** False: sessions may have been signed out without our hearing of it. */
  #revokedKnown = false

  constructor(deps: AccessCacheDeps) {
    this.#deps = deps
    this.#seen = makeSeenSessions(deps.db, deps.clock)
    deps.signal.on('access.user', ({ userID }) => {
      this.#generation++
      userID === 0 ? this.#users.clear() : this.#users.delete(userID)
    })
    deps.signal.on('access.role', ({ roleID }) => {
      this.#generation++
      roleID === 0 ? this.#roles.clear() : this.#roles.delete(roleID)
      // What is known of a user says whether the role demands a second factor.
      this.#users.clear()
    })
    deps.signal.on('access.session', ({ sid, expiresAt }) => {
      this.#revoked.set(sid, expiresAt)
    })
    deps.signal.onGap(() => this.#forget())
  }

  async #loadRevoked() {
    const before = this.#generation
    const rows = await this.#deps.db
      .selectFrom('revoked_session')
      .selectAll()
      .where('expires_at', '>', new Date(this.#deps.clock.now()))
      .execute()
    for (const row of rows) this.#revoked.set(row.sid, row.expires_at.getTime())
    this.#revokedKnown = this.#deps.signal.connected && before === this.#generation
  }

  #forget() {
    this.#generation++
    this.#users.clear()
    this.#roles.clear()
    this.#revokedKnown = false
    if (this.#deps.signal.connected) this.#loadRevoked().catch(() => undefined)
  }

  async #readUser(userID: number): Promise<UserState | undefined> {
    const row = await this.#deps.db
      .selectFrom('app_user')
      .innerJoin('role', 'role.id', 'app_user.role_id')
      .select(['user_name', 'role_id', 'is_all_data', 'app_user.status', 'token_version', 'language'])
      .select(['totp_at', 'passkeys', 'second_factor'])
      .where('user_id', '=', userID)
      .executeTakeFirst()
    return (
      row && {
        userName: row.user_name,
        role: row.role_id,
        isAllData: row.is_all_data,
        status: row.status,
        version: row.token_version,
        language: languageOf(row.language),
        secondFactor: hasSecondFactor(row),
        demanded: row.second_factor,
      }
    )
  }

  async #userState(userID: number): Promise<UserState | undefined> {
    if (this.#deps.signal.connected && this.#users.has(userID)) return this.#users.get(userID)
    const before = this.#generation
    const state = await this.#readUser(userID)
    if (this.#deps.signal.connected && before === this.#generation) remember(this.#users, userID, state)
    return state
  }

  async #readRoleApis(role: number): Promise<ReadonlySet<string>> {
    const rows = await this.#deps.db
      .selectFrom('role_api')
      .innerJoin('role', 'role.id', 'role_api.role_id')
      .select(['route', 'method'])
      .where('role_id', '=', role)
      .where('role.status', '=', EnabledStatus.enabled)
      .execute()
    return new Set(rows.map((row) => apiKey(row.route, row.method)))
  }

  async #roleApis(role: number): Promise<ReadonlySet<string>> {
    const known = this.#deps.signal.connected ? this.#roles.get(role) : undefined
    if (known) return known
    const before = this.#generation
    const apis = await this.#readRoleApis(role)
    if (this.#deps.signal.connected && before === this.#generation) remember(this.#roles, role, apis)
    return apis
  }

  async #readClaims(token: string): Promise<TokenClaims> {
    const known = this.#claims.get(token)
    if (known && known.expiresAt * 1000 > this.#deps.clock.now()) return known
    this.#claims.delete(token)
    return remember(this.#claims, token, await this.#deps.tokens.read(token))
  }

  async #sessionRevoked(sid: string): Promise<boolean> {
    if (this.#revoked.has(sid)) return true
    if (this.#revokedKnown && this.#deps.signal.connected) return false
    const row = await this.#deps.db
      .selectFrom('revoked_session')
      .select('sid')
      .where('sid', '=', sid)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Reads what must be known before the first call. */
  start(): Promise<void> {
    return this.#loadRevoked()
  }

  /** Writes down which sessions called since the last time. */
  writeSeen(): Promise<void> {
    return this.#seen.write()
  }

  /** Whose key is it, and may he still do something? */
  async person(userID: number) {
    const state = await this.#userState(userID)
    if (state?.status !== EnabledStatus.enabled)
      throw new AppError(errors.tokenInvalid, { msg: phrase('账号已被禁用') })
    const factor = state.demanded && !state.secondFactor ? ('missing' as const) : ('none' as const)
    return { userName: state.userName, role: state.role, language: state.language ?? 'zh', factor }
  }

  async identify(token: string | undefined): ReturnType<Gate['identify']> {
    const { clock, tokens } = this.#deps
    if (!token) throw new AppError(errors.notLoggedIn)
    const claims = await this.#readClaims(token)
    const state = await this.#userState(claims.userID)
    if (!state || state.version !== claims.version || (await this.#sessionRevoked(claims.sid))) {
      throw new AppError(errors.tokenInvalid, { msg: phrase('登录状态已失效，请重新登录') })
    }
    if (state.status !== EnabledStatus.enabled) throw new AppError(errors.tokenInvalid, { msg: phrase('账号已被禁用') })
    this.#seen.note(claims)
    const { userName, role } = state
    const language = state.language ?? claims.language ?? 'zh'
    const vouched = claims.vouched ?? false
    const user = { userID: claims.userID, userName, role, sid: claims.sid, language, vouched }
    const stale = claims.factorAt * 1000 + freshMs < clock.now() ? 'stale' : 'none'
    const factor = state.secondFactor ? stale : state.demanded && !vouched ? 'missing' : 'none'
    const expiresAt = claims.expiresAt * 1000
    const left = expiresAt - clock.now()
    const half = left < (tokens.lifeSeconds * 1000) / 2
    // The last token of a session ends with it.
    if (!half || claims.expiresAt >= tokens.endOf(claims)) return { user, factor, expiresAt }
    const renewed = await tokens.issue({ userID: claims.userID, ...state }, claims)
    return { user, factor, expiresAt, renewed: renewed.accessToken }
  }

  // These two are handed on alone, so they must not lose their `this`.
  readonly allows = async (role: number, endpoint: Endpoint): Promise<boolean> => {
    if (role === BuiltInRole.admin) return true
    const apis = await this.#roleApis(role)
    return apis.has(apiKey(endpoint.path, HttpMethod.post))
  }

  /** Paths of the endpoints that the role would be refused. */
  readonly withheldFrom = async (role: number): Promise<string[]> => {
    if (role === BuiltInRole.admin) return []
    const apis = await this.#roleApis(role)
    const asked = allEndpoints.filter(
      ({ access, path }) => access === 'role' && !apis.has(apiKey(path, HttpMethod.post)),
    )
    return asked.map(({ path }) => path)
  }

  async revokeSession(sid: string): Promise<void> {
    const { db, clock, signal, tokens } = this.#deps
    // A token issued a moment ago lives for one more life at most.
    const expiresAt = clock.now() + tokens.lifeSeconds * 1000
    await db
      .insertInto('revoked_session')
      .values({ sid, expires_at: new Date(expiresAt) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db.deleteFrom('revoked_session').where('expires_at', '<', new Date(clock.now())).execute()
    for (const [known, until] of this.#revoked) if (until < clock.now()) this.#revoked.delete(known)
    await signal.send('access.session', { sid, expiresAt })
  }
}
