/** The data type of a property, parameter or member: "Define" of thing-model.md 1. Every number is a string. */
import * as z from 'zod'
import { isRecord } from '#is-record.ts'

export const DataType = {
  bool: 'bool',
  int: 'int',
  string: 'string',
  struct: 'struct',
  float: 'float',
  timestamp: 'timestamp',
  array: 'array',
  enum: 'enum',
} as const
export type DataType = (typeof DataType)[keyof typeof DataType]
export const dataTypeLabels: Record<DataType, string> = {
  bool: '布尔型',
  int: '整数型',
  string: '字符串',
  float: '浮点型',
  enum: '枚举整型',
  timestamp: '时间型',
  struct: '结构体',
  array: '数组',
}

export interface Define {
  type: DataType
  /** bool: exactly "0" and "1"; enum: integer texts. */
  mapping?: Record<string, string>
  min?: string
  /** int, float: upper bound; string: most bytes. */
  max?: string
  start?: string
  step?: string
  unit?: string
  /** struct */
  specs?: Spec[]
  /** array: the element. */
  arrayInfo?: Define
}

/** A struct member; on the wire its type is under `dataType`, not `define`. */
export interface Spec {
  identifier: string
  name: string
  dataType: Define
}

export interface Param {
  identifier: string
  name: string
  define: Define
}

/** Which keys belong to which type (thing-model.md 1). */
const keysOfType: Record<DataType, readonly string[]> = {
  bool: ['mapping'],
  enum: ['mapping'],
  int: ['min', 'max', 'start', 'step', 'unit'],
  float: ['min', 'max', 'start', 'step', 'unit'],
  string: ['max'],
  timestamp: [],
  struct: ['specs'],
  array: ['arrayInfo'],
}

/** Existing consoles send leftovers of their forms, like `arrayInfo: {}`: what the type does not need is not looked at. */
function withoutForeignKeys(raw: unknown): unknown {
  if (!isRecord(raw)) return raw
  const own = keysOfType[raw.type as DataType] ?? []
  return Object.fromEntries(Object.entries(raw).filter(([key]) => key === 'type' || own.includes(key)))
}

/** They also send numbers for texts. */
const numberText = z.union([z.string(), z.number().transform(String)]).optional()

export const rawDefine: z.ZodType<RawDefine> = z.lazy(() =>
  z.preprocess(
    withoutForeignKeys,
    z.object({
      type: z.enum(DataType),
      mapping: z.record(z.string(), z.union([z.string(), z.number().transform(String)])).optional(),
      min: numberText,
      max: numberText,
      start: numberText,
      step: numberText,
      unit: z.string().optional(),
      specs: z.array(rawSpec).optional(),
      arrayInfo: rawDefine.optional(),
    }),
  ),
)

export interface RawDefine {
  type: DataType
  mapping?: Record<string, string> | undefined
  min?: string | undefined
  max?: string | undefined
  start?: string | undefined
  step?: string | undefined
  unit?: string | undefined
  specs?: RawSpec[] | undefined
  arrayInfo?: RawDefine | undefined
}

export interface RawSpec {
  identifier: string
  name: string
  dataType: RawDefine
}

const rawSpec: z.ZodType<RawSpec> = z.lazy(() =>
  z.object({ identifier: z.string(), name: z.string(), dataType: rawDefine }),
)

export const rawParam = z.object({ identifier: z.string(), name: z.string(), define: rawDefine })
