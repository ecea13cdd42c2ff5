/** One call of a tool: the rights, the checks, the handler and the log of the endpoint behind it. */
import { successCode } from '@ithings/contract/envelope.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import {
  type ConfigChange,
  createPlan,
  exportConfig,
  previewConfig,
  readPlan,
} from '@ithings/contract/features/plans.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { saying } from '@ithings/contract/text.ts'
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { maskSecrets } from '#features/logs/door.ts'
import { translatorOf } from '#http/answer-language.ts'
import { toAnswer } from '#http/error-reply.ts'
import { isLogged } from '#http/operation-log-hook.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { answerOf, requireRight } from '#http/route.ts'
import { bodyLimitBytes } from '#http/server.ts'
import { consoleBase } from '#http/static-console.ts'
import { Turns } from '#http/turns.ts'
import type { AssistantDeps } from './assistant-deps.ts'
import { markData } from './mark-data.ts'
import { planDiff } from './plan-diff.ts'
import { type Tool, type Toolbox, usualPageSize } from './tools.ts'

/** Calls at work on this server; more wait for a moment. */
const atOnce = 8
const mostWaiting = 64
const patienceMs = 10_000

/** Plans in the console. */
const planPage = `${consoleBase}systemMangers/plan/index?plan=`

export interface Call {
  context: SignedInContext
  /** Whoever asked does not wait any more. */
  signal: AbortSignal
}

/** As the endpoint is called: a list without a size answers a page, and who proposes is the assistant. */
function bodyOf({ isPaged, mounted }: Tool, given: Record<string, unknown>): Record<string, unknown> {
  const page = isPaged && (given.page === undefined || isRecord(given.page))
  return {
    ...given,
    ...(page && { page: { size: usualPageSize, ...(given.page as object | undefined) } }),
    ...(mounted.endpoint.path === createPlan.path && { origin: 'assistant' }),
  }
}

function refuseHuge({ mounted }: Tool, body: unknown): void {
  const { bodyBytes = bodyLimitBytes } = mounted.endpoint
  if (Buffer.byteLength(JSON.stringify(body)) <= bodyBytes) return
  const megabytes = Math.floor(bodyBytes / 1024 / 1024)
  throw refusal(errors.outOfRange, '请求体超过 {megabytes} MB', { megabytes })
}

const withChanges = new Set([createPlan.path, readPlan.path, previewConfig.path])

/**
 * Without secrets, whoever may read them: an assistant hands on what it reads. Objects of configurations have none, and must
 * come back as they went. Changes are read as a difference, because both sides of each would seldom fit.
 */
function shown({ mounted: { endpoint } }: Tool, answer: unknown): unknown {
  if (endpoint.path === exportConfig.path) return answer
  if (!withChanges.has(endpoint.path) || !isRecord(answer)) return maskSecrets(answer)
  const { changes, ...rest } = answer
  return { ...rest, diff: planDiff(changes as ConfigChange[]) }
}

function notesOf({ mounted }: Tool, answer: unknown, { publicUrl }: AssistantDeps): string[] {
  if (mounted.endpoint.path !== createPlan.path) return []
  const { id } = answer as { id: number }
  return [
    `Plan ${id} was made; nothing has changed. A person sees and decides it at ${publicUrl()}${planPage}${id} (read_plan tells what became of it).`,
  ]
}

export function makeCaller(deps: AssistantDeps, { find }: Pick<Toolbox, 'find'>) {
  const turns = new Turns(atOnce, mostWaiting)

  function log({ mounted: { endpoint } }: Tool, { context }: Call, body: unknown, since: number, result: LogResult) {
    if (!isLogged(endpoint)) return
    const { user, ip, requestID } = context
    deps.record({ endpoint, user, ip, body, requestID, durationMs: Math.round(performance.now() - since), ...result })
  }

  async function ask(tool: Tool, call: Call, body: unknown): Promise<unknown> {
    const release = await turns.take(patienceMs)
    if (!release) throw refusal(errors.rateLimited, '同时进行的调用过多')
    try {
      call.signal.throwIfAborted()
      return await answerOf(tool.mounted, body, call.context)
    } finally {
      release()
    }
  }

  async function run(tool: Tool, call: Call, given: Record<string, unknown>): Promise<CallToolResult> {
    const by = translatorOf(call.context.user.language)
    const body = bodyOf(tool, given)
    const since = performance.now()
    try {
      await requireRight(tool.mounted.endpoint, call.context.user, deps.gate)
      refuseHuge(tool, body)
      const json = JSON.stringify((await ask(tool, call, body)) ?? {}, saying(by))
      log(tool, call, body, since, { answer: json, code: successCode, msg: 'success' })
      const answer: unknown = JSON.parse(json)
      return markData(shown(tool, answer), notesOf(tool, answer, deps))
    } catch (error) {
      const { status, error: failure } = toAnswer(error)
      const { log: lines, requestID } = call.context
      if (status >= 500 && !call.signal.aborted) lines.error({ err: error }, failure.message)
      const { code, field } = failure
      const said = { code, msg: failure.say(by), ...(field && { field }), requestID }
      log(tool, call, body, since, { answer: JSON.stringify(said), code, msg: failure.kept() })
      // A refusal may name things that strangers named.
      return markData(said, [], true)
    }
  }

  return async (name: string, given: Record<string, unknown>, call: Call): Promise<CallToolResult> => {
    const tool = await find(name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool: see tools/list')
    return run(tool, call, given)
  }
}

interface LogResult {
  answer: string
  code: number
  msg: string
}
