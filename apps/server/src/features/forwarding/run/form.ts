/** How a message is written: as our JSON, as CloudEvents 1.0, or by the script of the rule. */
import { type ForwardForm, forwardHandler } from '@ithings/contract/features/forwarding/rules.ts'
import { kept } from '@ithings/contract/text.ts'
import type { ForwardMessage } from '#ports/forward-target.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { RawMessage } from './raw-message.ts'

/** A message in its form; `fault`: the script did not make anything of it. */
export type Formed = { message: ForwardMessage; fault?: string }

const headOf = ({ id, source, time, productID, deviceName, identifier }: RawMessage) => ({
  id,
  source,
  time,
  productID,
  deviceName,
  ...(identifier && { identifier }),
})

const cloudEventOf = ({ id, source, time, productID, deviceName, identifier }: RawMessage) => ({
  specversion: '1.0',
  id,
  type: `ithings.${source}`,
  source: productID
    ? `/products/${encodeURIComponent(productID)}/devices/${encodeURIComponent(deviceName)}`
    : '/platform',
  ...(identifier && { subject: identifier }),
  time: new Date(time).toISOString(),
  datacontenttype: 'application/json',
})

/** What it says is taken apart only for targets that ask. */
class Written implements ForwardMessage {
  readonly #raw: RawMessage
  readonly id: string
  readonly source: ForwardMessage['source']
  readonly time: number
  readonly productID: string
  readonly deviceName: string
  readonly identifier: string
  readonly body: string
  readonly contentType: string

  constructor(raw: RawMessage, body: string, contentType: string) {
    this.#raw = raw
    this.id = raw.id
    this.source = raw.source
    this.time = raw.time
    this.productID = raw.productID
    this.deviceName = raw.deviceName
    this.identifier = raw.identifier
    this.body = body
    this.contentType = contentType
  }

  get data(): Record<string, unknown> {
    return this.#raw.data
  }
}

const formed = (raw: RawMessage, body: string, contentType: string): ForwardMessage =>
  new Written(raw, body, contentType)

const dataTextOf = (raw: RawMessage): string => raw.dataText ?? JSON.stringify(raw.data)

/** The head as an object, the content as the text that it is. */
const withData = (head: object, raw: RawMessage): string =>
  `${JSON.stringify(head).slice(0, -1)},"data":${dataTextOf(raw)}}`

/** `headOf` as text, without the object between: this is done with every message. */
function ourJson(raw: RawMessage): string {
  const { id, source, time, productID, deviceName, identifier } = raw
  const named = `"productID":${JSON.stringify(productID)},"deviceName":${JSON.stringify(deviceName)}`
  const about = identifier === '' ? named : `${named},"identifier":${JSON.stringify(identifier)}`
  return `{"id":"${id}","source":"${source}","time":${time},${about},"data":${dataTextOf(raw)}}`
}

async function byScript(raw: RawMessage, script: string, scripts: ScriptRunner): Promise<Formed | undefined> {
  const { ok, reason, error, value, bytes } = await scripts.run({
    script,
    handler: forwardHandler,
    input: { ...headOf(raw), data: raw.data },
  })
  // Nobody's fault: it is tried again with the rest of the portion.
  if (reason === 'busy') throw new Error('the scripts have no room now')
  if (!ok)
    return {
      message: formed(raw, ourJson(raw), 'application/json'),
      fault: kept('脚本出错：{error}', { error }),
    }
  if (bytes) return { message: formed(raw, Buffer.from(bytes).toString('utf8'), 'application/octet-stream') }
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return { message: formed(raw, value, 'text/plain; charset=utf-8') }
  return { message: formed(raw, JSON.stringify(value), 'application/json') }
}

/** undefined: the script does not want it sent. */
export type WriteForm = (raw: RawMessage) => Formed | Promise<Formed | undefined>

/** Rules that want the same message whole send the same bytes. */
function asJson(raw: RawMessage): Formed {
  raw.written ??= formed(raw, ourJson(raw), 'application/json')
  return { message: raw.written }
}

export function makeForm(form: ForwardForm, script: string, scripts: ScriptRunner): WriteForm {
  if (form === 'script') return (raw) => byScript(raw, script, scripts)
  if (form === 'json') return asJson
  return (raw) => ({ message: formed(raw, withData(cloudEventOf(raw), raw), 'application/cloudevents+json') })
}
