/** What happened, before a rule has looked at it: rows of the sources in one shape. */
import type { ForwardSource } from '@ithings/contract/features/forwarding/rules.ts'
import { fill, sayKept } from '@ithings/contract/text.ts'
import type { ForwardMessage } from '#ports/forward-target.ts'
import { JournalKind, traceIDOf } from '#ports/journal.ts'
import type { AlarmRow, OperationRow, TailRow } from '#ports/journal-tail.ts'

export interface RawMessage {
  id: string
  source: ForwardSource
  time: number
  /** Received, ms: what its lag is measured by. */
  at: number
  /** 0: it is known by name, or concerns no device. */
  deviceID: number
  productID: string
  deviceName: string
  identifier: string
  readonly data: Record<string, unknown>
  /** The same as JSON text, where it is there already: most messages are sent without being taken apart. */
  dataText?: string | undefined
  /** In our form, for all rules that want it whole. */
  written?: ForwardMessage | undefined
  /** Days until the source forgets it; 0: longer than anybody waits. */
  logDays: number
}

const commandMethods = new Set(['control', 'controlReply', 'action', 'actionReply', 'getReport', 'getReportReply'])

/** Of kept sentences, as JSON writes it. */
const sentenceMark = '\\u0001'
const said = (_: string, value: unknown) => (typeof value === 'string' ? sayKept(value, fill) : value)

function objectOf(text: string): Record<string, unknown> {
  try {
    const hasSentences = text.includes(sentenceMark)
    const value: unknown = hasSentences ? JSON.parse(text, said) : JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value }
  } catch {
    return { value: text }
  }
}

function sourceOf(row: TailRow): ForwardSource | undefined {
  if (row.kind === JournalKind.connected || row.kind === JournalKind.disconnected) return 'presence'
  if (row.adds) return row.kind === JournalKind.event ? 'event' : 'property'
  return row.said && commandMethods.has(row.said.method) ? 'command' : undefined
}

const nothingSaid = { up: true, method: '', token: '', code: 0, msg: '' }

const dataOf = (row: TailRow, source: ForwardSource): Record<string, unknown> => {
  const content = objectOf(row.content)
  if (source === 'presence') return { online: row.kind === JournalKind.connected, ...content }
  const { up, method, token, code, msg: words } = row.said ?? nothingSaid
  const msg = words && { msg: sayKept(words, fill) }
  return { direction: up ? 'up' : 'down', method, clientToken: token, code, ...msg, content }
}

/** Values or an event, as they lie in the journal. */
class Report implements RawMessage {
  readonly id: string
  readonly source: ForwardSource
  readonly time: number
  readonly at: number
  readonly deviceID: number
  readonly productID: string
  deviceName = ''
  readonly identifier: string
  readonly dataText: string
  readonly logDays: number
  written: ForwardMessage | undefined
  #data: Record<string, unknown> | undefined

  constructor(row: TailRow, source: ForwardSource) {
    this.id = traceIDOf(row)
    this.source = source
    this.time = row.deviceTime || row.at
    this.at = row.at
    this.deviceID = row.deviceID
    this.productID = row.productID
    this.identifier = row.dataID
    this.dataText = row.content
    this.logDays = row.logDays
  }

  get data(): Record<string, unknown> {
    this.#data ??= objectOf(this.dataText)
    return this.#data
  }
}

function makeFromJournal(row: TailRow): RawMessage | undefined {
  const source = sourceOf(row)
  if (!source) return undefined
  if (source === 'property' || source === 'event') return new Report(row, source)
  const { at, deviceID, productID, dataID: identifier, logDays } = row
  return {
    id: traceIDOf(row),
    source,
    time: at,
    at,
    deviceID,
    productID,
    deviceName: '',
    identifier,
    data: dataOf(row, source),
    logDays,
  }
}

const isMessage = (one: RawMessage | undefined): one is RawMessage => one !== undefined
const made = new WeakMap<readonly TailRow[], RawMessage[]>()

/** Once for all rules that read the portion, without lines of the log that no rule sends, like a refused report. */
export function fromJournal(rows: readonly TailRow[]): RawMessage[] {
  const known = made.get(rows) ?? rows.map(makeFromJournal).filter(isMessage)
  made.set(rows, known)
  return known
}

export const fromAlarm = ({ at, number, act, productID, deviceName, ...row }: AlarmRow): RawMessage => {
  const { deviceID, recordID, alarmID, alarmName, level, sceneID, sceneName, text, userName } = row
  const data = { act, recordID, alarmID, alarmName, level, sceneID, sceneName, text: sayKept(text, fill), userName }
  const named = { productID, deviceName, identifier: String(alarmID), deviceID }
  return { id: `alarm-${number}`, source: 'alarm', time: at, at, ...named, data, logDays: 0 }
}

export const fromOperation = ({ id, at, ...row }: OperationRow): RawMessage => {
  const { userName, name, uri, address, code, msg, req } = row
  const data = { userName, name: sayKept(name, fill), uri, address, code, msg: sayKept(msg, fill), req }
  const named = { productID: '', deviceName: '', identifier: '', deviceID: 0 }
  return { id: `operation-${id}`, source: 'operation', time: at, at, ...named, data, logDays: 0 }
}
