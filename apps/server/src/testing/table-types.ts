/** Reads the row types of db/tables as text, so that a test can hold them against the real database. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const dbDir = fileURLToPath(new URL('../db', import.meta.url))

export interface ColumnType {
  /** TypeScript type without wrappers: number, string, Date ... */
  base: string
  nullable: boolean
  generated: boolean
}

export type TableTypes = Record<string, Record<string, ColumnType>>

/** Sealed ones, and texts of which only some are allowed: unions of literals, and those that the contract has a name for. */
const textTypes =
  /^(Sealed|TriggerType|ChannelType|ChannelLanguage|ForwardForm|ForwardSource|TargetType|FactorTrust|PlanOrigin|'[^']*'( \| '[^']*')*)$/

function columnType(text: string): ColumnType {
  const json = /^(Json|JsonDefault)<.+>$/.exec(text.trim())
  if (json) return { base: 'Json', nullable: false, generated: json[1] === 'JsonDefault' }
  const wrapped = /^Generated(?:Always)?<(.+)>$/.exec(text.trim())
  const inner = wrapped?.[1] ?? text.trim()
  const parts = inner.split('|').map((part) => part.trim())
  const base = parts.filter((part) => part !== 'null').join(' | ')
  return {
    base: textTypes.test(base.replace(/\[\]$/, '')) ? base.replace(/^.*?(\[\])?$/, 'string$1') : base,
    nullable: parts.includes('null'),
    generated: wrapped !== null,
  }
}

function parseInterfaces(source: string): Map<string, Record<string, ColumnType>> {
  const found = new Map<string, Record<string, ColumnType>>()
  for (const [, name, body] of source.matchAll(/export interface (\w+) \{([\s\S]*?)\n\}/g)) {
    const columns: Record<string, ColumnType> = {}
    for (const [, column, type] of (body ?? '').matchAll(/^ {2}(\w+): (.+)$/gm)) {
      if (column && type) columns[column] = columnType(type)
    }
    if (name) found.set(name, columns)
  }
  return found
}

export async function readTableTypes(): Promise<TableTypes> {
  const files = await readdir(`${dbDir}/tables`)
  const sources = await Promise.all(files.map((file) => readFile(`${dbDir}/tables/${file}`, 'utf8')))
  const interfaces = new Map(sources.flatMap((source) => [...parseInterfaces(source)]))
  const schema = parseInterfaces(await readFile(`${dbDir}/schema.ts`, 'utf8')).get('Schema') ?? {}
  return Object.fromEntries(
    Object.entries(schema).map(([table, type]) => {
      const columns = interfaces.get(type.base)
      if (!columns) throw new Error(`schema.ts names ${type.base}, which db/tables does not have`)
      return [table, columns]
    }),
  )
}
