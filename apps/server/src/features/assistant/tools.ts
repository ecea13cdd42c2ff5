/** What an assistant is offered: every query of the contract as a tool that reads, and one tool that proposes changes. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BusinessType, type Endpoint } from '@ithings/contract/endpoint.ts'
import { toEnglish } from '@ithings/contract/english.ts'
import { AppError } from '@ithings/contract/errors.ts'
import { createPlan, exportConfig, readPlan } from '@ithings/contract/features/plans.ts'
import { startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { exportTask } from '@ithings/contract/features/task-results.ts'
import type { Tool as Definition } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { SignedInUser } from '#http/request-context.ts'
import { type Gate, type MountedEndpoint, requireRight } from '#http/route.ts'

/** Rows that a list answers when nobody says how many. */
export const usualPageSize = 20

export interface Tool {
  mounted: MountedEndpoint
  definition: Definition
  isPaged: boolean
}

/** Named for what they are for; all others after their path. */
const namesOfOwn = new Map([
  [exportConfig.path, 'export_config'],
  [createPlan.path, 'propose_changes'],
  [readPlan.path, 'read_plan'],
])

const toolName = ({ path }: Endpoint): string =>
  namesOfOwn.get(path) ?? path.replace('/api/v1/', '').replaceAll(/[^a-zA-Z0-9]+/g, '_')

const proposing =
  'Proposes changes of the configuration. Nothing changes by this call: it makes a plan, which a person sees as a difference in the console and approves or refuses. Give whole objects as export_config shows them (objects), names of what should go (remove), a short title and the reason. With prune, everything of the named kinds that is not among the objects is proposed for deletion. Give the person the address that is answered.'
const purposes = new Map([
  [createPlan.path, proposing],
  [
    exportConfig.path,
    'Products, thing models, scripts, channels, alarms, scenes and roles as objects: what propose_changes takes.',
  ],
  [readPlan.path, 'A plan: its state, who decided, and its changes.'],
])

/** Queries that begin a job: that changes something. */
const beginsJob = new Set([startBacktest.path, exportTask.path])

/** Strangers and chart tools have ways of their own; what answers secrets is no query. */
export const isForAssistants = (endpoint: Endpoint): boolean => {
  const { path, businessType, access, personal, fresh, asPrometheus, multipart } = endpoint
  if (path === createPlan.path) return true
  const reads = businessType === BusinessType.query && !beginsJob.has(path)
  return reads && access !== 'public' && !personal && !fresh && !asPrometheus && !multipart
}

type Schema = Record<string, unknown> & { anyOf?: Schema[]; properties?: Record<string, Schema> }

/** Numbers may be sent as texts, and '' for nothing (http-api.md 1): an assistant has no need of that. */
function plainOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainOf)
  if (schema === null || typeof schema !== 'object') return schema
  const { anyOf, minimum, maximum, ...rest } = schema as Schema
  const kinds = anyOf?.filter(({ pattern, const: only }) => pattern === undefined && only !== '')
  if (anyOf && kinds?.length === 1) return plainOf({ ...kinds[0], ...rest })
  const limits = {
    ...(minimum !== Number.MIN_SAFE_INTEGER && minimum !== undefined && { minimum }),
    ...(maximum !== Number.MAX_SAFE_INTEGER && maximum !== undefined && { maximum }),
    ...(anyOf && { anyOf }),
  }
  return Object.fromEntries(Object.entries({ ...rest, ...limits }).map(([name, member]) => [name, plainOf(member)]))
}

function inputSchemaOf({ body, path }: Endpoint): Schema {
  const { $schema: _, ...schema } = plainOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })) as Schema
  const { page, origin, ...properties } = schema.properties ?? {}
  const paging = `Left out: page 1 with ${usualPageSize} rows; "total" of the answer says how many there are.`
  return {
    ...schema,
    properties: {
      ...properties,
      ...(page && { page: { ...page, description: paging } }),
      // Who speaks is no choice of the assistant's.
      ...(origin && path !== createPlan.path && { origin }),
    },
  }
}

function toolOf(mounted: MountedEndpoint): Tool {
  const { endpoint } = mounted
  const { path, name, group } = endpoint
  const inputSchema = inputSchemaOf(endpoint)
  const english = toEnglish(name)
  const named = `${name} / ${english} (${group} / ${toEnglish(group)})`
  const purpose = purposes.get(path)
  return {
    mounted,
    isPaged: inputSchema.properties?.page !== undefined,
    definition: {
      name: toolName(endpoint),
      title: english,
      description: purpose ? `${named}. ${purpose}` : named,
      inputSchema: { ...inputSchema, type: 'object' } as Definition['inputSchema'],
      annotations: {
        readOnlyHint: path !== createPlan.path,
        destructiveHint: false,
        idempotentHint: path !== createPlan.path,
        openWorldHint: false,
      },
    },
  }
}

/** Made for the first assistant: most servers never have one. One at a turn, because devices must not wait for all. */
async function makeTools(routes: readonly MountedEndpoint[]): Promise<Map<string, Tool>> {
  const tools = new Map<string, Tool>()
  for (const mounted of routes.filter(({ endpoint }) => isForAssistants(endpoint))) {
    const tool = toolOf(mounted)
    tools.set(tool.definition.name, tool)
    await nextTurn()
  }
  return tools
}

async function mayUse({ mounted: { endpoint } }: Tool, user: SignedInUser, gate: Pick<Gate, 'allows'>) {
  try {
    await requireRight(endpoint, user, gate)
    return user.key?.reaches?.(endpoint) ?? true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

export function makeToolbox(routes: readonly MountedEndpoint[], gate: Pick<Gate, 'allows'>) {
  let made: Promise<Map<string, Tool>> | undefined
  const all = () => {
    made ??= makeTools(routes)
    return made
  }
  return {
    find: async (name: string) => (await all()).get(name),
    /** What this caller may use; only a list: each call is judged again. */
    async offered(user: SignedInUser): Promise<Definition[]> {
      const list = []
      for (const tool of (await all()).values()) if (await mayUse(tool, user, gate)) list.push(tool.definition)
      return list
    },
  }
}
export type Toolbox = ReturnType<typeof makeToolbox>
