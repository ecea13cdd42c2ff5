/** The parts of a workbook as XML. Strings are inline and typed as strings, so that nothing in them is a formula. */
import { dayMs } from '@ithings/contract/durations.ts'
import { type Cell, isNumeric, numberIn, type TableColumn, textIn, timeIn } from './table.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const typeOf = (part: string): string => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`

/** Excel refuses a file with a longer text in a cell. */
const longestText = 32_767
/** Days from Excel's beginning, the last of 1899, to 1970. It knows no time before 1900 and none after 9999. */
const epochDay = 25_569
const lastDay = 2_958_466

const style = { bold: 1, time: 2, timeWithMs: 3 } as const

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold.
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_x[0-9a-fA-F]{4}_/g
const hex = (char: string): string => char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')

/** What XML cannot hold is written as Excel does, `_x0007_`, and what only looks like that keeps its first character so. */
function escapeText(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text
  return cut
    .toWellFormed()
    .replace(notInXml, (found) => (found.length > 1 ? `_x005F${found}` : `_x${hex(found)}_`))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** A, B … Z, AA, AB … */
export function columnLetters(at: number): string {
  const rest = Math.floor(at / 26)
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (at % 26))
}

const textCell = (place: string, text: string, styled = ''): string =>
  text === ''
    ? ''
    : `<c r="${place}"${styled} t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`

const numberCell = (place: string, value: number, styled = ''): string => `<c r="${place}"${styled}><v>${value}</v></c>`

function timeCell(place: string, wall: number): string | undefined {
  const day = wall / dayMs + epochDay
  if (day < 1 || day >= lastDay) return undefined
  return numberCell(place, day, ` s="${wall % 1000 === 0 ? style.time : style.timeWithMs}"`)
}

function cellOf(type: TableColumn['type'], place: string, cell: Cell, wallOf: (ms: number) => number): string {
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (isNumeric(type)) {
    const value = numberIn(type, cell)
    if (value !== undefined) return numberCell(place, value)
  }
  if (type === 'time') {
    const time = timeIn(cell)
    const written = time === undefined ? undefined : timeCell(place, wallOf(time))
    if (written !== undefined) return written
    if (time !== undefined) return textCell(place, new Date(time).toISOString())
  }
  return textCell(place, textIn(cell))
}

/** Writes rows, which know their places. */
export function rowsOf(columns: TableColumn[], wallOf: (ms: number) => number) {
  const letters = columns.map((_, at) => columnLetters(at))
  return (rows: Cell[][], first: number): string =>
    rows
      .map((row, down) => {
        const place = first + down
        const cells = columns.map(({ type }, at) => cellOf(type, `${letters[at]}${place}`, row[at], wallOf))
        return `<row r="${place}">${cells.join('')}</row>`
      })
      .join('')
}

const widths: Record<TableColumn['type'], number> = { text: 24, number: 14, integer: 14, boolean: 10, time: 22 }

export function sheetStart(columns: TableColumn[]): string {
  const cols = columns.map(
    ({ type }, at) => `<col min="${at + 1}" max="${at + 1}" width="${widths[type]}" customWidth="1"/>`,
  )
  const heads = columns.map((column, at) => textCell(`${columnLetters(at)}1`, column.head, ` s="${style.bold}"`))
  return `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${
    cols.length > 0 ? `<cols>${cols.join('')}</cols>` : ''
  }<sheetData><row r="1">${heads.join('')}</row>`
}

export const sheetEnd = '</sheetData></worksheet>'

export const styles = `${head}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** How many sheets there will be is not known when this is written, so a part without a word of its own is a sheet. */
export const contentTypes = `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${typeOf('worksheet')}"/><Override PartName="/xl/workbook.xml" ContentType="${typeOf('sheet.main')}"/><Override PartName="/xl/styles.xml" ContentType="${typeOf('styles')}"/></Types>`

export const packageParts = `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

/** Names of sheets are at most 31 characters, without those that formulas need. */
function sheetName(title: string, number: number): string {
  const mark = number === 1 ? '' : ` (${number})`
  const plain = title.replaceAll(/[[\]:*?/\\']/g, ' ').trim() || 'Sheet'
  return plain.slice(0, 31 - mark.length).trim() + mark
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

/** The names of the sheets of one table. */
export const sheetNames = (title: string, sheets: number): string[] =>
  numbersTo(sheets).map((one) => sheetName(title, one))

export const workbook = (names: string[]): string =>
  `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names
    .map((name, at) => `<sheet name="${escapeText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
    .join('')}</sheets></workbook>`

export const workbookParts = (sheets: number): string =>
  `${head}<Relationships xmlns="${packageRelations}">${numbersTo(sheets)
    .map((one) => `<Relationship Id="rId${one}" Type="${relations}/worksheet" Target="worksheets/sheet${one}.xml"/>`)
    .join('')}<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`
