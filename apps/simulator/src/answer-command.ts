/** How a virtual thing answers the platform: control, action, getReport (device-protocol.md 5). */
import {
  type DeviceMessage,
  Dialect,
  dialectOf,
  replyMessage,
  spellMethod,
  successText,
} from '@ithings/contract/device/messages.ts'
import { toEnglish } from '@ithings/contract/english.ts'
import { errors } from '@ithings/contract/errors.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { type Language, speaking } from '@ithings/contract/text.ts'
import { PropertyMode } from '@ithings/contract/thing-model/model.ts'
import type { CompiledModel } from './compiled-model.ts'
import { deviceWords } from './device-words.ts'
import type { ThingValues } from './thing-values.ts'

export interface AnswerParts {
  compiled: CompiledModel
  values: ThingValues
  dialect: Dialect
  language?: Language | undefined
  /** Device time, milliseconds. */
  now(): number
}

class Refusal extends Error {
  readonly code: number
  constructor(code: number, text: string) {
    super(text)
    this.code = code
  }
}

const paramsOf = (message: DeviceMessage): Record<string, unknown> => (isRecord(message.params) ? message.params : {})

function control(message: DeviceMessage, { compiled, values, language }: AnswerParts): Record<string, unknown> {
  const words = deviceWords(language)
  const accepted: Array<[string, unknown]> = []
  for (const [identifier, raw] of Object.entries(paramsOf(message))) {
    const known = compiled.properties.get(identifier)
    if (!known) throw new Refusal(errors.parameter.code, words.noProperty(identifier))
    if (known.property.mode === PropertyMode.read) throw new Refusal(errors.parameter.code, words.readOnly(identifier))
    const coerced = known.coerce(raw, identifier)
    if (!coerced.ok) throw new Refusal(coerced.fault.code, coerced.fault.text)
    accepted.push([identifier, coerced.value])
  }
  for (const [identifier, value] of accepted) values.keep(identifier, value)
  return {}
}

function act(message: DeviceMessage, { compiled, values, language, now }: AnswerParts): Record<string, unknown> {
  const actionID = String(message.actionID)
  const known = compiled.actions.get(actionID)
  if (!known) throw new Refusal(errors.parameter.code, deviceWords(language).noAction(actionID))
  const params = paramsOf(message)
  for (const { identifier, coerce } of known.input) {
    const coerced = coerce(params[identifier], identifier)
    if (!coerced.ok) throw new Refusal(coerced.fault.code, coerced.fault.text)
  }
  const output = values.invent(known.action.identifier, known.action.output, now())
  // Under the names of older and of newer devices (device-protocol.md 1).
  return { actionID: known.action.identifier, response: output, data: output }
}

function getReport(message: DeviceMessage, { values, now }: AnswerParts): Record<string, unknown> {
  const asked = Array.isArray(message.identifiers) ? message.identifiers.map(String) : undefined
  const measured = values.measure(now(), asked)
  return { params: measured, data: measured }
}

const commands = {
  control: { reply: 'controlReply', run: control },
  action: { reply: 'actionReply', run: act },
  getReport: { reply: 'getReportReply', run: getReport },
} as const
export type Command = keyof typeof commands

export const isCommand = (method: string | undefined): method is Command => method !== undefined && method in commands

/** @param broken the device fails whatever it is told */
export function answerCommand(command: Command, message: DeviceMessage, parts: AnswerParts, broken: boolean) {
  const { reply, run } = commands[command]
  // The platform speaks both spellings; the device has its own.
  const dialect = parts.dialect === Dialect.auto ? dialectOf(message, Dialect.auto) : parts.dialect
  const method = spellMethod(reply, dialect)
  const timestamp = parts.now()
  try {
    if (broken) throw new Refusal(errors.failure.code, deviceWords(parts.language).outOfOrder)
    const answer = () => run(message, parts)
    // What is wrong with a value says the thing model, by `t`.
    const extra = parts.language === 'en' ? speaking(toEnglish, answer) : answer()
    return replyMessage(message, { method, timestamp, code: 200, msg: successText }, extra)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    return replyMessage(message, { method, timestamp, code: cause.code, msg: cause.message })
  }
}
