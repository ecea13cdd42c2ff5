/** Mounts contract endpoints: one path, one check, one envelope for all of them. */

import { parseInput } from '@ithings/contract/describe-issue.ts'
import type { BodyOutput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { ok } from '@ithings/contract/envelope.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { dropNulls } from '@ithings/contract/wire.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { askedLanguage, sayAnswer } from './answer-language.ts'
import { checkBody } from './body-check.ts'
import { receiveForm, type UploadedFile } from './receive-form.ts'
import type { KeyLimits, RequestContext, SignedInContext, SignedInUser } from './request-context.ts'

type ContextOf<E extends Endpoint> = E['access'] extends 'public' ? RequestContext : SignedInContext
type Handler<E extends Endpoint> = (input: BodyOutput<E>, ctx: ContextOf<E>) => Promise<DataOf<E>> | DataOf<E>

export interface RouteOptions {
  /** Calls a minute and address; only for what strangers may call. */
  perMinute?: number
  /** Bytes of a form's file, by its fields so far; absent: the endpoint's own limit. A refusal is told after the form. */
  formLimit?(user: SignedInUser, fields: Record<string, unknown>): Promise<number>
}

export interface MountedEndpoint {
  endpoint: Endpoint
  run(input: unknown, ctx: RequestContext, file?: UploadedFile): Promise<unknown>
  options: RouteOptions
}

/** Ties a handler to its endpoint; the compiler checks input, answer and who may call. */
export const on = <E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  options: RouteOptions = {},
): MountedEndpoint => ({
  endpoint,
  run: async (input, ctx) => handler(input as BodyOutput<E>, ctx as ContextOf<E>),
  options,
})

/** The second factor: nothing against the caller, given too long ago for dangerous acts, or demanded and not there. */
export type FactorState = 'none' | 'stale' | 'missing'

/** Calls of a key in this minute; `left` is below 0 when there were too many. */
export interface Rate {
  limit: number
  left: number
  /** Until the next minute. */
  seconds: number
}

interface Caller {
  user: SignedInUser
  renewed?: string
  factor?: FactorState
  rate?: Rate
  /** Milliseconds; absent: never. */
  expiresAt?: number
}

export interface Gate {
  /** Who is calling? Throws a token error, or answers with a renewed token when half of the life is over. */
  identify(credential: string | undefined, ip?: string): Promise<Caller>
  /** May this role call this endpoint? */
  allows(role: number, endpoint: Endpoint): Promise<boolean>
}

export const tokenHeader = 'ithings-token'
export const setTokenHeader = 'iThings-set-token'

/** The session's token, or an API key as most programs send it. */
const credentialOf = ({ headers }: FastifyRequest): string | undefined => {
  const token = headers[tokenHeader]
  return (Array.isArray(token) ? token[0] : token) ?? /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** As draft-ietf-httpapi-ratelimit-headers names them, in the spelling that most clients know. */
function holdRate({ limit, left, seconds }: Rate, reply: FastifyReply): void {
  reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': Math.max(0, left),
    'x-ratelimit-reset': seconds,
  })
  if (left >= 0) return
  reply.header('retry-after', seconds)
  throw new AppError(errors.rateLimited)
}

function refuseBeyondKey(endpoint: Endpoint, { apis }: KeyLimits): void {
  const name = phrase(endpoint.name)
  const refused = (detail: Phrase) => new AppError(errors.permission, { detail })
  if (endpoint.personal) throw refused(phrase('「{name}」只能登录后操作，不能用 API 密钥', { name }))
  if (apis.has(endpoint.path)) return
  if (apis.size > 0) throw refused(phrase('这个 API 密钥不含「{name}」', { name }))
  if (endpoint.fresh) throw refused(phrase('「{name}」须在 API 密钥中单独选定', { name }))
}

/** May the caller, and may his key? */
export async function requireRight(endpoint: Endpoint, user: SignedInUser, gate: Pick<Gate, 'allows'>): Promise<void> {
  if (user.key) refuseBeyondKey(endpoint, user.key)
  if (endpoint.access !== 'role' || (await gate.allows(user.role, endpoint))) return
  throw refusal(errors.permission, '你的角色没有「{name}」的权限', { name: phrase(endpoint.name) })
}

/** What the handler is given: checked, and of a key that is limited no more than it may ask for. */
export async function inputOf(endpoint: Endpoint, raw: unknown, user: SignedInUser | undefined): Promise<unknown> {
  checkBody(raw)
  const input = parseInput(endpoint.body, dropNulls(raw ?? {}))
  return user?.key?.narrow?.(endpoint, input) ?? input
}

/**
 * Who is calling? Counted against the rate of a key, and kept with the request.
 * @param credential where callers send it in another way than the usual ones
 */
export async function identifyCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  gate: Pick<Gate, 'identify'>,
  credential = credentialOf(request),
): Promise<{ user: SignedInUser; factor: FactorState }> {
  const { user, renewed, factor = 'none', rate } = await gate.identify(credential, request.ip)
  request.caller = { ...user, language: askedLanguage(request.headers['accept-language']) ?? user.language }
  if (rate) holdRate(rate, reply)
  if (renewed) {
    reply.header(setTokenHeader, renewed)
    reply.header('Access-Control-Expose-Headers', setTokenHeader)
  }
  return { user: request.caller, factor }
}

/** Who is calling, and may they? Also for what is no endpoint but serves one. @param credential as of identifyCaller */
export async function passGate(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  gate: Gate,
  credential?: string,
): Promise<SignedInUser> {
  const { user, factor } = await identifyCaller(request, reply, gate, credential)
  if (factor === 'missing' && !endpoint.enrolling) throw new AppError(errors.secondFactorMissing)
  await requireRight(endpoint, user, gate)
  if (factor === 'stale' && endpoint.fresh) throw new AppError(errors.secondFactorStale)
  return user
}

/** What the handler has to say to what the caller sent. Rights are the business of whoever asks. */
export async function answerOf(
  { endpoint, run }: MountedEndpoint,
  raw: unknown,
  ctx: RequestContext & { user: SignedInUser | undefined },
  file?: UploadedFile,
): Promise<unknown> {
  const data = await run(await inputOf(endpoint, raw, ctx.user), ctx, file)
  // Parsing drops what the contract does not name, so that no column leaks by accident.
  return endpoint.data.parse(data)
}

function receive({ endpoint, options }: MountedEndpoint, request: FastifyRequest) {
  if (!endpoint.multipart) return undefined
  const { maxBytes } = endpoint.multipart
  const { caller } = request
  const { formLimit } = options
  return receiveForm(request, maxBytes, caller && formLimit ? (fields) => formLimit(caller, fields) : undefined)
}

export function mount(app: FastifyInstance, mounted: MountedEndpoint, gate: Gate): void {
  const { endpoint, options } = mounted
  const { bodyBytes } = endpoint
  const guarded = endpoint.access !== 'public'
  app.post(
    endpoint.path,
    {
      // Strangers may not make the server hold more than the usual limit.
      ...(bodyBytes !== undefined && guarded
        ? {
            bodyLimit: bodyBytes,
            onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
              await passGate(endpoint, request, reply, gate)
            },
          }
        : {}),
      config: {
        endpoint,
        slowBody: endpoint.multipart !== undefined,
        rateLimit: options.perMinute ? { max: options.perMinute, timeWindow: 60_000 } : false,
      },
    },
    async (request, reply) => {
      if (guarded && !request.caller) await passGate(endpoint, request, reply, gate)
      const form = await receive(mounted, request)
      if (form) request.body = form.fields
      const ctx: RequestContext & { user: SignedInUser | undefined } = {
        requestID: request.id,
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? '',
        language: askedLanguage(request.headers['accept-language']),
        log: request.log,
        user: request.caller,
      }
      try {
        const answer = await answerOf(mounted, request.body, ctx, form?.file)
        reply.type('application/json; charset=utf-8').serializer((body) => sayAnswer(body, request))
        return endpoint.unwrapped ? answer : ok(answer)
      } finally {
        await form?.discard()
      }
    },
  )
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: SignedInUser | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}
