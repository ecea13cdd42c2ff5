/** Message parsing scripts (http-api.md 3.5; device-protocol.md 9), with draft, run and saved cases. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { int, strInt, text } from '../wire.ts'
import { productID } from './products.ts'

const { query, modify, act } = endpointsOf('消息解析')
/** Screens 0.4: at most 128 KB. */
export const maxScriptBytes = 128 * 1024
const script = z
  .string()
  .refine((code) => new TextEncoder().encode(code).length <= maxScriptBytes, '脚本不能超过 128 KB')

export const ScriptDirection = { up: 'up', down: 'down' } as const
export type ScriptDirection = (typeof ScriptDirection)[keyof typeof ScriptDirection]

export const testCase = z.object({
  name: text(64, 1),
  direction: z.enum(ScriptDirection),
  /** Function that is called, like thingPropertyUp. */
  handler: z.string().regex(/^[a-z]+[A-Z][A-Za-z]*(Up|Down)$/, '函数名形如 thingPropertyUp'),
  /** Up: hex text; down: JSON text. */
  input: z.string().max(65_536),
})
export type TestCase = z.output<typeof testCase>

export const productCustom = z.object({
  productID: z.string(),
  transformScript: z.string(),
  scriptLang: z.int(),
  customTopic: z.array(z.string()),
  /** Ours: the unpublished text, the saved cases and when the script was published. */
  draft: z.string(),
  cases: z.array(testCase),
  publishedTime: strInt,
  rev: z.int(),
})
export type ProductCustom = z.output<typeof productCustom>

export const readCustom = query('/api/v1/things/product/custom/read', '查看消息解析脚本', {
  body: z.object({ productID }),
  data: productCustom,
})

export const updateCustom = modify('/api/v1/things/product/custom/update', '发布消息解析脚本', {
  body: z.object({
    productID,
    transformScript: script.optional(),
    scriptLang: int(0, 3).optional(),
    customTopic: z.array(text(256, 1)).max(50).optional(),
    rev: int(0).optional(),
  }),
})

export const saveDraft = modify('/api/v1/things/product/custom/draft-save', '保存脚本草稿', {
  body: z.object({ productID, draft: script, cases: z.array(testCase).max(50).optional() }),
})

export const scriptResult = z.object({
  ok: z.boolean(),
  /** JSON text of what the function answered; bytes also as hex. */
  output: z.string(),
  outputHex: z.string(),
  logs: z.array(z.string()),
  error: z.string(),
  /** 1-based line of the script, 0 when unknown. */
  line: z.int(),
  milliseconds: z.number(),
  /** What the thing model says to the result. */
  modelIssues: z.array(z.string()),
})
export type ScriptResult = z.output<typeof scriptResult>

export const runScript = act('/api/v1/things/product/custom/run', '试运行脚本', {
  unlogged: true,
  body: z.object({
    productID,
    script,
    direction: z.enum(ScriptDirection),
    handler: testCase.shape.handler.optional(),
    input: z.string().max(65_536),
  }),
  data: scriptResult,
})
