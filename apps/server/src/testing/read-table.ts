/** Reads the files of exports back, by other means than they were written with. */
import { ZipBuffer } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'

export interface ReadCell {
  /** As Excel has it: `inlineStr`, `b`, or a number without a word. */
  type: string
  style: string
  value: string | number | boolean
}

export interface ReadSheet {
  name: string
  frozen: boolean
  /** By the letters of its column. */
  rows: Record<string, ReadCell>[]
}

const plain = (xml: string): string =>
  xml
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const attribute = (attributes: string, name: string): string =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''

function readCell(attributes: string, content: string): ReadCell {
  const type = attribute(attributes, 't')
  const style = attribute(attributes, 's')
  if (type === 'inlineStr') return { type, style, value: plain(/<t[^>]*>([\s\S]*?)<\/t>/.exec(content)?.[1] ?? '') }
  const value = Number(/<v>(.*?)<\/v>/.exec(content)?.[1])
  return { type, style, value: type === 'b' ? value === 1 : value }
}

function readRow(xml: string): Record<string, ReadCell> {
  const cells = [...xml.matchAll(/<c ([^>]*)>([\s\S]*?)<\/c>/g)]
  return Object.fromEntries(
    cells.map(([, attributes = '', content = '']) => [
      attribute(attributes, 'r').replace(/\d+$/, ''),
      readCell(attributes, content),
    ]),
  )
}

export function readXlsx(file: Uint8Array): ReadSheet[] {
  const zip = new ZipBuffer(file)
  const part = (name: string): string => zip.get(name).contentSync().toString('utf8')
  const relations = part('xl/_rels/workbook.xml.rels')
  const targetOf = (id: string): string => {
    const [one = ''] = new RegExp(`<Relationship Id="${id}"[^>]*>`).exec(relations) ?? []
    return attribute(one, 'Target')
  }
  return [...part('xl/workbook.xml').matchAll(/<sheet ([^>]*)\/>/g)].map(([, attributes = '']) => {
    const xml = part(`xl/${targetOf(attribute(attributes, 'r:id'))}`)
    return {
      name: plain(attribute(attributes, 'name')),
      frozen: /<pane ySplit="1"[^>]*state="frozen"/.test(xml),
      rows: [...xml.matchAll(/<row [^>]*>([\s\S]*?)<\/row>/g)].map(([, row = '']) => readRow(row)),
    }
  })
}

/** The values of each row in the order of columns; what is empty is undefined. */
export const xlsxValues = ({ rows }: ReadSheet): (ReadCell['value'] | undefined)[][] => {
  const letters = Object.keys(rows[0] ?? {})
  return rows.map((row) => letters.map((letter) => row[letter]?.value))
}

export const readParquet = (file: Uint8Array): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: file.slice().buffer as ArrayBuffer })
