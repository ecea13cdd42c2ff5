import { t } from '@ithings/contract/text.ts'
import { functionTypeLabels } from '@ithings/contract/thing-model/model.ts'
import type { ChangedFunction, ListedFunction, ModelDiff } from '@ithings/contract/thing-model/model-diff.ts'
import { Collapse } from 'antd'
import { labelOf, StatusTag, type StatusTone } from '#kit/status-tag.tsx'
import { fieldWords } from './diff-words.ts'

export const isSame = ({ added, changed, removed }: ModelDiff): boolean =>
  added.length + changed.length + removed.length === 0

/** 新增 2、变更 1、移除 3 */
export const diffWords = ({ added, changed, removed }: ModelDiff): string =>
  [
    added.length > 0 ? t('新增 {count}', { count: added.length }) : '',
    changed.length > 0 ? t('变更 {count}', { count: changed.length }) : '',
    removed.length > 0 ? t('移除 {count}', { count: removed.length }) : '',
  ]
    .filter(Boolean)
    .join(t('、'))

/** Functions whose stored data or users would notice: removed ones and those of another type. */
export const lostFunctions = ({ changed, removed }: ModelDiff): string[] => [
  ...changed.filter((one) => one.typeChanged).map((one) => one.identifier),
  ...removed.map((one) => one.identifier),
]

interface DiffListProps {
  diff: ModelDiff
  /** A merge keeps what the document does not name. */
  keepRemoved?: boolean
}

interface Section {
  key: string
  title: string
  tone: StatusTone
  list: readonly (ListedFunction | ChangedFunction)[]
}

/** Added, changed (which members, and whether stored values still fit) and removed functions. */
export function DiffList({ diff, keepRemoved = false }: DiffListProps) {
  const all: Section[] = [
    { key: 'added', title: t('新增', { context: 'state' }), tone: 'success', list: diff.added },
    { key: 'changed', title: t('变更', { context: 'state' }), tone: 'warning', list: diff.changed },
    keepRemoved
      ? { key: 'removed', title: t('保留（文件中没有）'), tone: 'default', list: diff.removed }
      : { key: 'removed', title: t('移除', { context: 'state' }), tone: 'error', list: diff.removed },
  ]
  const sections = all.filter((section) => section.list.length > 0)
  if (sections.length === 0) return <p className="meta">{t('内容相同，没有差异。')}</p>
  return (
    <Collapse
      // What is open depends on what the sections mean.
      key={String(keepRemoved)}
      className="diff-list"
      size="small"
      defaultActiveKey={sections.filter((section) => section.tone !== 'default').map((section) => section.key)}
      items={sections.map(({ key, title, tone, list }) => ({
        key,
        label: (
          <span className="inline-row gap-8">
            <StatusTag text={title} tone={tone} /> {list.length}
          </span>
        ),
        children: (
          <ul className="bare-list">
            {list.map((one) => (
              <DiffRow key={one.identifier} one={one} />
            ))}
          </ul>
        ),
      }))}
    />
  )
}

function DiffRow({ one }: { one: ListedFunction | ChangedFunction }) {
  return (
    <li className="diff-row flex wrap baseline gap-12 tight">
      <span className="quiet">{labelOf(functionTypeLabels, one.type)}</span>
      <span>{one.name}</span>
      <span className="mono softer anywhere">{one.identifier}</span>
      {'fields' in one && (
        <span className="whole-line row wrap small quiet gap-8 tight">
          {one.typeChanged && <StatusTag filled text={t('类型变化')} tone="error" />}
          {one.fields.map(fieldWords).join(t('、'))}
        </span>
      )}
    </li>
  )
}
