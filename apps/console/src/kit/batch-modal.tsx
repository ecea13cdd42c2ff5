import { t } from '@ithings/contract/text.ts'
import { Button, Progress } from 'antd'
import { type ReactNode, useState } from 'react'
import { PhoneModal } from './phone-modal.tsx'
import './batch-modal.css'
import { type Outcome, runEach } from './run-each.ts'
import { describeError } from './states/describe-error.ts'
import { StatusTag } from './status-tag.tsx'

export interface BatchModalProps<T> {
  /** A verb: 删除. */
  word: string
  /** What they are, with its counting word: `(count) => t('个产品', { count })`. */
  unit: (count: number) => string
  items: readonly T[]
  keyOf: (item: T) => string | number
  nameOf: (item: T) => string
  danger?: boolean
  /** Why a row is left out, before anything runs. */
  blocked?: (item: T) => string | undefined
  work: (item: T) => Promise<unknown>
  /** Between the title and the rows: what it means, or what to set. */
  children?: ReactNode
  /** The button works once there is something to do it with. */
  ready?: boolean
  open: boolean
  onClose: (ran: boolean) => void
}

function RowState({
  outcome,
  reason,
  started,
}: {
  outcome?: Outcome | undefined
  reason?: string | undefined
  started: boolean
}) {
  if (reason !== undefined) return <StatusTag text={reason} tone="warning" />
  if (outcome?.state === 'failed') return <StatusTag text={describeError(outcome.error).reason} tone="error" />
  if (outcome) return <StatusTag text={t('成功')} tone="success" />
  return started ? <StatusTag text={t('等待')} tone="default" /> : null
}

/** Names what is affected, runs, and says for each row how it went (screens.md 0.2). */
export function BatchModal<T>(props: BatchModalProps<T>) {
  const { word, unit, items, keyOf, nameOf, blocked, work, danger = false, ready = true, open, onClose } = props
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string | number, Outcome>>(new Map())
  const [step, setStep] = useState<'asking' | 'running' | 'ended'>('asking')
  const todo = items.filter((item) => blocked?.(item) === undefined)
  const failed = [...outcomes.values()].filter(({ state }) => state === 'failed').length
  const start = async () => {
    setStep('running')
    await runEach(todo, work, (item, outcome) => setOutcomes((before) => new Map(before).set(keyOf(item), outcome)))
    setStep('ended')
  }
  const done = todo.length - failed
  return (
    <PhoneModal
      title={
        step !== 'ended'
          ? t('{word} {count} {unit}？', { word, count: todo.length, unit: unit(todo.length) })
          : failed > 0
            ? t('已{word} {done} {unit}，{failed} 个失败', { word, done, unit: unit(done), failed })
            : t('已{word} {done} {unit}', { word, done, unit: unit(done) })
      }
      open={open}
      width={560}
      mask={{ closable: false }}
      onCancel={step === 'running' ? undefined : () => onClose(step === 'ended')}
      footer={
        step === 'ended' ? (
          <Button type="primary" onClick={() => onClose(true)}>
            {t('关闭')}
          </Button>
        ) : (
          <>
            <Button disabled={step === 'running'} onClick={() => onClose(false)}>
              {t('取消')}
            </Button>
            <Button
              type="primary"
              danger={danger}
              loading={step === 'running'}
              disabled={todo.length === 0 || !ready}
              onClick={() => void start()}
            >
              {word}
            </Button>
          </>
        )
      }
    >
      {step === 'asking' ? (
        props.children
      ) : (
        <Progress
          percent={Math.round((outcomes.size / Math.max(1, todo.length)) * 100)}
          status={failed > 0 ? 'exception' : step === 'ended' ? 'success' : 'active'}
          size="small"
          aria-label={t('{word}进度', { word })}
        />
      )}
      <ul className="batch-rows above-8 bare scroll pad-0">
        {items.map((item) => (
          <li key={keyOf(item)} className="row between gap-16 high-36 line-bottom">
            <span className="cut">{nameOf(item)}</span>
            <RowState outcome={outcomes.get(keyOf(item))} reason={blocked?.(item)} started={step !== 'asking'} />
          </li>
        ))}
      </ul>
    </PhoneModal>
  )
}
