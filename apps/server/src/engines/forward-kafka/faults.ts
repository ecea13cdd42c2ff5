/** What an error of the client means for the messages of a request. */
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { AuthenticationError, ProtocolError } from '@platformatic/kafka'
import { saidBy } from '#engines/forward-shared/away.ts'
import { findError, reasonOf, wordsIn } from '#engines/forward-shared/reach.ts'
import { TargetAway } from '#ports/forward-target.ts'

/** What the broker will never take. */
const refusals = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'INVALID_TOPIC_EXCEPTION',
  'POLICY_VIOLATION',
])
/** It has them from a try before. */
const duplicate = 'DUPLICATE_SEQUENCE_NUMBER'

const isProtocol = (error: Error): error is ProtocolError => error instanceof ProtocolError
const isSignIn = (error: Error): error is AuthenticationError => error instanceof AuthenticationError

export const protocolError = (error: unknown): ProtocolError | undefined => findError(error, isProtocol)
export const isRefusal = (error: ProtocolError | undefined): error is ProtocolError =>
  error !== undefined && refusals.has(String(error.apiId))

interface Answered {
  response?: { responses?: Array<{ name: string; partitionResponses: Array<{ index: number; errorCode: number }> }> }
  produced?: { offsets?: Array<{ topic: string; partition: number }> }
  errors?: Array<Answered & Partial<ProtocolError> & { path?: string }>
}

export interface Outcome {
  /** Names of partitions that have them. */
  arrived: Set<string>
  refused: Map<string, ProtocolError>
}

export const partitionName = (topic: string, partition: number): string => `${topic}:${partition}`

const pathOf = /^\/responses\/(\d+)\/partition_responses\/(\d+)$/

/** A request is for many partitions, and each has an answer of its own: they lie in what the client throws, also of each try. */
export function readOutcome(error: unknown, outcome: Outcome = { arrived: new Set(), refused: new Map() }): Outcome {
  const { response, produced, errors } = error as Answered
  for (const { topic, partition } of produced?.offsets ?? []) outcome.arrived.add(partitionName(topic, partition))
  for (const { name, partitionResponses } of response?.responses ?? []) {
    for (const { index, errorCode } of partitionResponses) {
      if (errorCode === 0) outcome.arrived.add(partitionName(name, index))
    }
  }
  for (const one of errors ?? []) {
    const [, topic, partition] = pathOf.exec(one.path ?? '') ?? []
    const answer = response?.responses?.[Number(topic)]
    const place = answer?.partitionResponses[Number(partition)]
    if (answer && place && one instanceof ProtocolError) {
      const name = partitionName(answer.name, place.index)
      if (one.apiId === duplicate) outcome.arrived.add(name)
      else if (isRefusal(one)) outcome.refused.set(name, one)
    }
    readOutcome(one, outcome)
  }
  return outcome
}

export const unknownTopic = (topic: string): TargetAway => new TargetAway(phrase('Kafka 上没有主题 {topic}', { topic }))

function protocolWords(error: ProtocolError, topic: string): Phrase {
  const code = String(error.apiId)
  const message = saidBy(String(error.serverErrorMessage ?? '') || error.message)
  if (code === 'TOPIC_AUTHORIZATION_FAILED') return phrase('Kafka 不允许写入主题 {topic}', { topic })
  if (/AUTHORIZATION_FAILED$/.test(code)) return phrase('Kafka 不允许这个用户写入：{message}', { message })
  if (/SASL|AUTHENTICATION/.test(code)) return phrase('Kafka 拒绝登录：{message}', { message })
  if (code === 'KAFKA_STORAGE_ERROR') return phrase('Kafka 的存储出错，磁盘可能已满：{message}', { message })
  return phrase('Kafka 返回错误 {code}：{message}', { code, message })
}

/** As a reason to try again later. @param topic that was asked for */
export function awayFor({ brokers }: SettingsOf<'kafka'>, error: unknown, topic: string): TargetAway {
  const words = wordsIn(error)
  if (words) return new TargetAway(words, { cause: error })
  const signIn = findError(error, isSignIn)
  if (signIn)
    return new TargetAway(phrase('Kafka 拒绝登录：{message}', { message: reasonOf(signIn) }), { cause: error })
  const answer = protocolError(error)
  if (answer) return new TargetAway(protocolWords(answer, topic), { cause: error })
  const message = reasonOf(error)
  return new TargetAway(phrase('无法连接 Kafka {brokers}：{message}', { brokers, message }), { cause: error })
}
