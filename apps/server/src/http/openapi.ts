/** The OpenAPI 3.1 document, made from the same definitions that the routes are made from. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { businessTypeLabels, type Endpoint } from '@ithings/contract/endpoint.ts'
import { failureEnvelope, successCode } from '@ithings/contract/envelope.ts'
import { promFailure } from '@ithings/contract/features/prom.ts'
import { fill, type Phrase, phrase, say, type Translate } from '@ithings/contract/text.ts'
import * as z from 'zod'

type JsonSchema = Record<string, unknown>

/** OpenAPI 3.1 schemas are JSON Schema 2020-12, which is what zod writes. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

export function successSchema(endpoint: Endpoint): JsonSchema {
  if (endpoint.unwrapped || endpoint.asPrometheus) return schemaOf(endpoint.data, 'output')
  const mayLack = endpoint.data.safeParse(undefined).success
  return {
    type: 'object',
    required: mayLack ? ['code', 'msg'] : ['code', 'msg', 'data'],
    additionalProperties: false,
    properties: {
      code: { const: successCode },
      msg: { type: 'string' },
      ...(endpoint.data.type === 'void' ? {} : { data: schemaOf(endpoint.data, 'output') }),
    },
  }
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
type FailureName = 'Failure' | 'PromFailure'
const failure = (description: string, name: FailureName) => ({
  description,
  content: json({ $ref: `#/components/schemas/${name}` }),
})

/** A multipart endpoint takes its body as form fields beside one file part. */
function requestContent(endpoint: Endpoint) {
  const schema = schemaOf(endpoint.body, 'input')
  if (endpoint.asPrometheus) return { 'application/x-www-form-urlencoded': { schema } }
  if (!endpoint.multipart) return json(schema)
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return { 'multipart/form-data': { schema: { allOf: [schema, { type: 'object', properties: { file } }] } } }
}

/** A session's token, or a key where it is not only for people. */
const securityOf = ({ access, personal }: Endpoint) =>
  access === 'public' ? [] : [{ token: [] }, ...(personal ? [] : [{ key: [] }])]

function operation(endpoint: Endpoint, by: Translate) {
  const type = by(businessTypeLabels[endpoint.businessType])
  const said = (sentence: Phrase) => failure(say(sentence, by), endpoint.asPrometheus ? 'PromFailure' : 'Failure')
  return {
    operationId: endpoint.path.replace('/api/v1/', '').replaceAll(/[/-]/g, '_'),
    summary: by(endpoint.name),
    description: say(phrase('业务类型：{type}；访问：{access}', { type, access: endpoint.access }), by),
    tags: [by(endpoint.group)],
    security: securityOf(endpoint),
    requestBody: { required: true, content: requestContent(endpoint) },
    responses: {
      200: { description: say(phrase('成功'), by), content: json(successSchema(endpoint)) },
      400: said(phrase('参数或业务错误')),
      ...(endpoint.access === 'public' ? {} : { 401: said(phrase('尚未登录或 token 失效')) }),
      ...(endpoint.access === 'role' ? { 403: said(phrase('权限不足')) } : {}),
    },
  }
}

/** One endpoint at a turn: all of them at once would keep a server from its devices for a good while. */
async function pathsOf(endpoints: readonly Endpoint[], by: Translate) {
  const paths: Record<string, { post: ReturnType<typeof operation> }> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { post: operation(endpoint, by) }
    await nextTurn()
  }
  return paths
}

export async function openApiDocument(endpoints: readonly Endpoint[], version: string, by: Translate = fill) {
  return {
    openapi: '3.1.0',
    info: { title: 'iThings Core API', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.group))].map((group) => ({ name: by(group) })),
    paths: await pathsOf(endpoints, by),
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'iThings-token' },
        key: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Failure: schemaOf(failureEnvelope, 'output'), PromFailure: schemaOf(promFailure, 'output') },
    },
  }
}
