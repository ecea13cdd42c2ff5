/**
 * The answer that followed a message. Answers are not stored: which one it was follows from the protocol and from what
 * the journal keeps; what it does not keep is not claimed (device-protocol.md 5).
 */
import { type Dialect, dialectOf, methodOf, replyMethodOf, spellMethod } from '@ithings/contract/device/messages.ts'
import { kept } from '@ithings/contract/text.ts'
import { JournalKind } from '#ports/journal.ts'

export interface Answered {
  /** Whole, as it was sent. */
  topic: string
  method: string
  token: string
  code: number
  kind: number
  /** Of a refused message: what was received, as JSON text. */
  content: string
}

const accepted = 200
/** Whether an upgrade waited for the device then, and so whether it was answered, is not kept. */
const isVersionReport = (topic: string): boolean => topic.startsWith('$ota/up/report/')

/** The beginning of a refused message as its sender wrote it; undefined when it was accepted or is no text. */
function writtenIn({ code, content }: Answered): string | undefined {
  if (code === accepted) return undefined
  const text: unknown = JSON.parse(content)
  return typeof text === 'string' ? text : undefined
}

/**
 * `report` is spelt alike in both dialects: then the key of its token decides (decisions.md 2 "Device method names"),
 * which only a refused message shows.
 */
function tokenKeys(written: string | undefined, token: string): Array<string | undefined> {
  if (written !== undefined) return [/"msgToken"\s*:/.test(written) ? token : undefined]
  return token === '' ? [undefined] : [undefined, token]
}

/** @returns '' when there was none */
export function answerText(row: Answered, setting: Dialect): string {
  const { method, code, kind, topic, token } = row
  const asked = methodOf(method)
  const reply = asked && replyMethodOf(asked)
  if (!reply || kind === JournalKind.publish) return ''
  if (code === accepted && isVersionReport(topic)) return ''
  const written = writtenIn(row)
  if (written !== undefined && /"noAsk"\s*:\s*true/.test(written)) return ''
  const spelt = tokenKeys(written, token).map((msgToken) =>
    spellMethod(reply, dialectOf({ method, ...(msgToken !== undefined && { msgToken }) }, setting)),
  )
  const [one = '', other] = [...new Set(spelt)]
  const said = `${other === undefined ? one : kept('{one} 或 {other}', { one, other })} ${code}`
  return written === undefined ? kept('{said}（带 sys.noAsk 的消息不回复）', { said }) : said
}
