/** What app/ makes of the environment for notifications. */
import type { Registry } from 'prom-client'
import { makeBell } from '#background/bell.ts'
import type { Common } from '#common-deps.ts'
import { type AddressGuard, makeAddressGuard, refusalOf } from './address-guard.ts'
import type { NotifyDeps } from './notify-deps.ts'
import { makeNotifyMetrics } from './notify-metrics.ts'
import { makeDingtalkSender } from './senders/dingtalk.ts'
import { makeMailer } from './senders/email.ts'
import { makeFeishuSender } from './senders/feishu.ts'
import { makeWebhookSender } from './senders/webhook.ts'
import { makeWecomSender } from './senders/wecom.ts'

const defaultTimeoutMs = 10_000

export interface NotifyParts extends Common<'db' | 'clock' | 'log' | 'background'> {
  metrics: Registry
  files: NotifyDeps['files']
  smtpUrl: string | undefined
  webhookAllow: readonly string[]
  usersOfChannel: NotifyDeps['usersOfChannel']
  /** Of one try; tests wait for less. */
  timeoutMs?: number
  guard?: AddressGuard
}

export function makeNotifyDeps(parts: NotifyParts): NotifyDeps {
  const { db, clock, log, background, smtpUrl, timeoutMs = defaultTimeoutMs, usersOfChannel } = parts
  const options = { guard: parts.guard ?? makeAddressGuard(parts.webhookAllow), timeoutMs }
  const mailer = makeMailer(smtpUrl, timeoutMs)
  return {
    db,
    clock,
    log,
    background,
    metrics: makeNotifyMetrics(parts.metrics),
    senders: {
      webhook: makeWebhookSender(clock, options),
      email: mailer.send,
      dingtalk: makeDingtalkSender(clock, options),
      wecom: makeWecomSender(options),
      feishu: makeFeishuSender(clock, options),
    },
    refusalOf: (url) => refusalOf(options.guard, url),
    mailReady: smtpUrl !== undefined,
    files: parts.files,
    bell: makeBell(),
    usersOfChannel,
    close: () => mailer.close(),
  }
}
