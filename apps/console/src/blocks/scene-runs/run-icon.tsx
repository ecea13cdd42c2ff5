import {
  CheckCircleFilled,
  ClockCircleFilled,
  CloseCircleFilled,
  ExclamationCircleFilled,
  MinusCircleFilled,
} from '@ant-design/icons'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import { resultLook } from './run-words.ts'
import './scene-runs.css'

const icons: Record<number, typeof CheckCircleFilled> = {
  [RunResult.running]: ClockCircleFilled,
  [RunResult.waiting]: ClockCircleFilled,
  [RunResult.success]: CheckCircleFilled,
  [RunResult.partly]: ExclamationCircleFilled,
  [RunResult.failed]: CloseCircleFilled,
}

/** How a run ended: shape and colour, and the word for those who see neither. */
export function RunIcon({ result }: { result: number }) {
  const { text, tone } = resultLook(result)
  const Icon = icons[result] ?? MinusCircleFilled
  return <Icon className={`run-icon tone-${tone}`} role="img" aria-label={text} title={text} />
}

/** Whether one condition or action held. */
export const CheckIcon = ({ ok }: { ok: boolean }) =>
  ok ? (
    <CheckCircleFilled className="run-icon tone-success" role="img" aria-label="成立" />
  ) : (
    <CloseCircleFilled className="run-icon tone-default" role="img" aria-label="不成立" />
  )
