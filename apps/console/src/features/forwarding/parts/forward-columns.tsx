import {
  type ForwardRule,
  ForwardStatus,
  listDeadLetters,
  updateForward,
} from '@ithings/contract/features/forwarding/rules.ts'
import { targetTypeLabels } from '@ithings/contract/features/forwarding/targets.ts'
import { t } from '@ithings/contract/text.ts'
import { Tag, Tooltip } from 'antd'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { numberText } from '#kit/number-text.ts'
import { May } from '#kit/rights.tsx'
import { lookOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { usePhone } from '#kit/use-phone.ts'
import {
  lagsTooMuch,
  lagText,
  rateText,
  sourcesText,
  sourceText,
  stateLooks,
  stateOf,
  targetAddress,
} from '../words.ts'

const none = <span className="no-value">—</span>
/** In a row; the rest is in the tooltip. */
const shownSources = 1

function Sources({ sources }: Pick<ForwardRule, 'sources'>) {
  const rest = sources.length - shownSources
  return (
    <Tooltip title={rest > 0 ? sourcesText(sources) : undefined}>
      <span className="inline-row gap-4">
        {sources.slice(0, shownSources).map((source) => (
          <Tag key={source} variant="outlined" className="bare">
            {sourceText(source)}
          </Tag>
        ))}
        {rest > 0 && (
          <Tag variant="outlined" className="bare">
            +{rest}
          </Tag>
        )}
      </span>
    </Tooltip>
  )
}

/** On a phone the reason stands below the target, where there is room. */
function State({ rule }: { rule: ForwardRule }) {
  const phone = usePhone()
  const state = stateOf(rule)
  const tag = <StatusTag looks={stateLooks} value={state} />
  if (state !== 'failing') return tag
  return (
    <Tooltip title={t('{time}：{reason}', { time: formatTime(rule.errorTime), reason: rule.error })}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The whole reason is in the tooltip, which the focus shows, too. */}
      <span tabIndex={0} className="column">
        {tag}
        {!phone && <span className="meta cut">{rule.error}</span>}
      </span>
    </Tooltip>
  )
}

function Target({ rule }: { rule: ForwardRule }) {
  const phone = usePhone()
  const address = targetAddress(rule.target)
  return (
    <span className="column">
      <span>{t(targetTypeLabels[rule.target.type])}</span>
      <span className="meta mono cut" title={address}>
        {address}
      </span>
      {phone && stateOf(rule) === 'failing' && <span className="error-text anywhere">{rule.error}</span>}
    </span>
  )
}

function Lag({ rule }: { rule: ForwardRule }) {
  if (rule.lagMs === 0) return none
  const text = <span className={lagsTooMuch(rule) ? 'warning-text nowrap' : 'nowrap'}>{lagText(rule.lagMs)}</span>
  if (rule.losesAt === 0) return text
  return (
    <Tooltip title={t('若一直不能发送，{time} 起按日志保留时间丢弃', { time: formatTime(rule.losesAt) })}>
      {text}
    </Tooltip>
  )
}

interface ColumnParts {
  onEdit: (rule: ForwardRule) => void
  onLetters: (rule: ForwardRule) => void
}

/** A phone has the sources below, among the rest. */
function Name({ rule, onEdit }: { rule: ForwardRule; onEdit: ColumnParts['onEdit'] }) {
  const phone = usePhone()
  return (
    <span className="column top gap-4">
      <May needs={updateForward} else={rule.name}>
        <button type="button" className="plain-button link start anywhere" onClick={() => onEdit(rule)}>
          {rule.name}
        </button>
      </May>
      {!phone && <Sources sources={rule.sources} />}
    </span>
  )
}

const nameColumn = (onEdit: ColumnParts['onEdit']): ListColumn<ForwardRule> => ({
  key: 'name',
  title: t('名称'),
  sorter: true,
  hideable: false,
  width: 184,
  phone: 'title',
  render: (_value, rule) => <Name rule={rule} onEdit={onEdit} />,
  exportText: ({ name }) => name,
})

const lettersColumn = (onLetters: ColumnParts['onLetters']): ListColumn<ForwardRule> => ({
  key: 'deadLetters',
  title: t('死信'),
  align: 'right',
  phone: 'meta',
  render: (_value, rule) => {
    if (rule.deadLetters === 0) return none
    const count = numberText(rule.deadLetters)
    return (
      <May needs={listDeadLetters} else={count}>
        <button
          type="button"
          className="plain-button error-text"
          aria-label={t('「{name}」的 {count} 条死信', { name: rule.name, count: rule.deadLetters })}
          onClick={() => onLetters(rule)}
        >
          {count}
        </button>
      </May>
    )
  },
  exportText: ({ deadLetters }) => deadLetters,
})

export const forwardColumns = ({ onEdit, onLetters }: ColumnParts): ListColumn<ForwardRule>[] => [
  nameColumn(onEdit),
  {
    key: 'sources',
    title: t('来源'),
    hiddenAtFirst: true,
    phone: 'meta',
    render: (_value, { sources }) => <Sources sources={sources} />,
    exportText: ({ sources }) => sourcesText(sources),
  },
  {
    key: 'target',
    title: t('发往'),
    truncate: 200,
    phone: 'subtitle',
    render: (_value, rule) => <Target rule={rule} />,
    exportText: ({ target }) => `${t(targetTypeLabels[target.type])} ${targetAddress(target)}`,
  },
  {
    key: 'status',
    title: t('状态'),
    sorter: true,
    truncate: 176,
    phone: 'status',
    render: (_value, rule) => <State rule={rule} />,
    exportText: (rule) => [lookOf(stateLooks, stateOf(rule)).text, rule.error].filter(Boolean).join(' '),
  },
  {
    key: 'rate',
    title: t('每秒条数'),
    align: 'right',
    phone: 'meta',
    render: (_value, { rate, status }) => (status === ForwardStatus.paused ? none : rateText(rate)),
    exportText: ({ rate }) => rateText(rate),
  },
  {
    key: 'lag',
    title: t('延迟'),
    align: 'right',
    phone: 'meta',
    render: (_value, rule) => <Lag rule={rule} />,
    exportText: ({ lagMs }) => (lagMs === 0 ? '' : lagText(lagMs)),
  },
  {
    key: 'sent',
    title: t('已发送'),
    align: 'right',
    phone: 'meta',
    render: (_value, { sent }) => numberText(sent),
    exportText: ({ sent }) => sent,
  },
  lettersColumn(onLetters),
  { key: 'lastSentTime', title: t('最近发送'), phone: 'meta', time: 'relative' },
  { key: 'desc', title: t('说明'), dataIndex: 'desc', truncate: 200, hiddenAtFirst: true },
  { key: 'createdTime', title: t('创建时间'), sorter: true, hiddenAtFirst: true, time: 'exact' },
]
