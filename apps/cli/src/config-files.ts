/** Configuration as files: YAML with several documents, or JSON; one object a file where a folder is written. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { describeError } from '@ithings/contract/describe-issue.ts'
import { type ConfigObject, configObject } from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import { parseAllDocuments, stringify } from 'yaml'
import { usageFailure } from './failure.ts'
import type { Place } from './place.ts'

const style = { lineWidth: 0, blockQuote: 'literal' } as const

/** Of anything, as it stands in a file: scripts as blocks, long lines uncut. */
export const objectText = (value: unknown): string => stringify(value, style)

/** `${NAME}` is a variable of the environment; `$${NAME}` is that text itself. */
const placeholder = /\$?\$\{([A-Z][A-Z0-9_]*)\}/g

function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => everyText(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, everyText(one, change)]))
}

/** Programs of scripts have placeholders of their own; nothing in them is replaced. */
const change = (object: ConfigObject, how: (text: string) => string): ConfigObject =>
  object.kind === 'script' ? object : { ...object, spec: everyText(object.spec, how) as ConfigObject['spec'] }

export const escapePlaceholders = (object: ConfigObject): ConfigObject =>
  change(object, (text) => text.replace(placeholder, (whole) => `$${whole}`))

function fillPlaceholders(object: ConfigObject, env: Place['env'], from: string): ConfigObject {
  return change(object, (text) =>
    text.replace(placeholder, (whole, name: string) => {
      if (whole.startsWith('$$')) return whole.slice(1)
      const value = env[name]
      if (value !== undefined) return value
      throw usageFailure(
        t('{from}：{kind}/{name} 需要环境变量 {variable}，它没有设置（要这段文字本身请写 $${text}）', {
          from,
          kind: object.kind,
          name: object.name,
          variable: name,
          text: `{${name}}`,
        }),
      )
    }),
  )
}

/** @param from where it comes from, for people */
export function readObjects(text: string, from: string, env: Place['env']): ConfigObject[] {
  const documents = parseAllDocuments(text, { prettyErrors: true })
  return [...documents].flatMap((document, i) => {
    const fault = document.errors[0]
    if (fault) throw usageFailure(t('{from} 不是 YAML：{fault}', { from, fault: fault.message.split('\n')[0] }))
    const value: unknown = document.toJS()
    if (value === null || value === undefined) return []
    return (Array.isArray(value) ? value : [value]).map((one) => {
      const { data, error } = configObject.safeParse(one)
      if (data) return fillPlaceholders(data, env, from)
      throw usageFailure(
        t('{from} 第 {number} 个文档：{fault}', { from, number: i + 1, fault: describeError(error).text }),
      )
    })
  })
}

const isObjectFile = (name: string) => /\.(ya?ml|json)$/.test(name)

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw usageFailure(t('没有文件或文件夹 {path}', { path }))
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && isObjectFile(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** Of files, folders with all below them, and - for the standard input. */
export async function loadObjects(place: Place, paths: readonly string[]): Promise<ConfigObject[]> {
  const seen = new Map<string, string>()
  const objects: ConfigObject[] = []
  for (const path of paths)
    for (const file of path === '-' ? ['-'] : await filesAt(path)) {
      const text = file === '-' ? await place.readInput() : await readFile(file, 'utf8')
      for (const object of readObjects(text, file, place.env)) {
        const key = `${object.kind}/${object.name}`
        const other = seen.get(key)
        if (other !== undefined) throw usageFailure(t('{key} 有两次：{other} 和 {file}', { key, other, file }))
        seen.set(key, file)
        objects.push(object)
      }
    }
  if (objects.length === 0) throw usageFailure(t('{paths} 中没有对象', { paths: paths.join(t('、')) }))
  return objects
}

/** A name that every system allows; what it does not is written as %XX. */
const fileName = (name: string): string =>
  name.replace(/[<>:"/\\|?*%\p{Cc}]|^\.|[. ]$/gu, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** kind/name.yaml of each; names that some systems take for the same get a number. */
export function filesOf(objects: readonly ConfigObject[]): Map<string, ConfigObject> {
  const files = new Map<string, ConfigObject>()
  const taken = new Set<string>()
  for (const object of objects) {
    let path = `${object.kind}/${fileName(object.name)}.yaml`
    for (let n = 2; taken.has(path.toLowerCase()); n++) path = `${object.kind}/${fileName(object.name)}-${n}.yaml`
    taken.add(path.toLowerCase())
    files.set(path, object)
  }
  return files
}

export const objectsText = (objects: readonly ConfigObject[], json: boolean): string =>
  json ? `${JSON.stringify(objects, undefined, 2)}\n` : objects.map(objectText).join('---\n')

/** @returns files of the folder that belong to none of the objects */
export async function writeObjects(out: string, objects: readonly ConfigObject[]): Promise<string[]> {
  const extension = extname(out)
  if (extension !== '') {
    await mkdir(dirname(out), { recursive: true })
    await writeFile(out, objectsText(objects, extension === '.json'))
    return []
  }
  const files = filesOf(objects)
  const before = await filesAt(out).catch(() => [])
  for (const [path, object] of files) {
    await mkdir(dirname(join(out, path)), { recursive: true })
    await writeFile(join(out, path), objectText(object))
  }
  const written = new Set([...files.keys()].map((path) => join(out, path)))
  return before.filter((file) => !written.has(file))
}
