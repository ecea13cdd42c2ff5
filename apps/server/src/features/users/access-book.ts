/**
 * Who is calling and what may they call: answered from memory, kept true by signals between servers.
 * The book is the only place that decides; a permission costs no query once it is warm.
 */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { HttpMethod } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import type { Db } from '#db/schema.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { Signal } from '#ports/signal.ts'
import { makeSeenSessions } from './seen-sessions.ts'
import type { TokenClaims, Tokens } from './token.ts'

/** So long a code of the second factor counts for dangerous acts. */
const freshMs = 15 * 60_000

/** Entries of each memory; the oldest goes first. */
const memoryLimit = 10_000

interface UserState {
  userName: string
  role: number
  isAllData: number
  status: number
  version: number
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

export interface AccessBook extends Gate {
  /** Reads what must be known before the first call. */
  start(): Promise<void>
  revokeSession(sid: string): Promise<void>
  /** Paths of the endpoints that the role would be refused. */
  withheldFrom(role: number): Promise<string[]>
  /** Writes down which sessions called since the last time. */
  writeSeen(): Promise<void>
}

export interface AccessBookKit {
  db: Db
  clock: Clock
  signal: Signal
  tokens: Tokens
}

export function makeAccessBook({ db, clock, signal, tokens }: AccessBookKit): AccessBook {
  const claimsByToken = new Map<string, TokenClaims>()
  const users = new Map<number, UserState | undefined>()
  const roles = new Map<number, ReadonlySet<string>>()
  const revoked = new Map<string, number>()
  const seen = makeSeenSessions(db, clock)

  // Raised by every notice: what was read before it must not be remembered after it.
  let generation = 0

  // False: sessions may have been signed out without our hearing of it.
  let revokedKnown = false
  const loadRevoked = async () => {
    const before = generation
    const rows = await db
      .selectFrom('revoked_session')
      .selectAll()
      .where('expires_at', '>', new Date(clock.now()))
      .execute()
    for (const row of rows) revoked.set(row.sid, row.expires_at.getTime())
    revokedKnown = signal.connected && before === generation
  }

  const forget = () => {
    generation++
    users.clear()
    roles.clear()
    revokedKnown = false
    if (signal.connected) loadRevoked().catch(() => undefined)
  }
  signal.on('access.user', ({ userID }) => {
    generation++
    userID === 0 ? users.clear() : users.delete(userID)
  })
  signal.on('access.role', ({ roleID }) => {
    generation++
    roleID === 0 ? roles.clear() : roles.delete(roleID)
    // What is known of a user says whether the role demands a second factor.
    users.clear()
  })
  signal.on('access.session', ({ sid, expiresAt }) => {
    revoked.set(sid, expiresAt)
  })
  signal.onGap(forget)

  async function readUser(userID: number): Promise<UserState | undefined> {
    const row = await db
      .selectFrom('app_user')
      .innerJoin('role', 'role.id', 'app_user.role_id')
      .select(['user_name', 'role_id', 'is_all_data', 'app_user.status', 'token_version', 'totp_at', 'second_factor'])
      .where('user_id', '=', userID)
      .executeTakeFirst()
    return (
      row && {
        userName: row.user_name,
        role: row.role_id,
        isAllData: row.is_all_data,
        status: row.status,
        version: row.token_version,
        secondFactor: row.totp_at !== null,
        demanded: row.second_factor,
      }
    )
  }

  async function userState(userID: number): Promise<UserState | undefined> {
    if (signal.connected && users.has(userID)) return users.get(userID)
    const before = generation
    const state = await readUser(userID)
    if (signal.connected && before === generation) remember(users, userID, state)
    return state
  }

  async function readRoleApis(role: number): Promise<ReadonlySet<string>> {
    const rows = await db
      .selectFrom('role_api')
      .innerJoin('role', 'role.id', 'role_api.role_id')
      .select(['route', 'method'])
      .where('role_id', '=', role)
      .where('role.status', '=', EnabledStatus.enabled)
      .execute()
    return new Set(rows.map((row) => apiKey(row.route, row.method)))
  }

  async function roleApis(role: number): Promise<ReadonlySet<string>> {
    const known = signal.connected ? roles.get(role) : undefined
    if (known) return known
    const before = generation
    const apis = await readRoleApis(role)
    if (signal.connected && before === generation) remember(roles, role, apis)
    return apis
  }

  async function readClaims(token: string): Promise<TokenClaims> {
    const known = claimsByToken.get(token)
    if (known && known.expiresAt * 1000 > clock.now()) return known
    claimsByToken.delete(token)
    return remember(claimsByToken, token, await tokens.read(token))
  }

  async function sessionRevoked(sid: string): Promise<boolean> {
    if (revoked.has(sid)) return true
    if (revokedKnown && signal.connected) return false
    const row = await db.selectFrom('revoked_session').select('sid').where('sid', '=', sid).executeTakeFirst()
    return row !== undefined
  }

  return {
    start: loadRevoked,
    writeSeen: seen.write,

    async identify(token) {
      if (!token) throw new AppError(errors.notLoggedIn)
      const claims = await readClaims(token)
      const state = await userState(claims.userID)
      if (!state || state.version !== claims.version || (await sessionRevoked(claims.sid))) {
        throw new AppError(errors.tokenInvalid, { msg: '登录状态已失效，请重新登录' })
      }
      if (state.status !== EnabledStatus.enabled) throw new AppError(errors.tokenInvalid, { msg: '账号已被禁用' })
      seen.note(claims)
      const user = { userID: claims.userID, userName: state.userName, role: state.role, sid: claims.sid }
      const stale = claims.factorAt * 1000 + freshMs < clock.now() ? 'stale' : 'none'
      const factor = state.secondFactor ? stale : state.demanded ? 'missing' : 'none'
      const left = claims.expiresAt * 1000 - clock.now()
      const half = left < (tokens.lifeSeconds * 1000) / 2
      // The last token of a session ends with it.
      if (!half || claims.expiresAt >= tokens.endOf(claims)) return { user, factor }
      const renewed = await tokens.issue({ userID: claims.userID, ...state }, claims)
      return { user, factor, renewed: renewed.accessToken }
    },

    async allows(role: number, endpoint: Endpoint) {
      if (role === BuiltInRole.admin) return true
      const apis = await roleApis(role)
      return apis.has(apiKey(endpoint.path, HttpMethod.post))
    },

    async withheldFrom(role) {
      if (role === BuiltInRole.admin) return []
      const apis = await roleApis(role)
      const asked = allEndpoints.filter(
        ({ access, path }) => access === 'role' && !apis.has(apiKey(path, HttpMethod.post)),
      )
      return asked.map(({ path }) => path)
    },

    async revokeSession(sid) {
      // A token issued a moment ago lives for one more life at most.
      const expiresAt = clock.now() + tokens.lifeSeconds * 1000
      await db
        .insertInto('revoked_session')
        .values({ sid, expires_at: new Date(expiresAt) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await db.deleteFrom('revoked_session').where('expires_at', '<', new Date(clock.now())).execute()
      for (const [known, until] of revoked) if (until < clock.now()) revoked.delete(known)
      await signal.send('access.session', { sid, expiresAt })
    },
  }
}
