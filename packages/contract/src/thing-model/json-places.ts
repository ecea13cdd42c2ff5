/** Where things stand in a JSON text, so that a fault of an imported model can be shown at its line. */
import { t } from '#text.ts'
import { maxJsonDepth } from './limits.ts'

export interface JsonPlace {
  line: number
  members: Map<string, JsonPlace>
  /** Value of its member `identifier`: paths of model faults name list items by it. */
  identifier: string | undefined
}

export class JsonFault extends Error {
  readonly line: number
  readonly column: number

  constructor(text: string, line: number, column: number) {
    super(text)
    this.name = 'JsonFault'
    this.line = line
    this.column = column
  }
}

const blank = /[ \t\r\n]/
/** A number or a word: whatever stands between the signs of JSON. */
const plainToken = /[^\s,:[\]{}"]+/y

function isJson(token: string): boolean {
  try {
    JSON.parse(token)
    return true
  } catch {
    return false
  }
}

class Scanner {
  readonly #text: string
  #at = 0
  #line = 1
  #lineStart = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): JsonPlace {
    const { place } = this.#value(1)
    this.#skip()
    if (this.#at < this.#text.length) throw this.#fault(t('多余的内容 {shown}', { shown: this.#shown() }))
    return place
  }

  #shown(): string {
    const [first] = this.#text.slice(this.#at, this.#at + 2)
    return first === undefined ? t('（已到结尾）') : first
  }

  #fault(text: string): JsonFault {
    return new JsonFault(text, this.#line, this.#at - this.#lineStart + 1)
  }

  /** New lines stand between tokens only: inside of a text they are a fault. */
  #skip(): void {
    for (; this.#at < this.#text.length && blank.test(this.#text.charAt(this.#at)); this.#at++) {
      if (this.#text[this.#at] !== '\n') continue
      this.#line++
      this.#lineStart = this.#at + 1
    }
  }

  #take(sign: string): boolean {
    this.#skip()
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #expect(signs: string): void {
    if (![...signs].some((sign) => this.#take(sign)))
      throw this.#fault(t('应为 {signs}，收到 {shown}', { signs: [...signs].join(t(' 或 ')), shown: this.#shown() }))
  }

  #value(depth: number): { place: JsonPlace; text: string | undefined } {
    if (depth > maxJsonDepth) throw this.#fault(t('嵌套超过 {max} 层', { max: maxJsonDepth }))
    this.#skip()
    const place: JsonPlace = { line: this.#line, members: new Map(), identifier: undefined }
    if (this.#take('{')) this.#object(place, depth)
    else if (this.#take('[')) this.#array(place, depth)
    else if (this.#text[this.#at] === '"') return { place, text: this.#string() }
    else this.#plain()
    return { place, text: undefined }
  }

  #object(place: JsonPlace, depth: number): void {
    if (this.#take('}')) return
    do {
      this.#skip()
      if (this.#text[this.#at] !== '"') throw this.#fault(t('应为键名，收到 {shown}', { shown: this.#shown() }))
      const key = this.#string()
      this.#expect(':')
      const member = this.#value(depth + 1)
      place.members.set(key, member.place)
      if (key === 'identifier') place.identifier = member.text
    } while (this.#take(','))
    this.#expect('}')
  }

  #array(place: JsonPlace, depth: number): void {
    if (this.#take(']')) return
    do place.members.set(String(place.members.size), this.#value(depth + 1).place)
    while (this.#take(','))
    this.#expect(']')
  }

  #string(): string {
    let end = this.#at + 1
    while (end < this.#text.length && this.#text[end] !== '"' && this.#text[end] !== '\n') {
      end += this.#text[end] === '\\' ? 2 : 1
    }
    const token = this.#text.slice(this.#at, end + 1)
    if (!isJson(token)) throw this.#fault(t('文本没有结束，或含有不允许的字符'))
    this.#at = end + 1
    return JSON.parse(token) as string
  }

  #plain(): void {
    plainToken.lastIndex = this.#at
    const token = plainToken.exec(this.#text)?.[0] ?? ''
    if (token === '') throw this.#fault(t('应为一个值，收到 {shown}', { shown: this.#shown() }))
    if (!isJson(token)) throw this.#fault(t('不认识的内容 {token}', { token: token.slice(0, 20) }))
    this.#at += token.length
  }
}

/** Throws a JsonFault where the text stops being JSON, or where it is nested too deeply. */
export const readPlaces = (text: string): JsonPlace => new Scanner(text).document()

/** The last of several items with one identifier: that is the one to be mended. */
function step(place: JsonPlace, part: string): JsonPlace | undefined {
  return place.members.get(part) ?? [...place.members.values()].findLast((member) => member.identifier === part)
}

/** The line of a path like `properties.temp.define.max`, or of the nearest thing around it. */
export function lineOf(root: JsonPlace, path: string): number {
  let place = root
  for (const part of path.split('.')) {
    const next = step(place, part)
    if (!next) break
    place = next
  }
  return place.line
}
