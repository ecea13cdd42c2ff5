/**
 * Guest side of a call, run inside QuickJS before the script of the user. It keeps its own references to the built-ins,
 * so a script that overwrites them spoils its own results at most; the host trusts nothing that comes out of here.
 */
import { kept } from '@ithings/contract/text.ts'
import { maxJson, maxLogLength } from './limits.ts'

/** First letter of what `invoke` answers. */
export const Answer = { json: 'J', nothing: 'U', promise: 'P', tooLong: 'L', missing: 'M' } as const

/** A value that cannot be made a text. Lines are cut inside, so that it becomes a kept text only out here. */
const unshown = '[无法显示]'
const keptUnshown = kept(unshown)
export const unshownKept = (text: string): string => text.replaceAll(unshown, keptUnshown)

export const preludeSource = `(function (emit) {
  'use strict'
  const unbind = Function.prototype.call.bind.bind(Function.prototype.call)
  const { stringify, parse } = JSON
  const { isView } = ArrayBuffer
  const Bytes = Uint8Array, Buffer = ArrayBuffer, Text = String, Failure = Error
  const slice = unbind(String.prototype.slice)
  const handlers = { __proto__: null }

  const list = (view) => {
    let text = '['
    for (let i = 0; i < view.length && i < ${maxLogLength}; i++) text += (i ? ', ' : '') + Text(view[i])
    return text + ']'
  }
  const show = (value) => {
    try {
      if (typeof value === 'string') return value
      if (typeof value === 'bigint') return Text(value) + 'n'
      if (isView(value) && typeof value.length === 'number') return list(value)
      if (typeof value === 'object' && value !== null && !(value instanceof Failure)) {
        const text = stringify(value)
        if (typeof text === 'string') return text
      }
      return Text(value)
    } catch (error) {
      return '${unshown}'
    }
  }
  const say = (mark) => (...parts) => {
    let line = mark
    for (let i = 0; i < parts.length && line.length <= ${maxLogLength}; i++) line += (i ? ' ' : '') + show(parts[i])
    emit(line.length > ${maxLogLength} ? slice(line, 0, ${maxLogLength - 1}) + '…' : line)
  }
  globalThis.console = { log: say(''), info: say(''), debug: say(''), warn: say('[warn] '), error: say('[error] ') }

  // The memory of an instance is put back before every call: its own generator would repeat the same numbers.
  let seed = 1
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  const toNumbers = (value) => {
    const bytes = isView(value) ? new Bytes(value.buffer, value.byteOffset, value.byteLength) : new Bytes(value)
    const numbers = []
    for (let i = 0; i < bytes.length; i++) numbers[i] = bytes[i]
    return numbers
  }
  const answer = (value) => {
    if (typeof value === 'object' && value !== null) {
      if (isView(value) || value instanceof Buffer) value = toNumbers(value)
      else if (typeof value.then === 'function') return '${Answer.promise}'
    }
    const text = stringify(value)
    if (typeof text !== 'string') return '${Answer.nothing}'
    return text.length > ${maxJson} ? '${Answer.tooLong}' : '${Answer.json}' + text
  }

  return {
    define(name, handler) {
      if (typeof handler === 'function') handlers[name] = handler
    },
    names: () => stringify(Object.keys(handlers)),
    invoke(name, isBytes, input, random) {
      const handler = handlers[name]
      if (handler === undefined) return '${Answer.missing}'
      seed = random
      return answer(handler(isBytes ? new Bytes(input) : parse(input)))
    },
    describe(error) {
      if (typeof error !== 'object' || error === null) return stringify([show(error), ''])
      const { name, message, stack } = error
      const text = error instanceof Failure ? show(name) + ': ' + show(message) : show(error)
      return stringify([slice(text, 0, 1000), typeof stack === 'string' ? slice(stack, 0, 4000) : ''])
    },
  }
})`
